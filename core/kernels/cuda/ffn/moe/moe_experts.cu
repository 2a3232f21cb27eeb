// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/ffn/moe/moe_experts.h"

#include "core/kernels/cuda/block/gate.cuh"

namespace flopsmith::cuda {
namespace {

// hidden = act(first + bias), or act(first + bias) ⊙ (second + bias). With `keeps`, the biased
// values are saved in `first` and `second` for the backward pass.
template <class Value>
struct Hide
{
    Gate gated;
    bool keeps;
    std::int64_t columns;
    const int* expertOfRow;
    const float* const* firstBiases;
    const float* const* secondBiases;
    Value* first;
    Value* second; ///< null unless gated
    Value* hidden;

    static __device__ float biasAt(const float* const* biases, int expert, std::int64_t column)
    {
        return biases == nullptr ? 0.0F : biases[expert][column];
    }

    template <int N>
    __device__ void operator()(std::int64_t row, std::int64_t column, Width<N>) const
    {
        const std::int64_t at = row * columns + column;
        const int expert = expertOfRow[row];
        Pack<float, N> before = load<N>(first + at);
        Pack<float, N> after;
        for (int i = 0; i < N; ++i) {
            before.at[i] += biasAt(firstBiases, expert, column + i);
            after.at[i] = gated.opened(before.at[i]);
        }
        if (second != nullptr) {
            Pack<float, N> factors = load<N>(second + at);
            for (int i = 0; i < N; ++i) {
                factors.at[i] += biasAt(secondBiases, expert, column + i);
                after.at[i] *= gated.factor(factors.at[i]);
            }
            if (keeps) {
                store<N>(second + at, factors);
            }
        }
        if (keeps) {
            store<N>(first + at, before);
        }
        store<N>(hidden + at, after);
    }
};

// Turns the gradient of the hidden layer in `dFirst` into dFirst, in place, and dSecond.
template <class Value>
struct HideBackward
{
    Gate gated;
    std::int64_t columns;
    const Value* first;
    const Value* second;
    Value* dFirst;
    Value* dSecond;

