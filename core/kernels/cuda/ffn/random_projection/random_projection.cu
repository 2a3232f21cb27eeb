// SPDX-License-Identifier: MIT
#include "core/ffn/random_projection.h"

#include "core/kernels/cuda/block/activation.cuh"
#include "core/kernels/cuda/ffn/random_projection/random_projection_sums.cuh"
#include "core/kernels/cuda/linear/linear.h"
#include "core/kernels/cuda/stage.h"

namespace flopsmith::cuda {
namespace {

// to = scale·sum
struct Scaled
{
    float scale;
    int columns;
    float* to;

    __device__ void operator()(std::int64_t token, int row, float sum) const
    {
        to[token * columns + row] = scale * sum;
    }
};

// before = α·sum + b, to = g ⊙ act(before)
struct Features
{
    float scale;
    Activation activation;
    int features;
    const float* gain;
    const float* bias;
    float* before; ///< if not null
    float* to;

    __device__ void operator()(std::int64_t token, int row, float sum) const
    {
        const std::int64_t at = token * features + row;
        const float value = fmaf(scale, sum, bias[row]);
        if (before != nullptr) {
            before[at] = value;
        }
        to[at] = gain[row] * activated(activation, value);
    }
};

// From the gradient β·sum of g ⊙ act(before): the token's term of the gain's gradient, and dBefore.
struct FeatureGradients
{
    float scale;
    Activation activation;
    int features;
    const float* gain;
    const float* before;
    float* gainShares;
    float* dBefore;

    __device__ void operator()(std::int64_t token, int row, float sum) const
    {
        const std::int64_t at = token * features + row;
        const float gradient = scale * sum;
        const float value = before[at];
        gainShares[at] = gradient * activated(activation, value);
        dBefore[at] = gradient * gain[row] * slopeOf(activation, value);
    }
};

// Parameters of both passes.
struct Projections
{
    float upScale;
    float downScale;
    int features;
    Activation activation;
    const float* gain;
    const float* bias;

    Projections(const RandomProjectionFfn& ffn, int d, DeviceWeights weights)
        : upScale(static_cast<float>(ffn.inputScale(d)))
        , downScale(static_cast<float>(ffn.outputScale()))
        , features(ffn.features)
        , activation(ffn.activation)
        , gain(weights[0].data())
        , bias(weights[1].data())
    {}
};

class RandomProjectionStage : public Stage
{
public:
    RandomProjectionStage(const RandomProjectionFfn& ffn,
                          const StageSize& size,
                          DeviceWeights weights,
                          const Device& device)
        : m_device(device)
        , m_size(size)
        , m_projections(ffn, size.dModel, weights)
        , m_up(SignRows::straight(device, ffn.inputProjection(size.dModel)))
        , m_down(SignRows::straight(device, ffn.outputProjection(size.dModel)))
        , m_hidden(device.memory(), static_cast<std::size_t>(size.tokens * ffn.features))
    {}

    void run(const float* x, float* y) override { run(x, nullptr, y); }

    // Saves the input of the activation in `before` if not null.
    void run(const float* x, float* before, float* y)
    {
        const Projections& p = m_projections;
        sumSigned(
            m_device,
            m_up,
            x,
            m_size.tokens,
            Features{p.upScale, p.activation, p.features, p.gain, p.bias, before, m_hidden.data()});
        sumSigned(m_device,
                  m_down,
                  m_hidden.data(),
                  m_size.tokens,
                  Scaled{p.downScale, m_size.dModel, y});
    }

private:
    const Device& m_device;
    StageSize m_size;
    Projections m_projections;
    SignRows m_up;
    SignRows m_down;
    DeviceBuffer<float> m_hidden;
};

class RandomProjectionBackwardStage : public BackwardStage
{
public:
    RandomProjectionBackwardStage(const RandomProjectionFfn& ffn,
                                  const StageSize& size,
                                  DeviceWeights weights,
                                  DeviceGradients gradients,
                                  const Device& device)
        : m_device(device)
        , m_size(size)
        , m_projections(ffn, size.dModel, weights)
        , m_gradients(gradients)
        , m_forward(ffn, size, weights, device)
        , m_up(SignRows::transposed(device, ffn.inputProjection(size.dModel)))
        , m_down(SignRows::transposed(device, ffn.outputProjection(size.dModel)))
        , m_before(device.memory(), static_cast<std::size_t>(size.tokens * ffn.features))
        , m_gainShares(device.memory(), m_before.size())
        , m_dBefore(device.memory(), m_before.size())
        , m_sums(device, size.tokens, ffn.features)
    {}

