// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/time/run_time_ghosts.h"
#include "core/study/sweep/pass_time.h"
#include "ui/jobs/store_thread.h"

#include <QObject>

#include <filesystem>
#include <memory>
#include <vector>

namespace flopsmith::ui {

/// A store's times of whole passes on one device, looked up in the background.
class StoredPasses : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    void useStore(const std::filesystem::path& file);
    bool hasStore() const { return m_store != nullptr; }

    /// Looks up a pass of each scenario, unless the last look-up was the same; found() follows for
    /// each of which something is stored.
    void lookUp(const Device& device, const std::vector<Scenario>& scenarios);

    /// Makes the next look-up read the store again, as after measuring.
    void outdate() { m_outdated = true; }

    /// Parallel to the scenarios of the last look-up; without a time until it is found.
    const std::vector<MeasuredPass>& passes() const { return m_passes; }

    /// The same for the parts of the forward pass; without times until some are found.
    const std::vector<DesignTimes>& parts() const { return m_parts; }

Q_SIGNALS:
    void found();

private:
    void take(int run, std::size_t place, const StoredMeasuring& stored);

    Device m_device{};
    std::vector<Scenario> m_scenarios;
    std::vector<MeasuredPass> m_passes;
    std::vector<DesignTimes> m_parts;
    bool m_outdated = true;
    int m_run = 0; ///< results of earlier look-ups are dropped
    std::unique_ptr<StoreThread> m_store; ///< last, so that it ends before what it reports to
};

} // namespace flopsmith::ui