    template <int N>
    __device__ void operator()(std::int64_t row, std::int64_t column, Width<N>) const
    {
        const std::int64_t at = row * columns + column;
        const Pack<float, N> before = load<N>(first + at);
        Pack<float, N> gradients = load<N>(dFirst + at);
        if (second != nullptr) {
            const Pack<float, N> factors = load<N>(second + at);
            Pack<float, N> ofSecond;
            for (int i = 0; i < N; ++i) {
                ofSecond.at[i] =
                    gradients.at[i] * gated.opened(before.at[i]) * gated.factorSlope(factors.at[i]);
                gradients.at[i] *= gated.factor(factors.at[i]);
            }
            store<N>(dSecond + at, ofSecond);
        }
        for (int i = 0; i < N; ++i) {
            gradients.at[i] *= gated.openedSlope(before.at[i]);
        }
        store<N>(dFirst + at, gradients);
    }
};

std::size_t matrixPlace(const MoeFfn& ffn, std::size_t which)
{
    return ffn.bias ? 2 * which : which;
}

std::size_t hiddenElements(const MoeFfn& ffn, const StageSize& size)
{
    return static_cast<std::size_t>(size.tokens * ffn.perToken * ffn.dFf);
}

std::size_t rowElements(const MoeFfn& ffn, const StageSize& size)
{
    return static_cast<std::size_t>(size.tokens * ffn.perToken * size.dModel);
}

} // namespace

ExpertMatrix::ExpertMatrix(const MoeFfn& ffn,
                           int d,
                           std::size_t which,
                           int in,
                           int out,
                           DeviceWeights weights,
                           const Device& device)
    : matrices(device,
               in,
               out,
               ofExperts(weights, ffn, MoeTensors(ffn, d), matrixPlace(ffn, which)))
{
    if (ffn.bias) {
        biases = pointersTo(
            device, ofExperts(weights, ffn, MoeTensors(ffn, d), matrixPlace(ffn, which) + 1));
    }
}

ExpertGradients::ExpertGradients(const MoeFfn& ffn,
                                 int d,
                                 std::size_t which,
                                 DeviceGradients gradients,
                                 const Device& device)
    : matrices(
        pointersTo(device, ofExperts(gradients, ffn, MoeTensors(ffn, d), matrixPlace(ffn, which))))
{
    if (ffn.bias) {
        biases = pointersTo(
            device, ofExperts(gradients, ffn, MoeTensors(ffn, d), matrixPlace(ffn, which) + 1));
    }
}

MoeExperts::MoeExperts(const MoeFfn& ffn,
                       const StageSize& size,
                       DeviceWeights weights,
                       const Device& device,
                       Keeps keeps)
    : m_device(device)
    , m_ffn(ffn)
    , m_size(size)
    , m_keeps(keeps)
    , m_first(device, hiddenElements(ffn, size))
    , m_second(device, isGated() ? hiddenElements(ffn, size) : 0)
    , m_hidden(device, keeps == Keeps::forBackward ? hiddenElements(ffn, size) : 0)
    , m_out(device.memory(), rowElements(ffn, size))
{
    const int d = size.dModel;
    const std::size_t last = isGated() ? 2 : 1;
    for (std::size_t which = 0; which < last; ++which) {
        m_matrices.emplace_back(ffn, d, which, d, ffn.dFf, weights, device);
    }
    m_matrices.emplace_back(ffn, d, last, ffn.dFf, d, weights, device);
}

template <class Value>
void MoeExperts::hideAs(const MoeRouting& routing)
{
    const bool keeps = m_keeps == Keeps::forBackward;
    auto* const first = static_cast<Value*>(m_first.rows(m_ffn.dFf).first);
    auto* const kept = static_cast<Value*>(m_hidden.rows(m_ffn.dFf).first);
    forEachElement(m_device,
                   routing.rows(),
                   m_ffn.dFf,
                   Hide<Value>{Gate(m_ffn.activation, m_ffn.activeGate()),
                               keeps,
                               m_ffn.dFf,
                               routing.expertOfRow(),
                               m_matrices[0].biases.data(),
                               m_matrices[1].biases.data(),
                               first,
                               static_cast<Value*>(m_second.rows(m_ffn.dFf).first),
                               keeps ? kept : first});
}

void MoeExperts::run(const MoeRouting& routing, const Operand& x)
{
    const int f = m_ffn.dFf;
    const RowGroups groups = routing.groups();
    const auto upProjection = [&](std::size_t which, const OperandBuffer& to) {
        multiplyGroups(m_device,
                       groups,
                       x,
                       routing.tokenOfRow(),
                       m_matrices[which].matrices,
                       Stored::straight,
                       to.rows(f));
    };
    upProjection(0, m_first);
    if (isGated()) {
        upProjection(1, m_second);
    }
    if (m_first.element() == Element::bfloat16) {
        hideAs<__nv_bfloat16>(routing);
    } else {
        hideAs<float>(routing);
    }
    const OperandBuffer& hidden = m_keeps == Keeps::forBackward ? m_hidden : m_first;
    multiplyGroups(m_device,
                   groups,
                   hidden.rows(f),
                   nullptr,
                   m_matrices.back().matrices,
                   Stored::straight,
                   destinationAt(m_out.data(), m_size.dModel));
}

MoeExpertsBackward::MoeExpertsBackward(const MoeExperts& experts,
                                       DeviceGradients gradients,
                                       const Device& device)
    : m_experts(experts)
    , m_device(device)
    , m_dFirst(device, hiddenElements(experts.m_ffn, experts.m_size))
    , m_dSecond(device, experts.isGated() ? hiddenElements(experts.m_ffn, experts.m_size) : 0)
    , m_dRows(device.memory(), rowElements(experts.m_ffn, experts.m_size))
{
    for (std::size_t which = 0; which < experts.m_matrices.size(); ++which) {
        m_gradients.emplace_back(experts.m_ffn, experts.m_size.dModel, which, gradients, device);
    }
}

template <class Value>
void MoeExpertsBackward::hideBackwardAs()
{
    const int f = m_experts.m_ffn.dFf;
    forEachElement(
        m_device,
        m_experts.m_size.tokens * m_experts.m_ffn.perToken,
        f,
        HideBackward<Value>{Gate(m_experts.m_ffn.activation, m_experts.m_ffn.activeGate()),
                            f,
                            static_cast<const Value*>(m_experts.m_first.rows(f).first),
                            static_cast<const Value*>(m_experts.m_second.rows(f).first),
                            static_cast<Value*>(m_dFirst.rows(f).first),
                            static_cast<Value*>(m_dSecond.rows(f).first)});
}

void MoeExpertsBackward::run(const MoeRouting& routing, const Operand& x, const Operand& dOut)
{
    const int f = m_experts.m_ffn.dFf;
    const int d = m_experts.m_size.dModel;
    const RowGroups groups = routing.groups();
    const auto learn = [&](std::size_t which,
                           const Operand& a,
                           const int* rowOf,
                           int in,
                           const Operand& gradient,
                           int out) {
        const ExpertGradients& to = m_gradients[which];
        groupGradients(m_device, groups, a, rowOf, gradient, in, out, to.matrices.data());
        if (m_experts.m_ffn.bias) {
            groupSums(m_device, groups, gradient, out, to.biases.data());
        }
    };
    const std::size_t last = m_gradients.size() - 1;
    learn(last, m_experts.m_hidden.rows(f), nullptr, f, dOut, d);
    multiplyGroups(m_device,
                   groups,
                   dOut,
                   nullptr,
                   m_experts.m_matrices[last].matrices,
                   Stored::transposed,
                   m_dFirst.rows(f));
    if (m_dFirst.element() == Element::bfloat16) {
        hideBackwardAs<__nv_bfloat16>();
    } else {
        hideBackwardAs<float>();
    }
    for (std::size_t which = 0; which < last; ++which) {
        const Operand gradient = which == 0 ? m_dFirst.rows(f) : m_dSecond.rows(f);
        learn(which, x, routing.tokenOfRow(), d, gradient, f);
        multiplyGroups(m_device,
                       groups,
                       gradient,
                       nullptr,
                       m_experts.m_matrices[which].matrices,
                       Stored::transposed,
                       destinationAt(m_dRows.data(), d),
                       which == 0 ? Into::overwrite : Into::accumulate);
    }
}

} // namespace flopsmith::cuda