    void save(const float* x, float* y) override { m_forward.run(x, m_before.data(), y); }

    void run(const float* dy, float* dx) override
    {
        const Projections& p = m_projections;
        const std::int64_t tokens = m_size.tokens;
        sumSigned(m_device,
                  m_down,
                  dy,
                  tokens,
                  FeatureGradients{p.downScale,
                                   p.activation,
                                   p.features,
                                   p.gain,
                                   m_before.data(),
                                   m_gainShares.data(),
                                   m_dBefore.data()});
        m_sums.run(operandAt(m_gainShares.data(), p.features), tokens, m_gradients[0].data());
        m_sums.run(operandAt(m_dBefore.data(), p.features), tokens, m_gradients[1].data());
        sumSigned(m_device, m_up, m_dBefore.data(), tokens, Scaled{p.upScale, m_size.dModel, dx});
    }

private:
    const Device& m_device;
    StageSize m_size;
    Projections m_projections;
    DeviceGradients m_gradients;
    RandomProjectionStage m_forward;
    SignRows m_up;
    SignRows m_down;
    DeviceBuffer<float> m_before;
    DeviceBuffer<float> m_gainShares;
    DeviceBuffer<float> m_dBefore;
    ColumnSums m_sums;
};

} // namespace

SignRows::SignRows(const Device& device,
                   int columns,
                   const std::vector<std::vector<std::int32_t>>& rows)
{
    constexpr unsigned kSign = 1U << 31;
    const int chunks = dividedUp(columns, kChunk);
    std::vector<int> starts;
    std::vector<unsigned> entries;
    for (const std::vector<std::int32_t>& row : rows) {
        std::size_t next = 0;
        for (int chunk = 0; chunk < chunks; ++chunk) {
            starts.push_back(static_cast<int>(entries.size()));
            for (; next < row.size() && SignMatrix::column(row[next]) / kChunk == chunk; ++next) {
                const auto place = static_cast<unsigned>(SignMatrix::column(row[next]) % kChunk);
                entries.push_back(place | (SignMatrix::isMinus(row[next]) ? kSign : 0U));
            }
        }
        starts.push_back(static_cast<int>(entries.size()));
    }
    m_starts = DeviceBuffer<int>(device.memory(), starts);
    m_entries = DeviceBuffer<unsigned>(device.memory(), entries);
    m_view = {static_cast<int>(rows.size()), columns, chunks, m_starts.data(), m_entries.data()};
}

SignRows SignRows::straight(const Device& device, const SignMatrix& matrix)
{
    std::vector<std::vector<std::int32_t>> rows;
    for (int i = 0; i < matrix.rows; ++i) {
        const auto row = matrix.row(i);
        rows.emplace_back(row.begin(), row.end());
    }
    return {device, matrix.columns, rows};
}

SignRows SignRows::transposed(const Device& device, const SignMatrix& matrix)
{
    std::vector<std::vector<std::int32_t>> rows(static_cast<std::size_t>(matrix.columns));
    for (int i = 0; i < matrix.rows; ++i) {
        for (const std::int32_t entry : matrix.row(i)) {
            rows[static_cast<std::size_t>(SignMatrix::column(entry))].push_back(
                SignMatrix::isMinus(entry) ? ~i : i);
        }
    }
    return {device, matrix.rows, rows};
}

std::unique_ptr<Stage> makeStage(const RandomProjectionFfn& ffn,
                                 const StageSize& size,
                                 DeviceWeights weights,
                                 const Device& device)
{
    return std::make_unique<RandomProjectionStage>(ffn, size, weights, device);
}

std::unique_ptr<BackwardStage> makeBackwardStage(const RandomProjectionFfn& ffn,
                                                 const StageSize& size,
                                                 DeviceWeights weights,
                                                 DeviceGradients gradients,
                                                 const Device& device)
{
    return std::make_unique<RandomProjectionBackwardStage>(ffn, size, weights, gradients, device);
}

} // namespace flopsmith::cuda
