// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/mixer/scan/scan_backward.h"

#include "core/kernels/cpu/gemm/product.h"
#include "core/kernels/cpu/simd/row_math.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

std::size_t sizeOf(std::int64_t count)
{
    return static_cast<std::size_t>(count);
}

// sum += factor·row
void addScaled(const float* row, float factor, float* sum, std::int64_t count)
{
    combine(sum, row, sum, sizeOf(count), [factor](Lanes total, Lanes value) {
        return total + factor * value;
    });
}

} // namespace

ScanBackward::ScanBackward(const ScanPlan& plan, Threads threads)
    : m_plan(plan)
    , m_threads(threadsFor(threads, 8 * plan.tokens * plan.heads * plan.matrix()))
    , m_dStates(bufferSize(plan.sequences * plan.chunks * plan.heads, plan.matrix()))
    , m_partials(bufferSize(plan.sequences * plan.chunks, 2 * plan.heads))
    , m_scratch(scratchFloats(plan) * sizeOf(threads.count))
{}

std::size_t ScanBackward::scratchFloats(const ScanPlan& plan)
{
    const std::size_t pairs = wholeLines(sizeOf(plan.chunk * plan.chunk));
    const std::size_t rows = wholeLines(sizeOf(plan.chunk * plan.headDim));
    return plan.chunked ? ChunkFactors::floats(plan) + 3 * pairs + 2 * rows
                        : wholeLines(sizeOf((plan.chunk + 1) * plan.matrix()));
}

ScanBackward::Scratch ScanBackward::scratchOf(int thread)
{
    float* at = m_scratch.data() + scratchFloats(m_plan) * sizeOf(thread);
    if (!m_plan.chunked) {
        return {.factors = {},
                .mixing = {},
                .products = {},
                .dScores = {},
                .dU = {},
                .rows = {},
                .states = at};
    }
    Scratch scratch{};
    scratch.factors = ChunkFactors::in(m_plan, at);
    at += ChunkFactors::floats(m_plan);
    const auto take = [&at](std::int64_t count) {
        float* const first = at;
        at += wholeLines(sizeOf(count));
        return first;
    };
    scratch.mixing = take(m_plan.chunk * m_plan.chunk);
    scratch.products = take(m_plan.chunk * m_plan.chunk);
    scratch.dScores = take(m_plan.chunk * m_plan.chunk);
    scratch.dU = take(m_plan.chunk * m_plan.headDim);
    scratch.rows = take(m_plan.chunk * m_plan.headDim);
    return scratch;
}

float* ScanBackward::stateGradient(std::int64_t sequence, std::int64_t chunk, std::int64_t head)
{
    const std::int64_t at = (sequence * m_plan.chunks + chunk) * m_plan.heads + head;
    return m_dStates.data() + at * m_plan.matrix();
}

float* ScanBackward::partialOf(std::int64_t sequence, std::int64_t chunk)
{
    return m_partials.data() + (sequence * m_plan.chunks + chunk) * 2 * m_plan.heads;
}

void ScanBackward::run(const ScanInput& input,
                       const Scan& scan,
                       const float* y,
                       const float* dy,
                       const ScanGradients& gradients)
{
    const Pass pass{input, scan, y, dy, gradients};
    std::fill_n(m_partials.data(), m_partials.size(), 0.0F);
    const std::int64_t allHeads = m_plan.sequences * m_plan.heads;
    if (!m_plan.chunked) {
        const std::int64_t perGroup = m_plan.heads / m_plan.groups;
        shareOut(m_threads, m_plan.sequences * m_plan.groups, [&](std::int64_t i, int thread) {
            const std::int64_t first = i % m_plan.groups * perGroup;
            for (std::int64_t head = first; head < first + perGroup; ++head) {
                tokensBackward(pass, i / m_plan.groups, head, scratchOf(thread));
            }
        });
    } else {
        shareOut(m_threads, allHeads, [&](std::int64_t i, int thread) {
            stateGradients(pass, i / m_plan.heads, i % m_plan.heads, scratchOf(thread));
        });
        const std::int64_t perSequence = m_plan.chunks * m_plan.groups;
        shareOut(m_threads, m_plan.sequences * perSequence, [&](std::int64_t i, int thread) {
            chunkBackward(pass,
                          i / perSequence,
                          i % perSequence / m_plan.groups,
                          i % m_plan.groups,
                          scratchOf(thread));
        });
    }
    sumPartials(pass);
}

