// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/measuring/store_choice.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <string>

namespace flopsmith::app {

/// --store, --no-store and --fresh of the commands that measure.
class StoreOptions
{
public:
    void addTo(CLI::App& command);

    /// --store and --no-store of the window, which measures anew anyway.
    void addWindowTo(CLI::App& command);

    /// --store alone, for commands that work on the store itself.
    void addFileTo(CLI::App& command);

    StoreChoice choice() const;

    /// The named file, or the usual one.
    std::filesystem::path file() const;

private:
    std::string m_file;
    bool m_without = false;
    bool m_fresh = false;
};

} // namespace flopsmith::app
