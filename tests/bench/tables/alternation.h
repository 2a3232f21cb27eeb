// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/kernel.h"
#include "core/measure/samples.h"
#include "tests/bench/tables/torch_peer.h"

#include <optional>

namespace flopsmith::bench {

/// Run times of one operation, taken in turns with PyTorch's so that both see the same moments of
/// the machine.
struct Timing
{
    Samples wall; ///< seconds of one run
    Samples processor; ///< of all threads, for one run

    bool empty() const { return wall.empty(); }
};

struct Pair
{
    Timing ours;
    Timing theirs; ///< empty without PyTorch
    Samples ratios; ///< theirs over ours in wall time, turn by turn
    double difference = 0.0; ///< of the two results, relative to the largest value

    /// The ratio of what either side needs when nothing disturbs it: least processor time on one
    /// thread, least wall time on several, where waiting threads spin.
    double ratioOfLeast(int threads) const;
};

/// Seconds and processor seconds of so many runs.
PeerSeconds timeRuns(Kernel& kernel, int runs);

/// The ratio that is asked of an operation on so many threads.
struct Goal
{
    double ratio;
    int threads;
};

/// Turns of both sides for about `seconds` each, at least three where both take less than 0.4 s
/// together; `peer` is prepared and may be null. Where a first run takes more than a second it is the
/// only sample: nothing needs warming then. Where the ratio of the least times comes within a fifth of
/// the goal, on either side of it, up to twice as many turns are taken, half a second more: all of them
/// count.
Result<Pair> alternate(Kernel& kernel,
                       TorchPeer* peer,
                       const PeerSeconds& firstOfPeer,
                       double seconds,
                       const std::optional<Goal>& goal = {});

} // namespace flopsmith::bench
