// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <stop_token>
#include <string_view>

namespace flopsmith {

/// Pauses the runs under way between two steps and lets them take single ones. Any thread may use
/// it.
class RunControl
{
public:
    struct State
    {
        bool paused = false;
        std::int64_t singles = 0; ///< single steps requested so far

        bool operator==(const State&) const = default;
    };

    void pause();
    void resume();

    /// One step of each run under way; pauses them.
    void step();

    State state() const;

    /// How many single steps a run that begins now skips: those requested before it. The first run
    /// skips none, as a step may be requested before there is a run.
    std::int64_t join();

    /// Whether a run that took `taken` single steps has to wait.
    bool holds(std::int64_t taken) const;

    /// Waits until a run may take a step; a single one is added to `taken`. False to stop.
    bool awaitStep(std::int64_t& taken, const std::stop_token& stop);

private:
    mutable std::mutex m_mutex;
    std::condition_variable_any m_changed;
    State m_state;
    bool m_hasRun = false;
};

// The lines that a training program takes beside its run.
inline constexpr std::string_view kStopLine = "stop"; ///< save the run and end
inline constexpr std::string_view kPauseLine = "pause";
inline constexpr std::string_view kResumeLine = "resume";
inline constexpr std::string_view kStepLine = "step";

/// Follows one of the last three; others change nothing.
void obey(std::string_view line, RunControl& control);

} // namespace flopsmith
