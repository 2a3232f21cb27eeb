// SPDX-License-Identifier: MIT
#include "core/parameter/run_origins.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace flopsmith {
namespace {

// The run before the edit that a run after it equals, or is a copy of; −1 for a new one.
int runItWas(const Model& before, const Model& after, int run)
{
    const auto& was = before.runs;
    const Block& block = after.runs.at(static_cast<std::size_t>(run)).block;
    const auto isGone = [&](const Block& old) {
        return std::none_of(after.runs.begin(), after.runs.end(), [&old](const BlockRun& r) {
            return r.block == old;
        });
    };
    if (was.size() == after.runs.size() && isGone(was[static_cast<std::size_t>(run)].block)) {
        return run; // edited in place
    }
    const auto distance = [run](int other) { return std::abs(other - run); };
    int nearest = -1;
    for (int other = 0; other < static_cast<int>(was.size()); ++other) {
        const bool equal = was[static_cast<std::size_t>(other)].block == block;
        if (equal && (nearest < 0 || distance(other) < distance(nearest))) {
            nearest = other;
        }
    }
    const bool keepsBlocks = before.layers() == after.layers();
    return nearest < 0 && keepsBlocks ? before.runOf(after.firstBlock(run)) : nearest;
}

} // namespace

std::vector<int> runsTheyWere(const Model& before, const Model& after)
{
    const auto same = [](const BlockRun& a, const BlockRun& b) { return a.block == b.block; };
    const auto& was = before.runs;
    const auto& is = after.runs;
    const auto count = static_cast<int>(is.size());
    const auto head =
        std::mismatch(was.begin(), was.end(), is.begin(), is.end(), same).second - is.begin();
    const auto tail =
        std::mismatch(was.rbegin(), was.rend(), is.rbegin(), is.rend(), same).second - is.rbegin();
    std::vector<int> from;
    for (int run = 0; run < count; ++run) {
        from.push_back(run < head                ? run
                           : count - run <= tail ? run + static_cast<int>(was.size()) - count
                                                 : runItWas(before, after, run));
    }
    return from;
}

} // namespace flopsmith
