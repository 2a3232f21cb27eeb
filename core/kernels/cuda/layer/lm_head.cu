// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/block/elements.cuh"
#include "core/kernels/cuda/layer/head_stages.h"
#include "core/kernels/cuda/layer/norm_rows.h"
#include "core/kernels/cuda/linear/linear.h"

#include <optional>

namespace flopsmith::cuda {
namespace {

// logits = cap·tanh((logits + bias)/cap), or without a cap logits + bias.
struct Finish
{
    const float* bias; ///< may be null
    float cap; ///< 0: none
    std::int64_t vocab;
    float* logits;

    template <int N>
    __device__ void operator()(std::int64_t token, std::int64_t column, Width<N>) const
    {
        Pack<float, N> values = load<N>(logits + token * vocab + column);
        for (int i = 0; i < N; ++i) {
            values.at[i] += bias == nullptr ? 0.0F : bias[column + i];
            if (cap > 0.0F) {
                values.at[i] = cap * tanhf(values.at[i] / cap);
            }
        }
        store<N>(logits + token * vocab + column, values);
    }
};

// dLogits = dy·(1 − (logits/cap)²)
struct CapBackward
{
    const float* capped; ///< the logits that the forward pass gave
    float cap;
    const float* dy;
    float* dLogits;

    template <int N>
    __device__ void operator()(std::int64_t, std::int64_t at, Width<N>) const
    {
        const Pack<float, N> logits = load<N>(capped + at);
        Pack<float, N> gradients = load<N>(dy + at);
        for (int i = 0; i < N; ++i) {
            const float t = logits.at[i] / cap;
            gradients.at[i] *= 1.0F - t * t;
        }
        store<N>(dLogits + at, gradients);
    }
};

// Shared by both passes: the products, and the input of the product with the vocabulary.
class LmProducts
{
public:
    LmProducts(const Device& device,
               const Head& head,
               int vocab,
               const Shape& shape,
               DeviceWeights weights)
        : m_device(device)
        , m_head(head)
        , m_vocab(vocab)
        , m_tokens(static_cast<std::int64_t>(shape.tokens()))
        , m_d(shape.dModel)
        , m_logitsAt(tensorsBeforeLogits(head))
        , m_width(static_cast<int>(weights[m_logitsAt].size() / static_cast<std::size_t>(vocab)))
        , m_scale(head.hasScale() ? static_cast<float>(headScale(head, shape.dModel)) : 1.0F)
        , m_matrixRounded(device, weights[m_logitsAt].size())
        , m_matrix(m_matrixRounded.of(weights[m_logitsAt].data(), vocab, m_width))
        , m_bias(head.bias ? weights[m_logitsAt + 1].data() : nullptr)
        , m_x(device, shape.activations())
    {
        if (reaches()) {
            const bool biased = head.hasTransform() && head.transformBias;
            m_first.emplace(
                device, m_d, m_width, weights[0], biased ? weights[1] : DeviceSpan<const float>());
            m_lastRounded = RoundedRows(device, elements());
        }
    }

    bool reaches() const { return m_head.hasTransform() || m_head.hasProjection(); }
    std::size_t normAt() const { return m_head.transformBias ? 2 : 1; }
    std::size_t elements() const
    {
        return static_cast<std::size_t>(m_tokens) * static_cast<std::size_t>(m_width);
    }

    // logits = scale·last·Wᵀ, finished. W [V, width] is stored as the embedding table is.
    void logits(const Operand& last, float* y) const
    {
        multiply(m_device,
                 {m_tokens, m_width, m_vocab},
                 last,
                 Stored::straight,
                 m_matrix,
                 Stored::transposed,
                 destinationAt(y, m_vocab),
                 Into::overwrite,
                 {},
                 m_scale);
        if (m_bias != nullptr || m_head.capsLogits()) {
            const float cap = m_head.capsLogits() ? static_cast<float>(m_head.softCap) : 0.0F;
            forEachElement(m_device, m_tokens, m_vocab, Finish{m_bias, cap, m_vocab, y});
        }
    }

