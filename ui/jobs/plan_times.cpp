// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/plan_times.h"

#include "ui/jobs/part_times.h"

#include <algorithm>

namespace flopsmith::ui {
namespace {

// A part without a time, as it is shown while the device works.
PartTime withActivity(PartTime time, const DeviceActivity& device)
{
    if (time.state == PartState::pending && device.measuresParts) {
        time.state = PartState::queued;
    } else if (time.state == PartState::running) {
        time.silentSeconds = device.silentSeconds;
    }
    return time;
}

} // namespace

PlanTimes::PlanTimes(std::size_t parts)
    : m_own(parts)
    , m_stored(parts)
{}

bool PlanTimes::take(std::size_t part, const PartResult& result)
{
    const PartTime time = partTime(result);
    if (m_own[part] == time) {
        return false;
    }
    m_own[part] = time;
    if (result.measured && result.measured->settled) {
        m_stored[part].reset(); // a settled result replaces the stored one
    }
    return true;
}

void PlanTimes::takeStored(const StoredMeasuring& stored)
{
    for (std::size_t part = 0; part < m_stored.size(); ++part) {
        m_stored[part].reset();
        if (const auto storedAt = stored.storedAt[part]) {
            m_stored[part] = partTime(stored.outcome.parts[part]);
            m_stored[part]->storedAt = storedAt;
        }
    }
}

void PlanTimes::stop()
{
    for (PartTime& time : m_own) {
        time = time.state == PartState::running ? PartTime{} : time;
    }
}

PartTime PlanTimes::shown(std::size_t part, const DeviceActivity& device) const
{
    const PartTime& own = m_own[part];
    const bool isWorse = own.state == PartState::notSettled && m_stored[part]
        && m_stored[part]->state == PartState::settled;
    if ((own.hasTime() && !isWorse) || !m_stored[part]) {
        return withActivity(own, device);
    }
    PartTime stored = *m_stored[part];
    if (own.state == PartState::failed) {
        stored.sentence = "Measured again, it failed: " + own.sentence;
    } else if (!own.sentence.empty()) {
        stored.sentence = own.sentence;
    }
    return stored;
}

int PlanTimes::done() const
{
    return static_cast<int>(std::count_if(m_own.begin(), m_own.end(), [](const PartTime& time) {
        return time.state != PartState::pending && time.state != PartState::running;
    }));
}

} // namespace flopsmith::ui
