// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn/kronecker/kronecker_layer.h"

#include "core/kernels/cpu/linear/linear_backward.h"
#include "core/kernels/cpu/simd/activation.h"
#include "core/kernels/cpu/simd/lanes.h"
#include "core/kernels/cpu/threads/parallel.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

constexpr std::int64_t kRowGrain = 16;

} // namespace

// Right first: X [in₁, in₂] → [in₁, (r, out₂)], which is [(in₁, r), out₂] → [out₁, out₂].
// Left first: X → [(out₁, r), in₂], which is [out₁, (r, in₂)] → [out₁, out₂].
// In both the second product finds the terms stacked, and sums over them on the way.
KroneckerLayer::KroneckerLayer(const KroneckerMatrix& matrix,
                               const std::vector<int>& columnsOfA,
                               const std::vector<int>& columnsOfB,
                               WeightView<float> tensors,
                               bool bias,
                               Passes passes,
                               Precision precision)
    : m_bias(bias ? tensors[2].data() : nullptr)
{
    const KroneckerFactor& a = matrix.a;
    const KroneckerFactor& b = matrix.b;
    const std::int64_t rank = a.rank;
    const float* ofA = tensors[0].data();
    const float* ofB = tensors[1].data();
    if (matrix.order() == KroneckerOrder::rightFirst) {
        const FactorPlaces besideOneAnother{.columnOfTerm = b.out};
        const FactorPlaces termsInnermost{.row = rank, .rowOfTerm = 1};
        m_tensorOfFirst = 1;
        m_first = makeFactor({Side::right, b, besideOneAnother, a.in, columnsOfB, ofB, precision},
                             passes);
        m_second =
            makeFactor({Side::left, a, termsInnermost, b.out, columnsOfA, ofA, precision}, passes);
    } else {
        const FactorPlaces termsInnermost{.column = rank, .columnOfTerm = 1};
        const FactorPlaces belowOneAnother{.rowOfTerm = b.in};
        m_tensorOfFirst = 0;
        m_first =
            makeFactor({Side::left, a, termsInnermost, b.in, columnsOfA, ofA, precision}, passes);
        m_second = makeFactor({Side::right, b, belowOneAnother, a.out, columnsOfB, ofB, precision},
                              passes);
    }
}

KroneckerLayer& KroneckerLayer::activatedBy(Activation activation)
{
    m_activation = activation;
    return *this;
}

std::int64_t KroneckerLayer::scratchElements() const
{
    return std::max(m_first->scratchElements(), m_second->scratchElements());
}

// Bias and activation on some elements of [tokens, out], token by token.
void KroneckerLayer::activate(float* y, const Range& elements) const
{
    for (std::int64_t i = elements.first; i < elements.last;) {
        const std::int64_t feature = i % outputs();
        const std::int64_t last = std::min(elements.last, i - feature + outputs());
        addBiasAndActivate(m_activation,
                           m_bias == nullptr ? nullptr : m_bias + feature,
                           y + i,
                           static_cast<std::size_t>(last - i));
        i = last;
    }
}

void KroneckerLayer::forward(const float* x,
                             float* between,
                             float* y,
                             std::int64_t tokens,
                             Threads threads,
                             float* scratch) const
{
    const std::int64_t each = scratchElements();
    const Threads firstBusy = threadsFor(threads, tokens * m_first->macsPerToken());
    onThreads(firstBusy, [&](int part) {
        const std::int64_t rows = tokens * m_first->outputRows();
        m_first->forward(
            x, between, partOf(rows, firstBusy.count, part, kRowGrain), scratch + part * each);
    });
    const Threads secondBusy = threadsFor(threads, tokens * m_second->macsPerToken());
    onThreads(secondBusy, [&](int part) {
        const std::int64_t rows = tokens * m_second->outputRows();
        const Range mine = partOf(rows, secondBusy.count, part, kRowGrain);
        m_second->forward(between, y, mine, scratch + part * each);
        const std::int64_t length = m_second->outputRowLength();
        activate(y, {mine.first * length, mine.last * length});
    });
}

std::array<std::int64_t, 3> KroneckerLayer::gradientElements() const
{
    std::array<std::int64_t, 3> elements{};
    elements[m_tensorOfFirst] = m_first->gradientElements();
    elements[1 - m_tensorOfFirst] = m_second->gradientElements();
    elements[2] = m_bias == nullptr ? 0 : outputs();
    return elements;
}

void KroneckerLayer::backward(
    const float* x,
    const float* between,
    const float* dy,
    float* dBetween,
    float* dx,
    std::int64_t tokens,
    Threads threads,
    const Gradients& gradients,
    Into into,
    float* scratch) const // NOLINT(readability-non-const-parameter): written
{
    const std::int64_t each = scratchElements();
    // Through one product: the gradients of its entries, then the gradient of its input.
    const auto through = [&](const FactorProduct& product,
                             const float* from,
                             const float* dTo,
                             float* dFrom,
                             float* gradient,
                             const Threads& busy,
                             int part) {
        const auto mine = [&](std::int64_t rows) {
            return partOf(rows, busy.count, part, kRowGrain);
        };
        float* const own = scratch + part * each;
        product.backwardEntries(
            from, dTo, tokens, mine(product.gradientRows()), gradient, into, own);
        product.backwardInput(dTo, dFrom, mine(tokens * product.inputRows()), own);
    };
    const Threads secondBusy = threadsFor(threads, 2 * tokens * m_second->macsPerToken());
    onThreads(secondBusy, [&](int part) {
        float* gradient = gradients[1 - m_tensorOfFirst];
        through(*m_second, between, dy, dBetween, gradient, secondBusy, part);
        if (m_bias != nullptr) {
            const Range mine = partOf(outputs(), secondBusy.count, part, kLanes);
            if (into == Into::overwrite) {
                std::fill_n(gradients[2] + mine.first, mine.size(), 0.0F);
            }
            sumRows(dy, tokens, outputs(), mine, gradients[2]);
        }
    });
    const Threads firstBusy = threadsFor(threads, 2 * tokens * m_first->macsPerToken());
    onThreads(firstBusy, [&](int part) {
        through(*m_first, x, dBetween, dx, gradients[m_tensorOfFirst], firstBusy, part);
    });
}

void KroneckerLayer::unpack(std::size_t tensor, const float* gradient, float* to, Into into) const
{
    if (tensor < 2) {
        (tensor == m_tensorOfFirst ? m_first : m_second)->unpack(gradient, to, into);
        return;
    }
    for (std::int64_t i = 0; i < outputs(); ++i) {
        to[i] = into == Into::accumulate ? to[i] + gradient[i] : gradient[i];
    }
}

bool KroneckerLayer::needsUnpacking(std::size_t tensor) const
{
    return tensor < 2 && (tensor == m_tensorOfFirst ? m_first : m_second)->gradientNeedsUnpacking();
}

} // namespace flopsmith::cpu
