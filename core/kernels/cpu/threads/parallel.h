// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/threads/team.h"
#include "core/kernels/cpu/threads/threads.h"

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace flopsmith::cpu {

/// Calls part(0) … part(threads − 1), each once and in parallel. All parallel work goes through
/// this one team: libraries are called on one thread each, so that two pools never oversubscribe
/// the machine and wait for one another.
template <class Part>
void onThreads(Threads threads, const Part& part)
{
    if (threads.count == 1) {
        part(0);
        return;
    }
    runTogether(
        threads,
        [](const void* context, int i) { (*static_cast<const Part*>(context))(i); },
        &part);
}

/// As many of the threads as have something to do: waking one takes about as long as some ten
/// thousand multiply-adds.
inline Threads threadsFor(Threads threads, std::int64_t operations)
{
    constexpr std::int64_t kOperationsPerThread = 1 << 15;
    return {static_cast<int>(
        std::clamp<std::int64_t>(operations / kOperationsPerThread, 1, threads.count))};
}

/// Calls task(i, thread) for every i of [0, count), handing them out as threads become free.
template <class Task>
void shareOut(Threads threads, std::int64_t count, const Task& task)
{
    if (threads.count == 1) {
        for (std::int64_t i = 0; i < count; ++i) {
            task(i, 0);
        }
        return;
    }
    std::atomic<std::int64_t> next{0};
    onThreads(threads, [&](int thread) {
        for (std::int64_t mine = next++; mine < count; mine = next++) {
            task(mine, thread);
        }
    });
}

/// [first, last)
struct Range
{
    std::int64_t first = 0;
    std::int64_t last = 0;

    std::int64_t size() const { return last - first; }
};

/// The intersection of both; if it is empty, an empty range at the end of one of them.
inline Range intersection(Range a, Range b)
{
    const std::int64_t first = std::max(a.first, b.first);
    return {first, std::max(first, std::min(a.last, b.last))};
}

/// One of `parts` nearly equal parts of [0, count), cut at multiples of `grain`.
inline Range partOf(std::int64_t count, int parts, int part, std::int64_t grain = 1)
{
    const std::int64_t grains = (count + grain - 1) / grain;
    return {std::min(count, grains * part / parts * grain),
            std::min(count, grains * (part + 1) / parts * grain)};
}

} // namespace flopsmith::cpu
