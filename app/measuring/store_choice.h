// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/stored_measuring.h"

#include <filesystem>
#include <optional>
#include <string>

namespace flopsmith::app {

/// Which store a command uses, if any.
struct StoreChoice
{
    std::filesystem::path file{};
    bool used = false;
    Reuse reuse = Reuse::yes;
};

/// A store to measure with, or the failure to open it, in which case measuring continues without.
struct OpenedStore
{
    std::optional<MeasurementStore> store{};
    std::optional<Error> failure{};

    MeasurementStore* get() { return store ? &*store : nullptr; }
};

OpenedStore openedStore(const StoreChoice& choice);

/// "…; measured without it", for standard error.
std::string storeNote(const Error& failure);

} // namespace flopsmith::app
