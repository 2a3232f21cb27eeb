// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/block/elements.cuh"
#include "core/kernels/cuda/layer/head_stages.h"
#include "core/kernels/cuda/linear/linear.h"

#include <optional>

namespace flopsmith::cuda {
namespace {

// Gathers the first token of each sequence, or scatters it with zeros at all other tokens.
struct TakeFirst
{
    const float* from;
    std::int64_t period; ///< tokens per sequence of `from`, or of `to`
    std::int64_t width;
    bool back;
    float* to;

    template <int N>
    __device__ void operator()(std::int64_t row, std::int64_t column, Width<N>) const
    {
        Pack<float, N> values{};
        if (!back) {
            values = load<N>(from + row * period * width + column);
        } else if (row % period == 0) {
            values = load<N>(from + row / period * width + column);
        }
        store<N>(to + row * width + column, values);
    }
};

// values = tanh(values + bias)
struct Pooling
{
    const float* bias;
    std::int64_t width;
    float* values;

    template <int N>
    __device__ void operator()(std::int64_t row, std::int64_t column, Width<N>) const
    {
        Pack<float, N> sums = load<N>(values + row * width + column);
        for (int i = 0; i < N; ++i) {
            sums.at[i] = tanhf(sums.at[i] + bias[column + i]);
        }
        store<N>(values + row * width + column, sums);
    }
};

// gradients = dPooled·(1 − pooled²)
struct PoolingBackward
{
    const float* pooled;
    const float* dPooled;
    float* gradients;

    template <int N>
    __device__ void operator()(std::int64_t, std::int64_t at, Width<N>) const
    {
        const Pack<float, N> tanh = load<N>(pooled + at);
        Pack<float, N> values = load<N>(dPooled + at);
        for (int i = 0; i < N; ++i) {
            values.at[i] *= 1.0F - tanh.at[i] * tanh.at[i];
        }
        store<N>(gradients + at, values);
    }
};

// The forward pass; saves the inputs of both products for the backward pass.
class FirstTokenHead : public Stage
{
public:
    FirstTokenHead(const Device& device, const Head& head, const Shape& shape, DeviceWeights w)
        : m_device(device)
        , m_head(head)
        , m_batch(shape.batch)
        , m_sequence(shape.sequence)
        , m_d(shape.dModel)
        , m_first(device.memory(), elements())
        , m_firstRounded(device, elements())
    {
        if (head.hasPooler()) {
            m_pool.emplace(device, shape.dModel, shape.dModel, w[0], w[1]);
            m_pooled = DeviceBuffer<float>(device.memory(), elements());
            m_pooledRounded = RoundedRows(device, elements());
        }
        if (isClassifier()) {
            m_classes.emplace(device,
                              shape.dModel,
                              head.classes,
                              w[classesAt()],
                              head.bias ? w[classesAt() + 1] : DeviceSpan<const float>());
        }
    }

    void run(const float* x, float* y) override
    {
        forEachElement(
            m_device, m_batch, m_d, TakeFirst{x, m_sequence, m_d, false, m_first.data()});
        m_firstOperand = m_firstRounded.of(m_first.data(), m_batch, m_d);
        m_pooledOperand = m_firstOperand;
        if (m_pool) {
            float* pooled = isClassifier() ? m_pooled.data() : y;
            m_pool->product(m_firstOperand, m_batch, destinationAt(pooled, m_d));
            forEachElement(m_device, m_batch, m_d, Pooling{m_pool->bias(), m_d, pooled});
            if (!isClassifier()) {
                return;
            }
            m_pooledOperand = m_pooledRounded.of(pooled, m_batch, m_d);
        }
        m_classes->run(m_pooledOperand, m_batch, destinationAt(y, m_head.classes));
    }

    bool isClassifier() const { return m_head.kind == HeadKind::classifier; }
    std::size_t classesAt() const { return m_head.hasPooler() ? 2 : 0; }
    std::size_t elements() const { return static_cast<std::size_t>(m_batch * m_d); }

