// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/arguments/argument_parser.h"
#include "app/options/store_options.h"
#include "app/terminal/outcome.h"
#include "core/base/result.h"
#include "core/protocol/device/device.h"
#include "core/protocol/measuring/measuring.h"

#include <string>
#include <vector>

namespace flopsmith::app {

/// The device of that name, which may be imported; with an empty name this CPU. This machine's own
/// devices are found even if the list of devices cannot be read.
Result<Device> namedDevice(const std::string& name, const StoreChoice& store = {});

/// The devices of all lists of names with commas, each once; without a list this CPU.
Result<std::vector<Device>> namedDevices(const std::vector<std::string>& lists,
                                         const StoreChoice& store = {});

/// The outcome of a command without its device: bad input if the list of devices cannot be read,
/// else an unavailable device.
Outcome noDevice(const Error& error);

/// --device, --budget, --store, --no-store, --fresh, --precision and --cache of the commands that
/// measure.
class DeviceOptions
{
public:
    void addTo(ArgumentParser command);

    /// The same where --device may name several.
    void addSeveralTo(ArgumentParser command);

    /// The named device, the first of several, or this CPU; also one whose results were imported.
    Result<Device> device() const;

    /// All that are named, each once, or this CPU.
    Result<std::vector<Device>> devices() const;

    /// Where results are kept, and whether they are used.
    StoreChoice store() const { return m_store.choice(); }

    /// The same, for other options that look things up there.
    const StoreOptions& storeOptions() const { return m_store; }

    /// --precision and --cache, for commands that measure under conditions that can be chosen.
    void addConditionsTo(ArgumentParser command);

    /// Budget, precision and state of the caches.
    MeasuringOptions measuring() const;

    bool isNamed() const { return !m_names.empty(); }
    bool areSeveral() const;

private:
    void addBudgetTo(ArgumentParser command);

    std::vector<std::string> m_names;
    StoreOptions m_store;
    double m_budgetSeconds = 10.0;
    std::string m_precision = "float32";
    std::string m_cache = "hot";
};

} // namespace flopsmith::app
