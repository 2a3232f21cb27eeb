// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/mixer/scan/scan.h"

#include "core/kernels/cpu/gemm/product.h"
#include "core/kernels/cpu/simd/row_math.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

// Rows of a chunk whose products with earlier tokens are one product: of the square above the
// diagonal only what such a block touches is multiplied.
constexpr std::int64_t kRowsTogether = 64;

std::size_t asSize(std::int64_t count)
{
    return static_cast<std::size_t>(count);
}

} // namespace

std::size_t ChunkFactors::floats(const ScanPlan& plan)
{
    return 3 * wholeLines(asSize(plan.chunk)) + 2 * wholeLines(asSize(plan.chunk * plan.headDim))
        + wholeLines(asSize(plan.chunk * plan.chunk));
}

ChunkFactors ChunkFactors::in(const ScanPlan& plan, float* scratch)
{
    const auto take = [&scratch](std::int64_t count) {
        float* const first = scratch;
        scratch += wholeLines(asSize(count));
        return first;
    };
    ChunkFactors factors{};
    factors.sums = take(plan.chunk);
    factors.carried = take(plan.chunk);
    factors.toEnd = take(plan.chunk);
    factors.u = take(plan.chunk * plan.headDim);
    factors.product = take(plan.chunk * plan.headDim);
    factors.pairs = take(plan.chunk * plan.chunk);
    return factors;
}

void ChunkFactors::fillSums(const ScanPlan& plan,
                            const ScanInput& input,
                            std::int64_t first,
                            std::int64_t length,
                            std::int64_t head) const
{
    float sum = 0.0F;
    for (std::int64_t i = 0; i < length; ++i) {
        sum += input.steps[(first + i) * plan.heads + head] * input.decays[head];
        sums[i] = sum;
    }
    transform(sums, carried, asSize(length), [](Lanes s, std::size_t) { return expOfSmall(s); });
}

void ChunkFactors::fill(const ScanPlan& plan,
                        const ScanInput& input,
                        std::int64_t first,
                        std::int64_t length,
                        std::int64_t head) const
{
    fillSums(plan, input, first, length, head);
    for (std::int64_t i = 0; i < length; ++i) {
        const float step = input.steps[(first + i) * plan.heads + head];
        transform(input.inputs + (first + i) * plan.channels + plan.xAt(head),
                  u + i * plan.headDim,
                  asSize(plan.headDim),
                  [step](Lanes x, std::size_t) { return step * x; });
    }
    const float last = sums[length - 1];
    transform(
        sums, toEnd, asSize(length), [last](Lanes s, std::size_t) { return expOfSmall(last - s); });
    for (std::int64_t i = 0; i < length; ++i) {
        float* row = pairs + i * length;
        const float own = sums[i];
        transform(
            sums, row, asSize(i + 1), [own](Lanes s, std::size_t) { return expOfSmall(own - s); });
        std::fill(row + i + 1, row + length, 0.0F);
    }
}

Scan::Scan(const ScanPlan& plan, Threads threads, bool isKept)
    : m_plan(plan)
    , m_threads(threadsFor(threads, 4 * plan.tokens * plan.heads * plan.matrix()))
    , m_isKept(isKept)
    , m_scores(plan.chunked
                   ? bufferSize(plan.sequences * plan.chunks * plan.groups, plan.chunk * plan.chunk)
                   : 0)
    , m_working(bufferSize(plan.sequences * plan.heads, plan.matrix()))
    , m_kept(isKept ? bufferSize(plan.sequences * plan.chunks * plan.heads, plan.matrix()) : 0)
    , m_scratch(plan.chunked ? ChunkFactors::floats(plan) * asSize(threads.count) : 0)
{}

std::int64_t Scan::scoresAt(std::int64_t sequence, std::int64_t chunk, std::int64_t group) const
{
    const std::int64_t at = (sequence * m_plan.chunks + chunk) * m_plan.groups + group;
    return at * m_plan.chunk * m_plan.chunk;
}

std::int64_t Scan::keptAt(std::int64_t sequence, std::int64_t chunk, std::int64_t head) const
{
    const std::int64_t at = (sequence * m_plan.chunks + chunk) * m_plan.heads + head;
    return at * m_plan.matrix();
}

const float* Scan::scores(std::int64_t sequence, std::int64_t chunk, std::int64_t group) const
{
    return m_scores.data() + scoresAt(sequence, chunk, group);
}

const float* Scan::stateAfter(std::int64_t sequence, std::int64_t chunk, std::int64_t head) const
{
    return chunk < 0 ? nullptr : m_kept.data() + keptAt(sequence, chunk, head);
}

void Scan::run(const ScanInput& input, float* y)
{
    if (m_plan.chunked) {
        computeScores(input);
    }
    const std::size_t own = m_plan.chunked ? ChunkFactors::floats(m_plan) : 0;
    shareOut(m_threads, m_plan.sequences * m_plan.heads, [&](std::int64_t i, int thread) {
        runHead(input,
                i / m_plan.heads,
                i % m_plan.heads,
                m_scratch.data() + own * static_cast<std::size_t>(thread),
                y);
    });
}

