// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/text.h"
#include "core/lab/run/training_run.h"

#include <chrono>
#include <string>
#include <utility>

namespace flopsmith {

/// Reports a training program that is silent. Large steps take long, so that the run continues, but
/// the user should know that the program may hang.
class SilenceWatch
{
public:
    using Duration = std::chrono::duration<double>;

    /// Reports after every `patience` of silence.
    SilenceWatch(const RunSink& sink, std::string who, Duration patience)
        : m_sink(sink)
        , m_who(std::move(who))
        , m_patience(patience)
    {}

    void heard()
    {
        m_heard = std::chrono::steady_clock::now();
        m_reports = 0;
    }

    void check()
    {
        const Duration silent = std::chrono::steady_clock::now() - m_heard;
        if (silent >= (m_reports + 1) * m_patience) {
            m_reports = static_cast<int>(silent / m_patience);
            m_sink.note(m_who + " has said nothing of its run for "
                        + durationText(m_reports * m_patience.count()));
        }
    }

private:
    const RunSink& m_sink;
    std::string m_who;
    Duration m_patience;
    std::chrono::steady_clock::time_point m_heard = std::chrono::steady_clock::now();
    int m_reports = 0;
};

inline constexpr SilenceWatch::Duration kSilencePatience{60.0};

} // namespace flopsmith
