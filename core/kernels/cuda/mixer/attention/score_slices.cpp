// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/mixer/attention/score_slices.h"

#include <algorithm>

namespace flopsmith::cuda {
namespace {

// How many of `count` parts fit into maxScores, at least one.
int fitting(std::int64_t maxScores, std::int64_t scoresOfPart, std::int64_t count)
{
    return static_cast<int>(
        std::clamp<std::int64_t>(maxScores / scoresOfPart, 1, std::max<std::int64_t>(count, 1)));
}

// Rounds down to whole strips of queries: products and softmax work on nothing smaller.
int wholeStrips(int queries, int ofAll)
{
    return queries == ofAll || queries < kStripQueries ? queries
                                                       : queries / kStripQueries * kStripQueries;
}

// Step sizes of the slices. If a whole dimension does not fit, inner dimensions are cut and outer
// ones advance by 1.
struct SliceSteps
{
    int sequences;
    int keyHeads;
    int groupSize;
    int queries;

    SliceSteps(const CoreSize& size, std::int64_t maxScores)
    {
        const std::int64_t ofHead = std::int64_t{size.queries} * size.keys();
        const std::int64_t ofKeyHead = ofHead * size.groupSize;
        sequences = fitting(maxScores, ofHead * size.heads, size.batch);
        keyHeads = fitting(maxScores, ofKeyHead, size.keyHeads());
        groupSize = fitting(maxScores, ofHead, size.groupSize);
        queries = wholeStrips(fitting(maxScores, size.keys(), size.queries), size.queries);
    }
};

std::int64_t firstRow(const CoreSize& size, const ScoreSlice& slice)
{
    return slice.firstSequence * size.queries + slice.firstQuery;
}

float* shiftedIfAny(float* first, std::int64_t elements)
{
    return first == nullptr ? nullptr : first + elements;
}
const float* shiftedIfAny(const float* first, std::int64_t elements)
{
    return first == nullptr ? nullptr : first + elements;
}

ScoreSlice sliceAt(const CoreSize& size,
                   const SliceSteps& step,
                   std::int64_t sequence,
                   int keyHead,
                   int inGroup,
                   int query)
{
    ScoreSlice slice{size, sequence, keyHead * size.groupSize + inGroup, query};
    slice.size.batch = std::min<std::int64_t>(step.sequences, size.batch - sequence);
    slice.size.groupSize = std::min(step.groupSize, size.groupSize - inGroup);
    slice.size.heads = slice.size.groupSize * std::min(step.keyHeads, size.keyHeads() - keyHead);
    slice.size.queries = std::min(step.queries, size.queries - query);
    slice.size.firstPosition += query;
    return slice;
}

} // namespace

std::vector<ScoreSlice> scoreSlices(const CoreSize& size, std::int64_t maxScores)
{
    const SliceSteps step(size, maxScores);
    std::vector<ScoreSlice> slices;
    for (std::int64_t sequence = 0; sequence < size.batch; sequence += step.sequences) {
        for (int keyHead = 0; keyHead < size.keyHeads(); keyHead += step.keyHeads) {
            for (int inGroup = 0; inGroup < size.groupSize; inGroup += step.groupSize) {
                for (int query = 0; query < size.queries; query += step.queries) {
                    slices.push_back(sliceAt(size, step, sequence, keyHead, inGroup, query));
                }
            }
        }
    }
    return slices;
}

Operand sliceOfQueries(const Operand& rows,
                       const CoreSize& size,
                       const ScoreSlice& slice,
                       int width)
{
    return shifted(rows,
                   firstRow(size, slice) * rows.stride + std::int64_t{slice.firstHead} * width);
}

Destination sliceOfQueries(const Destination& rows,
                           const CoreSize& size,
                           const ScoreSlice& slice,
                           int width)
{
    return shifted(rows,
                   firstRow(size, slice) * rows.stride + std::int64_t{slice.firstHead} * width);
}

MatrixRows sliceOfKeys(const MatrixRows& rows, const CoreSize& size, const ScoreSlice& slice)
{
    const int ownFirst = slice.firstHead / size.groupSize * rows.own;
    const auto from = [&](const Operand& operand, int count) {
        return count == 0
            ? operand
            : shifted(operand, slice.firstSequence * count * operand.stride + ownFirst);
    };
    return {from(rows.fresh, size.fresh),
            from(rows.cached, size.cached),
            rows.own,
            rows.shared - ownFirst}; // shared features do not move with the head
}

ScoreSteps sliceOfSteps(const ScoreSteps& steps, const ScoreSlice& slice)
{
    ScoreSteps own = steps;
    own.slopes = shiftedIfAny(steps.slopes, slice.firstHead);
    own.biases = shiftedIfAny(steps.biases, std::int64_t{slice.firstHead} * kOffsets);
    own.sinks = shiftedIfAny(steps.sinks, slice.firstHead);
    return own;
}

CoreGradients sliceOfGradients(const CoreGradients& to,
                               const CoreSize& size,
                               const ScoreSlice& slice)
{
    const std::int64_t keyRow = slice.firstSequence * size.fresh;
    const std::int64_t keyHead = slice.firstHead / size.groupSize;
    CoreGradients own = to;
    own.queries +=
        firstRow(size, slice) * to.queryStride + std::int64_t{slice.firstHead} * size.keyDim;
    own.keys += keyRow * to.keyStride + keyHead * size.keyDim;
    own.values += keyRow * to.valueStride + keyHead * size.valueDim;
    own.sinks = shiftedIfAny(to.sinks, slice.firstHead);
    own.biases = shiftedIfAny(to.biases, std::int64_t{slice.firstHead} * kOffsets);
    return own;
}

} // namespace flopsmith::cuda
