// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/arguments/argument_parser.h"
#include "app/measuring/store_choice.h"

#include <filesystem>
#include <string>

namespace flopsmith::app {

/// --store, --no-store and --fresh of the commands that measure.
class StoreOptions
{
public:
    void addTo(ArgumentParser command);

    /// --store and --no-store of the window, which has no --fresh.
    void addWindowTo(ArgumentParser command);

    /// --store alone, for commands that work on the store itself.
    void addFileTo(ArgumentParser command);

    StoreChoice choice() const;

    /// The named file, or the usual one.
    std::filesystem::path file() const;

private:
    std::string m_file;
    bool m_without = false;
    bool m_fresh = false;
};

} // namespace flopsmith::app
