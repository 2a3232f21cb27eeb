// SPDX-License-Identifier: MIT
#include "core/ffn/polynomial.h"

#include "core/kernels/cuda/block/block.cuh"
#include "core/kernels/cuda/ffn/channels/channel_stage.h"
#include "core/kernels/cuda/gemm/columns.cuh"

namespace flopsmith::cuda {
namespace {

// Operands of the backward pass.
struct PolynomialGradients
{
    PolynomialValues values;
    KeptBits kept;
    int columns;
    bool perChannel;
    const float* x;
    const float* dy;
    float* dx;
    /// [parts, d, terms], or of shared coefficients [parts, blocks of columns, terms]
    float* partial;
};

// One thread per channel and part of the tokens, with kTerms sums in registers.
template <int kTerms>
__global__ void polynomialGradients(PolynomialGradients p, std::int64_t rows, std::int64_t perPart)
{
    const PartOfRows part(rows, perPart);
    const int terms = p.values.count;
    float sums[kTerms] = {};
    if (part.column < p.columns) {
        for (std::int64_t row = part.first; row < part.last; ++row) {
            const std::int64_t at = row * p.columns + part.column;
            float back = 0.0F;
            if (p.kept.has(row, part.column)) {
                back = polynomialBackward<kTerms>(
                    p.values, part.column, p.x[at], p.dy[at], [&](int m, float share) {
                        sums[m] += share;
                    });
            }
            p.dx[at] = back;
        }
    }
    if (p.perChannel) {
        float* to =
            p.partial + (static_cast<std::int64_t>(blockIdx.y) * p.columns + part.column) * terms;
        for (int m = 0; m < kTerms && m < terms && part.column < p.columns; ++m) {
            to[m] = sums[m];
        }
        return;
    }
    float* to =
        p.partial + (static_cast<std::int64_t>(blockIdx.y) * gridDim.x + blockIdx.x) * terms;
    for (int m = 0; m < kTerms && m < terms; ++m) {
        const float sum = sumOverBlock(sums[m]);
        if (threadIdx.x == 0) {
            to[m] = sum;
        }
    }
}

class PolynomialBackwardStage : public BackwardStage
{
public:
    PolynomialBackwardStage(const PolynomialFfn& ffn,
                            const StageSize& size,
                            DeviceWeights weights,
                            DeviceGradients gradients,
                            const Device& device)
        : m_device(device)
        , m_size(size)
        , m_forward(device, size, {ffn, size.dModel, weights, device})
        , m_perChannel(ffn.coefficients == CoefficientSharing::perChannel)
        , m_gradient(gradients[0].data())
        , m_parts(device, size.tokens, size.dModel)
        , m_sums(m_parts.count * (m_perChannel ? 1 : m_parts.grid(size.dModel).x))
        , m_width(std::int64_t{ffn.termCount()} * (m_perChannel ? size.dModel : 1))
        , m_partial(device.memory(), static_cast<std::size_t>(m_sums * m_width))
    {
        if (ffn.selection == ChannelSelection::topK) {
            const std::int64_t words = wordsOf(size.dModel);
            m_chosen = DeviceBuffer<unsigned>(device.memory(),
                                              static_cast<std::size_t>(size.tokens * words));
            m_kept = {m_chosen.data(), words};
            m_forward.keepChoice(m_chosen.data());
        } else {
            m_kept = m_forward.descriptor().choice.fixed;
        }
    }

    void save(const float* x, float* y) override
    {
        m_x = x;
        m_forward.run(x, y);
    }

    void run(const float* dy, float* dx) override
    {
        const PolynomialValues& values = m_forward.descriptor().polynomial;
        const PolynomialGradients gradients{
            values, m_kept, m_size.dModel, m_perChannel, m_x, dy, dx, m_partial.data()};
        auto* kernel = values.count <= 4 ? &polynomialGradients<4>
            : values.count <= 8          ? &polynomialGradients<8>
            : values.count <= 16         ? &polynomialGradients<16>
                                         : &polynomialGradients<kMaxTerms>;
        FLOPSMITH_CHECK(values.count <= kMaxTerms);
        launch(m_device,
               m_parts.grid(m_size.dModel),
               kColumnsPerBlock,
               0,
               kernel,
               gradients,
               m_parts.rows,
               m_parts.rowsPerPart);
        addParts(m_device, m_partial.data(), m_sums, m_width, m_gradient);
    }

private:
    static constexpr int kMaxTerms = 65; // of degree 64

    const Device& m_device;
    StageSize m_size;
    ChannelStageAlone m_forward;
    bool m_perChannel;
    float* m_gradient;
    RowParts m_parts;
    std::int64_t m_sums; ///< rows of m_partial
    std::int64_t m_width;
    DeviceBuffer<float> m_partial;
    DeviceBuffer<unsigned> m_chosen;
    KeptBits m_kept;
    const float* m_x = nullptr;
};

} // namespace

std::unique_ptr<Stage> makeStage(const PolynomialFfn& ffn,
                                 const StageSize& size,
                                 DeviceWeights weights,
                                 const Device& device)
{
    return std::make_unique<ChannelStageAlone>(
        device, size, PreparedChannelStage(ffn, size.dModel, weights, device));
}

std::unique_ptr<BackwardStage> makeBackwardStage(const PolynomialFfn& ffn,
                                                 const StageSize& size,
                                                 DeviceWeights weights,
                                                 DeviceGradients gradients,
                                                 const Device& device)
{
    return std::make_unique<PolynomialBackwardStage>(ffn, size, weights, gradients, device);
}

} // namespace flopsmith::cuda
