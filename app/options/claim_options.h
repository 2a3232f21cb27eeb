// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/arguments/argument_parser.h"
#include "core/claims/claims.h"

namespace flopsmith::app {

/// --d, --d-ff and --tokens.
class ClaimOptions
{
public:
    void addTo(ArgumentParser command);

    /// The sizes, or what is wrong with them.
    Result<ClaimSizes> sizes() const;

private:
    ClaimSizes m_sizes;
};

} // namespace flopsmith::app