void Scan::computeScores(const ScanInput& input)
{
    const std::int64_t perSequence = m_plan.chunks * m_plan.groups;
    shareOut(m_threads, m_plan.sequences * perSequence, [&](std::int64_t i, int /*thread*/) {
        const std::int64_t sequence = i / perSequence;
        const std::int64_t chunk = i % perSequence / m_plan.groups;
        const std::int64_t group = i % m_plan.groups;
        const std::int64_t length = m_plan.lengthOf(chunk);
        const float* rows = input.inputs + m_plan.firstOf(sequence, chunk) * m_plan.channels;
        multiply({length, m_plan.state, length},
                 {rows + m_plan.cAt(group), m_plan.channels},
                 {rows + m_plan.bAt(group), m_plan.channels},
                 Stored::transposed,
                 {m_scores.data() + scoresAt(sequence, chunk, group), length});
    });
}

void Scan::runHead(const ScanInput& input,
                   std::int64_t sequence,
                   std::int64_t head,
                   float* scratch,
                   float* y)
{
    const std::int64_t size = m_plan.matrix();
    float* state = m_working.data() + (sequence * m_plan.heads + head) * size;
    if (input.cached.empty()) {
        std::fill_n(state, size, 0.0F);
    } else {
        std::copy_n(input.cached.data() + (sequence * m_plan.heads + head) * size, size, state);
    }
    for (std::int64_t chunk = 0; chunk < m_plan.chunks; ++chunk) {
        if (m_plan.chunked) {
            runChunk(input, sequence, chunk, head, ChunkFactors::in(m_plan, scratch), state, y);
        } else {
            runTokens(
                input, m_plan.firstOf(sequence, chunk), m_plan.lengthOf(chunk), head, state, y);
        }
        if (m_isKept) {
            std::copy_n(state, size, m_kept.data() + keptAt(sequence, chunk, head));
        }
    }
}

void Scan::runTokens(const ScanInput& input,
                     std::int64_t first,
                     std::int64_t length,
                     std::int64_t head,
                     float* state,
                     float* y) const
{
    const std::int64_t group = m_plan.groupOf(head);
    const auto width = asSize(m_plan.state);
    for (std::int64_t t = first; t < first + length; ++t) {
        const float* row = input.inputs + t * m_plan.channels;
        const float* b = row + m_plan.bAt(group);
        const float* c = row + m_plan.cAt(group);
        const float step = input.steps[t * m_plan.heads + head];
        const float decay = expOfSmall(all(step * input.decays[head]))[0];
        for (std::int64_t f = 0; f < m_plan.headDim; ++f) {
            const float x = row[m_plan.xAt(head) + f];
            const float u = step * x;
            float* own = state + f * m_plan.state;
            combine(
                own, b, own, width, [decay, u](Lanes s, Lanes key) { return decay * s + u * key; });
            y[t * m_plan.inner + head * m_plan.headDim + f] =
                dotOfRows(own, c, width) + input.skips[head] * x;
        }
    }
}

void Scan::runChunk(const ScanInput& input,
                    std::int64_t sequence,
                    std::int64_t index,
                    std::int64_t head,
                    const ChunkFactors& factors,
                    float* state,
                    float* y) const
{
    const std::int64_t first = m_plan.firstOf(sequence, index);
    const std::int64_t length = m_plan.lengthOf(index);
    const std::int64_t h = m_plan.headDim;
    const std::int64_t group = m_plan.groupOf(head);
    const float* rows = input.inputs + first * m_plan.channels;
    float* out = y + first * m_plan.inner + head * h;
    factors.fill(m_plan, input, first, length, head);
    const float carriedToEnd = factors.carried[length - 1];

    multiply({length, m_plan.state, h},
             {rows + m_plan.cAt(group), m_plan.channels},
             {state, m_plan.state},
             Stored::transposed,
             {factors.product, h});
    for (std::int64_t i = 0; i < length; ++i) {
        const float carried = factors.carried[i];
        const float skip = input.skips[head];
        combine(factors.product + i * h,
                rows + i * m_plan.channels + m_plan.xAt(head),
                out + i * m_plan.inner,
                asSize(h),
                [carried, skip](Lanes before, Lanes x) { return carried * before + skip * x; });
    }
    const float* scores = this->scores(sequence, index, group);
    for (std::int64_t i = 0; i < length; ++i) {
        float* row = factors.pairs + i * length;
        combine(row, scores + i * length, row, asSize(i + 1), [](Lanes decay, Lanes score) {
            return decay * score;
        });
    }
    for (std::int64_t begin = 0; begin < length; begin += kRowsTogether) {
        const std::int64_t end = std::min(length, begin + kRowsTogether);
        multiply({end - begin, end, h},
                 {factors.pairs + begin * length, length},
                 {factors.u, h},
                 Stored::notTransposed,
                 {out + begin * m_plan.inner, m_plan.inner},
                 Into::accumulate);
    }
    for (std::int64_t j = 0; j < length; ++j) {
        scaleRow(factors.u + j * h, h, factors.toEnd[j]);
    }
    scaleRow(state, m_plan.matrix(), carriedToEnd);
    multiplyTransposed({h, length, m_plan.state},
                       {factors.u, h},
                       {rows + m_plan.bAt(group), m_plan.channels},
                       {state, m_plan.state},
                       Into::accumulate);
}

} // namespace flopsmith::cpu
