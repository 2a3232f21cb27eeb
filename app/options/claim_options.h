// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/claims/claims.h"

#include <CLI/CLI.hpp>

namespace flopsmith::app {

/// --d, --d-ff and --tokens.
class ClaimOptions
{
public:
    void addTo(CLI::App& command);

    /// The sizes, or what is wrong with them.
    Result<ClaimSizes> sizes() const;

private:
    ClaimSizes m_sizes;
};

} // namespace flopsmith::app