    const Device& m_device;
    Head m_head;
    int m_vocab;
    std::int64_t m_tokens;
    int m_d;
    std::size_t m_logitsAt; ///< tensor index of their matrix
    int m_width;
    float m_scale;
    RoundedRows m_matrixRounded;
    Operand m_matrix; ///< [V, width]
    const float* m_bias;
    std::optional<Linear> m_first; ///< of a transform or a projection
    RoundedRows m_x;
    RoundedRows m_lastRounded;
};

class LmHead : public Stage
{
public:
    LmHead(const Device& device,
           const Head& head,
           int vocab,
           const Shape& shape,
           DeviceWeights weights)
        : m_products(device, head, vocab, shape, weights)
        , m_last(device.memory(), m_products.reaches() ? m_products.elements() : 0)
    {
        if (head.hasTransform()) {
            m_norm.emplace(device,
                           head.norm,
                           m_products.m_tokens,
                           m_products.m_width,
                           weights.subspan(m_products.normAt()));
        }
    }

    void run(const float* x, float* y) override
    {
        const std::int64_t tokens = m_products.m_tokens;
        const int width = m_products.m_width;
        Operand last = m_products.m_x.of(x, tokens, m_products.m_d);
        if (m_products.reaches()) {
            const Destination to = destinationAt(m_last.data(), width);
            m_products.m_first->product(last, tokens, to);
            if (m_norm) {
                addBiasAndActivate(m_products.m_device,
                                   m_products.m_head.activation,
                                   m_products.m_first->bias(),
                                   tokens,
                                   width,
                                   to,
                                   to);
                m_norm->run(m_last.data(), m_last.data());
            }
            last = m_products.m_lastRounded.of(m_last.data(), tokens, width);
        }
        m_products.logits(last, y);
    }

private:
    LmProducts m_products;
    std::optional<NormRows> m_norm; ///< of a transform
    DeviceBuffer<float> m_last; ///< [T, width], unless x itself is the input
};

class LmHeadBackward : public BackwardStage
{
public:
    LmHeadBackward(const Device& device,
                   const Head& head,
                   int vocab,
                   const Shape& shape,
                   DeviceWeights weights,
                   DeviceGradients gradients)
        : m_device(device)
        , m_head(head)
        , m_products(device, head, vocab, shape, weights)
        , m_gradients(gradients)
        , m_dyRounded(device, logits())
    {
        const std::size_t wide = m_products.reaches() ? m_products.elements() : 0;
        m_last = DeviceBuffer<float>(device.memory(), wide);
        m_dLast = DeviceBuffer<float>(device.memory(), wide);
        m_dLastRounded = RoundedRows(device, wide);
        if (head.hasTransform()) {
            m_dense = DeviceBuffer<float>(device.memory(), wide);
            m_norm.emplace(device,
                           head.norm,
                           m_products.m_tokens,
                           m_products.m_width,
                           weights.subspan(m_products.normAt()),
                           gradients.subspan(m_products.normAt()));
            m_denseSums = ColumnSums(device, m_products.m_tokens, m_products.m_width);
        }
        if (head.capsLogits()) {
            m_capped = DeviceBuffer<float>(device.memory(), logits());
            m_dLogits = DeviceBuffer<float>(device.memory(), logits());
        }
        if (head.bias) {
            m_logitSums = ColumnSums(device, m_products.m_tokens, vocab);
        }
    }

    void save(const float* x, float* y) override
    {
        const std::int64_t tokens = m_products.m_tokens;
        const int width = m_products.m_width;
        m_xOperand = m_products.m_x.of(x, tokens, m_products.m_d);
        m_lastOperand = m_xOperand;
        if (m_products.reaches()) {
            reach();
            m_lastOperand = m_products.m_lastRounded.of(m_last.data(), tokens, width);
        }
        m_products.logits(m_lastOperand, y);
        if (m_head.capsLogits()) {
            check(cudaMemcpyAsync(m_capped.data(),
                                  y,
                                  m_capped.bytes(),
                                  cudaMemcpyDeviceToDevice,
                                  m_device.stream()),
                  "keep the logits");
        }
    }

    void run(const float* dy, float* dx) override
    {
        const float* dLogits = dy;
        if (m_head.capsLogits()) {
            forEachElement(
                m_device,
                1,
                static_cast<std::int64_t>(logits()),
                CapBackward{
                    m_capped.data(), static_cast<float>(m_head.softCap), dy, m_dLogits.data()});
            dLogits = m_dLogits.data();
        }
        logitsBackward(dLogits, m_products.reaches() ? m_dLast.data() : dx);
        if (m_products.reaches()) {
            firstBackward(dx);
        }
    }

private:
    std::size_t logits() const
    {
        return static_cast<std::size_t>(m_products.m_tokens)
            * static_cast<std::size_t>(m_products.m_vocab);
    }

