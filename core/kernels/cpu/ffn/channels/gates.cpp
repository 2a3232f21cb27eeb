// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn/channels/gates.h"

#include "core/kernels/cpu/simd/activation.h"

#include <algorithm>

namespace flopsmith::cpu {

Gates::Gates(const ComposedFfn& ffn, int dModel, WeightView<float> weights)
    : m_kind(ffn.gate)
    , m_dModel(static_cast<std::size_t>(dModel))
    , m_weights(ffn.gate == GateKind::none ? nullptr : weights[0].data())
    , m_factors(static_cast<std::size_t>(count(ffn, dModel)))
{}

std::int64_t Gates::count(const ComposedFfn& ffn, int dModel)
{
    const auto stages = static_cast<std::int64_t>(ffn.stages.size());
    switch (ffn.gate) {
    case GateKind::none: return 0;
    case GateKind::scalar: return stages;
    case GateKind::channel: return stages * dModel;
    }
    return 0;
}

void Gates::update()
{
    std::copy_n(m_weights, m_factors.size(), m_factors.data());
    sigmoidRow(m_factors.data(), m_factors.size());
}

std::span<const float> Gates::factors(std::size_t stage) const
{
    switch (m_kind) {
    case GateKind::none: return {};
    case GateKind::scalar: return m_factors.span().subspan(stage, 1);
    case GateKind::channel: return m_factors.span().subspan(stage * m_dModel, m_dModel);
    }
    return {};
}

void gateRow(const Gates& gates,
             std::size_t stage,
             const float* base,
             const float* term,
             float* sum,
             std::size_t d)
{
    gates.with(stage, [&](const auto& whole, const auto& some) {
        along(
            d,
            [&](std::size_t i) {
                const Lanes scaled = whole(i) * load(term + i);
                store(sum + i, base == nullptr ? scaled : load(base + i) + scaled);
            },
            [&](std::size_t i, std::size_t n) {
                const Lanes scaled = some(i, n) * loadSome(term + i, n);
                storeSome(sum + i, base == nullptr ? scaled : loadSome(base + i, n) + scaled, n);
            });
    });
}

void subtractRow(const float* a, const float* b, float* to, std::size_t count)
{
    along(
        count,
        [&](std::size_t i) { store(to + i, load(a + i) - load(b + i)); },
        [&](std::size_t i, std::size_t n) {
            storeSome(to + i, loadSome(a + i, n) - loadSome(b + i, n), n);
        });
}

void addRow(const float* a, const float* b, float* to, std::size_t count)
{
    along(
        count,
        [&](std::size_t i) { store(to + i, load(a + i) + load(b + i)); },
        [&](std::size_t i, std::size_t n) {
            storeSome(to + i, loadSome(a + i, n) + loadSome(b + i, n), n);
        });
}

void addProductRow(const float* a, const float* b, float* sums, std::size_t count)
{
    along(
        count,
        [&](std::size_t i) { store(sums + i, load(sums + i) + load(a + i) * load(b + i)); },
        [&](std::size_t i, std::size_t n) {
            const Lanes product = loadSome(a + i, n) * loadSome(b + i, n);
            storeSome(sums + i, loadSome(sums + i, n) + product, n);
        });
}

} // namespace flopsmith::cpu
