// SPDX-License-Identifier: MIT
#include "core/lab/run/run_control.h"

namespace flopsmith {

void RunControl::pause()
{
    const std::lock_guard lock(m_mutex);
    m_state.paused = true;
}

void RunControl::resume()
{
    const std::lock_guard lock(m_mutex);
    m_state.paused = false;
    m_changed.notify_all();
}

void RunControl::step()
{
    const std::lock_guard lock(m_mutex);
    m_state.paused = true;
    ++m_state.singles;
    m_changed.notify_all();
}

RunControl::State RunControl::state() const
{
    const std::lock_guard lock(m_mutex);
    return m_state;
}

std::int64_t RunControl::join()
{
    const std::lock_guard lock(m_mutex);
    const std::int64_t behind = m_hasRun ? m_state.singles : 0;
    m_hasRun = true;
    return behind;
}

bool RunControl::holds(std::int64_t taken) const
{
    const std::lock_guard lock(m_mutex);
    return m_state.paused && taken >= m_state.singles;
}

bool RunControl::awaitStep(std::int64_t& taken, const std::stop_token& stop)
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, stop, [&] { return !m_state.paused || taken < m_state.singles; });
    if (stop.stop_requested()) {
        return false;
    }
    taken = m_state.paused ? taken + 1 : m_state.singles;
    return true;
}

void obey(std::string_view line, RunControl& control)
{
    if (line == kPauseLine) {
        control.pause();
    } else if (line == kResumeLine) {
        control.resume();
    } else if (line == kStepLine) {
        control.step();
    }
}

} // namespace flopsmith