// From the last chunk to the first: dS ← e^s_c·dS + Σ_i e^s_i·dy_i·C_iᵀ.
void ScanBackward::stateGradients(const Pass& pass,
                                  std::int64_t sequence,
                                  std::int64_t head,
                                  const Scratch& s)
{
    const std::int64_t h = m_plan.headDim;
    const std::int64_t size = m_plan.matrix();
    std::fill_n(stateGradient(sequence, m_plan.chunks - 1, head), size, 0.0F);
    for (std::int64_t index = m_plan.chunks - 1; index > 0; --index) {
        const std::int64_t first = m_plan.firstOf(sequence, index);
        const std::int64_t length = m_plan.lengthOf(index);
        float* before = stateGradient(sequence, index - 1, head);
        s.factors.fillSums(m_plan, pass.input, first, length, head);
        std::copy_n(stateGradient(sequence, index, head), size, before);
        scaleRow(before, size, s.factors.carried[length - 1]);
        for (std::int64_t i = 0; i < length; ++i) {
            copyRow(pass.dy + (first + i) * m_plan.inner + head * h, s.rows + i * h, h);
            scaleRow(s.rows + i * h, h, s.factors.carried[i]);
        }
        multiplyTransposed(
            {h, length, m_plan.state},
            {s.rows, h},
            {pass.input.inputs + first * m_plan.channels + m_plan.cAt(m_plan.groupOf(head)),
             m_plan.channels},
            {before, m_plan.state},
            Into::accumulate);
    }
}

void ScanBackward::chunkBackward(const Pass& pass,
                                 std::int64_t sequence,
                                 std::int64_t index,
                                 std::int64_t group,
                                 const Scratch& s)
{
    const std::int64_t first = m_plan.firstOf(sequence, index);
    const std::int64_t length = m_plan.lengthOf(index);
    const std::int64_t perGroup = m_plan.heads / m_plan.groups;
    const float* rows = pass.input.inputs + first * m_plan.channels;
    float* gradients = pass.to.inputs + first * m_plan.channels;
    std::fill_n(s.dScores, length * length, 0.0F);
    for (std::int64_t i = 0; i < length; ++i) {
        std::fill_n(gradients + i * m_plan.channels + m_plan.bAt(group), m_plan.state, 0.0F);
        std::fill_n(gradients + i * m_plan.channels + m_plan.cAt(group), m_plan.state, 0.0F);
    }
    for (std::int64_t head = group * perGroup; head < (group + 1) * perGroup; ++head) {
        headOfChunk(pass, sequence, index, head, s);
    }
    multiply({length, length, m_plan.state},
             {s.dScores, length},
             {rows + m_plan.bAt(group), m_plan.channels},
             Stored::notTransposed,
             {gradients + m_plan.cAt(group), m_plan.channels},
             Into::accumulate);
    multiplyTransposed({length, length, m_plan.state},
                       {s.dScores, length},
                       {rows + m_plan.cAt(group), m_plan.channels},
                       {gradients + m_plan.bAt(group), m_plan.channels},
                       Into::accumulate);
}

