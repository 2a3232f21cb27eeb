// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/tables/alternation.h"

#include "core/measure/clock.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <thread>

namespace flopsmith::bench {
namespace {

constexpr double kShortestTurn = 3e-3; // a shorter one would time the pipe's wake-up too
constexpr double kLongRun = 1.0;
// The machine runs now faster, now slower: a single turn says little, but runs of seconds have no
// time for more.
constexpr int kFewestTurns = 3;
constexpr double kMediumRuns = 0.4; // of both sides together
constexpr double kSecondsMore = 0.5; // where the ratio is near its goal
constexpr int kMaxTurns = 25;

double processorSeconds()
{
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

int runsFor(double secondsOfOne)
{
    return static_cast<int>(std::clamp(std::ceil(kShortestTurn / secondsOfOne), 1.0, 1e5));
}

void add(Timing& timing, const PeerSeconds& seconds, int runs)
{
    timing.wall.add(seconds.wall / runs);
    timing.processor.add(seconds.processor / runs);
}

// The threads of either side spin for some milliseconds when their work is done.
void letThreadsSleep()
{
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

Status takeTurns(int turns, Kernel& kernel, int ourRuns, TorchPeer* peer, int theirRuns, Pair& pair)
{
    for (int i = 0; i < turns; ++i) {
        letThreadsSleep();
        add(pair.ours, timeRuns(kernel, ourRuns), ourRuns);
        if (peer == nullptr) {
            continue;
        }
        letThreadsSleep();
        const auto theirs = peer->time(theirRuns);
        if (!theirs) {
            return theirs.error();
        }
        add(pair.theirs, *theirs, theirRuns);
        pair.ratios.add(pair.theirs.wall.inOrder().back() / pair.ours.wall.inOrder().back());
    }
    return Done{};
}

bool isNear(const Goal& goal, const Pair& pair)
{
    constexpr double kNear = 0.2;
    return std::abs(pair.ratioOfLeast(goal.threads) - goal.ratio) <= kNear * goal.ratio;
}

} // namespace

double Pair::ratioOfLeast(int threads) const
{
    return threads == 1 ? theirs.processor.min() / ours.processor.min()
                        : theirs.wall.min() / ours.wall.min();
}

PeerSeconds timeRuns(Kernel& kernel, int runs)
{
    static const Clock kNow = steadyClock();
    const double processor = processorSeconds();
    const double start = kNow();
    for (int i = 0; i < runs; ++i) {
        kernel.run();
    }
    return {kNow() - start, processorSeconds() - processor};
}

Result<Pair> alternate(Kernel& kernel,
                       TorchPeer* peer,
                       const PeerSeconds& firstOfPeer,
                       double seconds,
                       const std::optional<Goal>& goal)
{
    Pair pair;
    PeerSeconds first = timeRuns(kernel, 1);
    if (first.wall > kLongRun && (peer == nullptr || firstOfPeer.wall > kLongRun)) {
        add(pair.ours, first, 1);
        if (peer != nullptr) {
            add(pair.theirs, firstOfPeer, 1);
            pair.ratios.add(firstOfPeer.wall / first.wall);
        }
        return pair;
    }
    first = timeRuns(kernel, 1);
    const int ourRuns = runsFor(first.wall);
    const int theirRuns = runsFor(firstOfPeer.wall);
    const double ours = first.wall * ourRuns;
    const double both = peer == nullptr ? ours : ours + firstOfPeer.wall * theirRuns;
    const double asked = peer == nullptr ? seconds : 2 * seconds;
    const int fewest = both < kMediumRuns ? kFewestTurns : 1;
    const int turns = std::clamp(static_cast<int>(asked / both), fewest, kMaxTurns);
    Status status = takeTurns(turns, kernel, ourRuns, peer, theirRuns, pair);
    if (status && peer != nullptr && goal && isNear(*goal, pair)) {
        const int more = std::min(turns, static_cast<int>(kSecondsMore / both));
        status = takeTurns(more, kernel, ourRuns, peer, theirRuns, pair);
    }
    if (!status) {
        return status.error();
    }
    return pair;
}

} // namespace flopsmith::bench
