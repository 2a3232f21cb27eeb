// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/stored_measuring.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace flopsmith::app {

/// Which store a command uses, if any.
struct StoreChoice
{
    std::filesystem::path file{};
    bool used = false;
    Reuse reuse = Reuse::yes;
};

/// A store to measure with, and what went wrong with it. Measuring goes on without one.
struct OpenedStore
{
    std::optional<MeasurementStore> store{};
    std::optional<Error> failure{};

    MeasurementStore* get() { return store ? &*store : nullptr; }
};

OpenedStore openedStore(const StoreChoice& choice);

/// "…; measured without it", for standard error.
std::string storeNote(const Error& failure);

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