void ScanBackward::headOfChunk(const Pass& pass,
                               std::int64_t sequence,
                               std::int64_t index,
                               std::int64_t head,
                               const Scratch& s)
{
    const std::int64_t first = m_plan.firstOf(sequence, index);
    const std::int64_t length = m_plan.lengthOf(index);
    const std::int64_t h = m_plan.headDim;
    const std::int64_t group = m_plan.groupOf(head);
    const float* rows = pass.input.inputs + first * m_plan.channels;
    const float* dy = pass.dy + first * m_plan.inner + head * h;
    float* gradients = pass.to.inputs + first * m_plan.channels;
    const float* dState = stateGradient(sequence, index, head);
    const float* scores = pass.scan.scores(sequence, index, group);
    s.factors.fill(m_plan, pass.input, first, length, head);

    multiply({length, h, length},
             {dy, m_plan.inner},
             {s.factors.u, h},
             Stored::transposed,
             {s.products, length});
    for (std::int64_t i = 0; i < length; ++i) {
        const float* pairs = s.factors.pairs + i * length;
        combine(pairs,
                scores + i * length,
                s.mixing + i * length,
                sizeOf(length),
                [](Lanes decay, Lanes score) { return decay * score; });
        combine(pairs,
                s.products + i * length,
                s.products + i * length,
                sizeOf(length),
                [](Lanes decay, Lanes product) { return decay * product; });
        addScaled(s.products + i * length, 1.0F, s.dScores + i * length, i + 1);
    }
    multiplyTransposed({length, length, h}, {s.mixing, length}, {dy, m_plan.inner}, {s.dU, h});

    multiply({length, m_plan.state, h},
             {rows + m_plan.bAt(group), m_plan.channels},
             {dState, m_plan.state},
             Stored::transposed,
             {s.rows, h});
    for (std::int64_t j = 0; j < length; ++j) {
        addScaled(s.rows + j * h, s.factors.toEnd[j], s.dU + j * h, h);
    }
    stepsOfChunk(pass, sequence, index, head, s);

    for (std::int64_t j = 0; j < length; ++j) { // U is not needed any more
        scaleRow(s.factors.u + j * h, h, s.factors.toEnd[j]);
        copyRow(dy + j * m_plan.inner, s.rows + j * h, h);
        scaleRow(s.rows + j * h, h, s.factors.carried[j]);
    }
    multiply({length, h, m_plan.state},
             {s.factors.u, h},
             {dState, m_plan.state},
             Stored::notTransposed,
             {gradients + m_plan.bAt(group), m_plan.channels},
             Into::accumulate);
    if (const float* before = pass.scan.stateAfter(sequence, index - 1, head)) {
        multiply({length, h, m_plan.state},
                 {s.rows, h},
                 {before, m_plan.state},
                 Stored::notTransposed,
                 {gradients + m_plan.cAt(group), m_plan.channels},
                 Into::accumulate);
    }
}

// ⟨dy, y − D·x⟩ − ⟨U, dU⟩, and ⟨dS, S⟩ at the end, are what the sums of Δ·A get.
void ScanBackward::stepsOfChunk(const Pass& pass,
                                std::int64_t sequence,
                                std::int64_t index,
                                std::int64_t head,
                                const Scratch& s)
{
    const std::int64_t first = m_plan.firstOf(sequence, index);
    const std::int64_t length = m_plan.lengthOf(index);
    const std::int64_t h = m_plan.headDim;
    const auto width = sizeOf(h);
    const float skip = pass.input.skips[head];
    const float decay = pass.input.decays[head];
    float dDecay = 0.0F;
    float dSkip = 0.0F;
    float dExponent = dotOfRows(stateGradient(sequence, index, head),
                                pass.scan.stateAfter(sequence, index, head),
                                sizeOf(m_plan.matrix()));
    for (std::int64_t i = length; i-- > 0;) {
        const std::int64_t t = first + i;
        const float* x = pass.input.inputs + t * m_plan.channels + m_plan.xAt(head);
        const float* dy = pass.dy + t * m_plan.inner + head * h;
        const float* dU = s.dU + i * h;
        const float step = pass.input.steps[t * m_plan.heads + head];
        const float alongSkip = dotOfRows(dy, x, width);
        const float alongX = dotOfRows(x, dU, width);
        const float alongY = dotOfRows(dy, pass.y + t * m_plan.inner + head * h, width);
        dExponent += alongY - skip * alongSkip - step * alongX;
        pass.to.steps[t * m_plan.heads + head] = dExponent * decay + alongX;
        dDecay += dExponent * step;
        dSkip += alongSkip;
        combine(dU,
                dy,
                pass.to.inputs + t * m_plan.channels + m_plan.xAt(head),
                width,
                [step, skip](Lanes through, Lanes gradient) {
                    return step * through + skip * gradient;
                });
    }
    partialOf(sequence, index)[head] = dDecay;
    partialOf(sequence, index)[m_plan.heads + head] = dSkip;
}

