// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/mixer/score_strips.h"

#include <algorithm>

namespace flopsmith::cuda {

std::vector<Strip> scoreStrips(const ScoreSize& size, Index scoresAtOnce)
{
    const bool whole = scoresAtOnce == 0;
    const Index allUnits = size.batch * size.keyHeads();
    const Index ofQuery = Index{size.groupSize} * size.keys;
    const int most = std::min(size.queries, kStripQueries);
    const auto queries =
        whole ? most : static_cast<int>(std::clamp<Index>(scoresAtOnce / ofQuery, 1, most));
    const Index units =
        whole ? allUnits : std::clamp<Index>(scoresAtOnce / (ofQuery * queries), 1, allUnits);
    std::vector<Strip> strips;
    for (Index unit = 0; unit < allUnits; unit += units) {
        for (int query = 0; query < size.queries; query += queries) {
            Strip strip{.firstUnit = unit,
                        .units = std::min(units, allUnits - unit),
                        .firstQuery = query,
                        .queries = std::min(queries, size.queries - query)};
            const int position = size.firstPosition + query;
            const int last = position + strip.queries - 1;
            strip.firstKey = position < size.back ? 0 : position - size.back;
            strip.endKey =
                size.keys - last - 1 < size.forward ? size.keys : last + size.forward + 1;
            strip.start = whole ? Index{query} * size.keys : 0;
            strip.headStep = Index{whole ? size.queries : strip.queries} * size.keys;
            strips.push_back(strip);
        }
    }
    return strips;
}

Index scoresInMemory(const ScoreSize& size, const std::vector<Strip>& strips)
{
    const Strip& first = strips.front(); // none has more heads or queries
    return first.units * size.groupSize * std::max(first.headStep, Index{size.keys});
}

std::vector<ScoreOperands> operandsOfStrips(Plan& plan,
                                            const ScoreSize& size,
                                            const std::vector<Strip>& strips,
                                            const ScoreOperands& all)
{
    constexpr Index kOperands = 12;
    Index count = 0;
    for (const Strip& strip : strips) {
        count += kOperands * strip.units * size.groupSize;
    }
    auto* const table = plan.memory<const void*>(count);
    std::vector<const void*> addresses;
    std::vector<ScoreOperands> made;
    for (const Strip& strip : strips) {
        // offset(unit, place) is where the head at a place of its group begins.
        const auto add = [&](Operand& operand, const auto& offset) {
            const Operand matrix = operand;
            operand.first = table + addresses.size();
            for (int place = 0; matrix.first != nullptr && place < size.groupSize; ++place) {
                for (Index unit = strip.firstUnit; unit < strip.firstUnit + strip.units; ++unit) {
                    addresses.push_back(shifted(matrix, offset(unit, place)).first);
                }
            }
        };
        ScoreOperands& of = made.emplace_back(all);
        for (Operand* const matrix : {&of.scores, &of.probabilities, &of.gradients, &of.dScores}) {
            add(*matrix, [&](Index unit, int place) {
                const Index local = (unit - strip.firstUnit) * size.groupSize + place;
                return strip.start + local * strip.headStep + strip.firstKey;
            });
        }
        const Index keyHeads = size.keyHeads();
        for (Operand* const rows : {&of.q, &of.dQ, &of.out, &of.dOut}) {
            const bool ofValues = rows == &of.out || rows == &of.dOut;
            const Index width = ofValues ? size.valueWidth : size.keyWidth;
            add(*rows, [&](Index unit, int place) {
                const Index row = unit / keyHeads * size.queries + strip.firstQuery;
                return row * rows->stride + (unit % keyHeads * size.groupSize + place) * width;
            });
        }
        for (Operand* const rows : {&of.k, &of.dK, &of.v, &of.dV}) {
            const bool ofValues = rows == &of.v || rows == &of.dV;
            const Index width = ofValues ? size.valueWidth : size.keyWidth;
            add(*rows, [&](Index unit, int /*place*/) {
                const Index row = unit / keyHeads * size.keys + strip.firstKey;
                return row * rows->stride + unit % keyHeads * width;
            });
        }
    }
    copyToDevice(table, addresses.data(), addresses.size() * sizeof(const void*));
    return made;
}

} // namespace flopsmith::cuda