    // Computes m_last from x, and saves what the transform's backward pass reads.
    void reach()
    {
        const std::int64_t tokens = m_products.m_tokens;
        const int width = m_products.m_width;
        const Destination last = destinationAt(m_last.data(), width);
        if (!m_norm) {
            m_products.m_first->product(m_xOperand, tokens, last);
            return;
        }
        const Destination dense = destinationAt(m_dense.data(), width);
        m_products.m_first->run(m_xOperand, tokens, dense);
        addBiasAndActivate(m_device, m_head.activation, nullptr, tokens, width, dense, last);
        m_norm->save(m_last.data(), m_last.data());
    }

    // dLast = scale·dLogits·W, dW = scale·dLogitsᵀ·last.
    void logitsBackward(const float* dLogits, float* dLast)
    {
        const LmProducts& p = m_products;
        const Operand rounded = m_dyRounded.of(dLogits, p.m_tokens, p.m_vocab);
        multiply(m_device,
                 {p.m_tokens, p.m_vocab, p.m_width},
                 rounded,
                 Stored::straight,
                 p.m_matrix,
                 Stored::straight,
                 destinationAt(dLast, p.m_width),
                 Into::overwrite,
                 {},
                 p.m_scale);
        multiply(m_device,
                 {p.m_vocab, p.m_tokens, p.m_width},
                 rounded,
                 Stored::transposed,
                 m_lastOperand,
                 Stored::straight,
                 destinationAt(m_gradients[p.m_logitsAt].data(), p.m_width),
                 Into::overwrite,
                 {},
                 p.m_scale);
        if (m_head.bias) {
            m_logitSums.run(
                operandAt(dLogits, p.m_vocab), p.m_tokens, m_gradients[p.m_logitsAt + 1].data());
        }
    }

    // dx and the gradients of the transform or the projection from m_dLast.
    void firstBackward(float* dx)
    {
        const std::int64_t tokens = m_products.m_tokens;
        const int width = m_products.m_width;
        const Destination dLast = destinationAt(m_dLast.data(), width);
        if (m_norm) {
            m_norm->runBackward(m_dLast.data(), m_dLast.data());
            activateBackward(m_device,
                             m_head.activation,
                             tokens,
                             width,
                             operandAt(m_dense.data(), width),
                             dLast,
                             dLast);
            if (m_head.transformBias) {
                m_denseSums.run(dLast, tokens, m_gradients[1].data());
            }
        }
        const Operand rounded = m_dLastRounded.of(m_dLast.data(), tokens, width);
        m_products.m_first->backward(
            m_xOperand, rounded, tokens, m_gradients[0], destinationAt(dx, m_products.m_d));
    }

    const Device& m_device;
    Head m_head;
    LmProducts m_products;
    DeviceGradients m_gradients;
    RoundedRows m_dyRounded;
    Operand m_xOperand; ///< of the last save(), as is the next
    Operand m_lastOperand; ///< input of the product with the vocabulary
    DeviceBuffer<float> m_dense; ///< input of a transform's activation; here and below [T, width]
    DeviceBuffer<float> m_last;
    DeviceBuffer<float> m_dLast;
    RoundedRows m_dLastRounded;
    std::optional<NormRowsBackward> m_norm;
    ColumnSums m_denseSums;
    DeviceBuffer<float> m_capped; ///< [T, V], as is the next
    DeviceBuffer<float> m_dLogits;
    ColumnSums m_logitSums;
};

} // namespace

std::unique_ptr<Stage> makeLmHead(const Device& device,
                                  const Head& head,
                                  int vocab,
                                  const Shape& shape,
                                  DeviceWeights weights)
{
    return std::make_unique<LmHead>(device, head, vocab, shape, weights);
}

std::unique_ptr<BackwardStage> makeLmHeadBackward(const Device& device,
                                                  const Head& head,
                                                  int vocab,
                                                  const Shape& shape,
                                                  DeviceWeights weights,
                                                  DeviceGradients gradients)
{
    return std::make_unique<LmHeadBackward>(device, head, vocab, shape, weights, gradients);
}

} // namespace flopsmith::cuda