void ScanBackward::tokensBackward(const Pass& pass,
                                  std::int64_t sequence,
                                  std::int64_t head,
                                  const Scratch& s)
{
    const std::int64_t size = m_plan.matrix();
    const std::int64_t group = m_plan.groupOf(head);
    const bool begins = head % (m_plan.heads / m_plan.groups) == 0;
    float* dState = stateGradient(sequence, 0, head);
    std::fill_n(dState, size, 0.0F);
    for (std::int64_t index = m_plan.chunks; index-- > 0;) {
        const std::int64_t first = m_plan.firstOf(sequence, index);
        const std::int64_t length = m_plan.lengthOf(index);
        const auto decayOf = [&](std::int64_t t) {
            return expOfSmall(
                all(pass.input.steps[t * m_plan.heads + head] * pass.input.decays[head]))[0];
        };
        const float* kept = pass.scan.stateAfter(sequence, index - 1, head);
        kept == nullptr ? std::fill_n(s.states, size, 0.0F) : std::copy_n(kept, size, s.states);
        for (std::int64_t i = 0; i < length; ++i) { // the states again, token by token
            const std::int64_t t = first + i;
            const float* row = pass.input.inputs + t * m_plan.channels;
            const float step = pass.input.steps[t * m_plan.heads + head];
            const float decay = decayOf(t);
            for (std::int64_t f = 0; f < m_plan.headDim; ++f) {
                const float u = step * row[m_plan.xAt(head) + f];
                combine(s.states + i * size + f * m_plan.state,
                        row + m_plan.bAt(group),
                        s.states + (i + 1) * size + f * m_plan.state,
                        sizeOf(m_plan.state),
                        [decay, u](Lanes state, Lanes key) { return decay * state + u * key; });
            }
        }
        for (std::int64_t i = length; i-- > 0;) {
            const std::int64_t t = first + i;
            if (begins) {
                float* row = pass.to.inputs + t * m_plan.channels;
                std::fill_n(row + m_plan.bAt(group), m_plan.state, 0.0F);
                std::fill_n(row + m_plan.cAt(group), m_plan.state, 0.0F);
            }
            tokenOfHead(pass,
                        sequence,
                        t,
                        head,
                        s.states + i * size,
                        s.states + (i + 1) * size,
                        dState,
                        decayOf(t));
        }
    }
}

void ScanBackward::tokenOfHead(const Pass& pass,
                               std::int64_t sequence,
                               std::int64_t t,
                               std::int64_t head,
                               const float* before,
                               const float* after,
                               float* dState,
                               float decay)
{
    const std::int64_t group = m_plan.groupOf(head);
    const auto width = sizeOf(m_plan.state);
    const float* row = pass.input.inputs + t * m_plan.channels;
    const float* dy = pass.dy + t * m_plan.inner + head * m_plan.headDim;
    float* gradient = pass.to.inputs + t * m_plan.channels;
    const float step = pass.input.steps[t * m_plan.heads + head];
    float dDecayed = 0.0F;
    float alongX = 0.0F;
    float alongSkip = 0.0F;
    for (std::int64_t f = 0; f < m_plan.headDim; ++f) {
        const float x = row[m_plan.xAt(head) + f];
        float* own = dState + f * m_plan.state;
        addScaled(row + m_plan.cAt(group), dy[f], own, m_plan.state);
        addScaled(after + f * m_plan.state, dy[f], gradient + m_plan.cAt(group), m_plan.state);
        addScaled(own, step * x, gradient + m_plan.bAt(group), m_plan.state);
        const float dU = dotOfRows(own, row + m_plan.bAt(group), width);
        dDecayed += dotOfRows(own, before + f * m_plan.state, width);
        alongX += x * dU;
        alongSkip += x * dy[f];
        gradient[m_plan.xAt(head) + f] = step * dU + pass.input.skips[head] * dy[f];
        scaleRow(own, m_plan.state, decay);
    }
    const float dExponent = decay * dDecayed;
    pass.to.steps[t * m_plan.heads + head] = dExponent * pass.input.decays[head] + alongX;
    partialOf(sequence, 0)[head] += dExponent * step;
    partialOf(sequence, 0)[m_plan.heads + head] += alongSkip;
}

void ScanBackward::sumPartials(const Pass& pass)
{
    for (std::int64_t head = 0; head < m_plan.heads; ++head) {
        float dDecay = 0.0F;
        float dSkip = 0.0F;
        for (std::int64_t i = 0; i < m_plan.sequences * m_plan.chunks; ++i) {
            dDecay += m_partials.data()[i * 2 * m_plan.heads + head];
            dSkip += m_partials.data()[i * 2 * m_plan.heads + m_plan.heads + head];
        }
        pass.to.logDecays[sizeOf(head)] = dDecay * pass.input.decays[head];
        pass.to.skips[sizeOf(head)] = dSkip;
    }
}

} // namespace flopsmith::cpu