    const Device& m_device;
    Head m_head;
    std::int64_t m_batch;
    std::int64_t m_sequence;
    std::int64_t m_d;
    std::optional<Linear> m_pool;
    std::optional<Linear> m_classes;
    DeviceBuffer<float> m_first; ///< [batch, d]
    RoundedRows m_firstRounded;
    Operand m_firstOperand; ///< the same, of the last run()
    DeviceBuffer<float> m_pooled; ///< [batch, d], if a classifier follows a pooler
    RoundedRows m_pooledRounded;
    Operand m_pooledOperand;
};

class FirstTokenHeadBackward : public BackwardStage
{
public:
    FirstTokenHeadBackward(const Device& device,
                           const Head& head,
                           const Shape& shape,
                           DeviceWeights weights,
                           DeviceGradients gradients)
        : m_device(device)
        , m_forward(device, head, shape, weights)
        , m_gradients(gradients)
        , m_dPooled(device.memory(), m_forward.elements())
        , m_dRounded(device, m_forward.elements())
    {
        if (head.hasPooler()) {
            m_pooled = DeviceBuffer<float>(device.memory(), m_forward.elements());
            m_dFirst = DeviceBuffer<float>(device.memory(), m_forward.elements());
            m_poolSums = ColumnSums(device, shape.batch, shape.dModel);
        }
        if (m_forward.isClassifier()) {
            const auto outputs =
                static_cast<std::size_t>(shape.batch) * static_cast<std::size_t>(head.classes);
            m_dyRounded = RoundedRows(device, outputs);
            m_classSums = ColumnSums(device, shape.batch, head.classes);
        }
    }

    void save(const float* x, float* y) override
    {
        m_forward.run(x, y);
        if (m_forward.m_pool) {
            const float* pooled = m_forward.isClassifier() ? m_forward.m_pooled.data() : y;
            check(cudaMemcpyAsync(m_pooled.data(),
                                  pooled,
                                  m_pooled.bytes(),
                                  cudaMemcpyDeviceToDevice,
                                  m_device.stream()),
                  "keep what a pooler gave");
        }
    }

    void run(const float* dy, float* dx) override
    {
        const std::int64_t batch = m_forward.m_batch;
        const std::int64_t d = m_forward.m_d;
        const float* dPooled = dy;
        if (m_forward.isClassifier()) {
            classesBackward(dy);
            dPooled = m_dPooled.data();
        }
        if (m_forward.m_pool) {
            poolBackward(dPooled);
            dPooled = m_dFirst.data();
        }
        forEachElement(m_device,
                       batch * m_forward.m_sequence,
                       d,
                       TakeFirst{dPooled, m_forward.m_sequence, d, true, dx});
    }

private:
    void classesBackward(const float* dy)
    {
        const std::int64_t batch = m_forward.m_batch;
        const int classes = m_forward.m_head.classes;
        const std::size_t at = m_forward.classesAt();
        const Operand rounded = m_dyRounded.of(dy, batch, classes);
        m_forward.m_classes->backward(m_forward.m_pooledOperand,
                                      rounded,
                                      batch,
                                      m_gradients[at],
                                      destinationAt(m_dPooled.data(), m_forward.m_d));
        if (m_forward.m_head.bias) {
            m_classSums.run(operandAt(dy, classes), batch, m_gradients[at + 1].data());
        }
    }

    // Writes the gradient of the first tokens into m_dFirst.
    void poolBackward(const float* dPooled)
    {
        const std::int64_t batch = m_forward.m_batch;
        const auto d = static_cast<int>(m_forward.m_d);
        float* dDense = m_dPooled.data();
        forEachElement(m_device, 1, batch * d, PoolingBackward{m_pooled.data(), dPooled, dDense});
        const Operand rounded = m_dRounded.of(dDense, batch, d);
        m_forward.m_pool->backward(m_forward.m_firstOperand,
                                   rounded,
                                   batch,
                                   m_gradients[0],
                                   destinationAt(m_dFirst.data(), d));
        m_poolSums.run(operandAt(dDense, d), batch, m_gradients[1].data());
    }

    const Device& m_device;
    FirstTokenHead m_forward;
    DeviceGradients m_gradients;
    DeviceBuffer<float> m_pooled; ///< [batch, d], the pooler's output
    DeviceBuffer<float> m_dPooled;
    DeviceBuffer<float> m_dFirst;
    RoundedRows m_dRounded;
    RoundedRows m_dyRounded;
    ColumnSums m_poolSums;
    ColumnSums m_classSums;
};

} // namespace

std::unique_ptr<Stage> makeFirstTokenHead(const Device& device,
                                          const Head& head,
                                          const Shape& shape,
                                          DeviceWeights weights)
{
    return std::make_unique<FirstTokenHead>(device, head, shape, weights);
}

std::unique_ptr<BackwardStage> makeFirstTokenHeadBackward(const Device& device,
                                                          const Head& head,
                                                          const Shape& shape,
                                                          DeviceWeights weights,
                                                          DeviceGradients gradients)
{
    return std::make_unique<FirstTokenHeadBackward>(device, head, shape, weights, gradients);
}

} // namespace flopsmith::cuda
