// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/block/elements.cuh"
#include "core/kernels/cuda/layer.h"
#include "core/kernels/cuda/layer/embedding_tokens.cuh"
#include "core/kernels/cuda/layer/norm_rows.h"
#include "core/kernels/cuda/stage_kernel.h"
#include "core/kernels/cuda/zeros.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace flopsmith::cuda {
namespace {

// The gradient of a table row is the sum over the tokens with its id, in order.
struct Scatter
{
    const float* dRows;
    const int* numbers; ///< distinct token ids
    const int* firsts; ///< each id's first index in `tokens`, then the end
    const int* tokens;
    float scale;
    std::int64_t width;
    float* table;

    template <int N>
    __device__ void operator()(std::int64_t which, std::int64_t column, Width<N>) const
    {
        Pack<float, N> sum{};
        for (int i = firsts[which]; i < firsts[which + 1]; ++i) {
            const Pack<float, N> row =
                load<N>(dRows + static_cast<std::int64_t>(tokens[i]) * width + column);
            for (int j = 0; j < N; ++j) {
                sum.at[j] += scale * row.at[j];
            }
        }
        store<N>(table + static_cast<std::int64_t>(numbers[which]) * width + column, sum);
    }
};

// Tokens grouped by id.
struct Occurrences
{
    std::vector<int> numbers;
    std::vector<int> firsts;
    std::vector<int> tokens;

    explicit Occurrences(std::span<const int> ids)
        : tokens(ids.size())
    {
        std::iota(tokens.begin(), tokens.end(), 0);
        std::stable_sort(tokens.begin(), tokens.end(), [&](int a, int b) {
            return ids[static_cast<std::size_t>(a)] < ids[static_cast<std::size_t>(b)];
        });
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            const int number = ids[static_cast<std::size_t>(tokens[i])];
            if (numbers.empty() || numbers.back() != number) {
                numbers.push_back(number);
                firsts.push_back(static_cast<int>(i));
            }
        }
        firsts.push_back(static_cast<int>(tokens.size()));
    }
};

class EmbeddingBackwardStage : public BackwardStage
{
public:
    EmbeddingBackwardStage(const Device& device,
                           const Embedding& embedding,
                           const Shape& shape,
                           std::span<const int> tokenIds,
                           DeviceWeights weights,
                           DeviceGradients gradients)
        : m_device(device)
        , m_rows(device, embedding, shape, tokenIds, weights)
        , m_norm(device,
                 embedding.norm,
                 m_rows.m_tokens,
                 m_rows.m_sumWidth,
                 weights.subspan(m_rows.m_tables),
                 gradients.subspan(m_rows.m_tables))
        , m_gradients(gradients)
        , m_dSums(device.memory(), static_cast<std::size_t>(m_rows.m_tokens * m_rows.m_sumWidth))
    {
        const Occurrences occurrences(tokenIds);
        m_numbers = DeviceBuffer<int>(device.memory(), occurrences.numbers);
        m_firsts = DeviceBuffer<int>(device.memory(), occurrences.firsts);
        m_tokens = DeviceBuffer<int>(device.memory(), occurrences.tokens);
        if (embedding.projects()) {
            m_dRows = DeviceBuffer<float>(device.memory(),
                                          static_cast<std::size_t>(m_rows.m_tokens)
                                              * static_cast<std::size_t>(m_rows.m_width));
            m_dProjected = RoundedRows(device, shape.activations());
            m_projectionSums = ColumnSums(device, m_rows.m_tokens, shape.dModel);
        }
        if (embedding.tokenTypes > 0) {
            m_typeSums = ColumnSums(device, m_rows.m_tokens, m_rows.m_sumWidth);
        }
    }

    void save(const float* /*x*/, float* y) override
    {
        const bool projectsLast = m_rows.m_embedding.sumsBeforeProjection();
        float* sums = projectsLast ? m_rows.m_rows.data() : y;
        m_rows.sums(sums);
        m_norm.save(sums, sums);
        if (projectsLast) {
            m_rows.project(sums, y);
        }
    }

    void run(const float* dy, float* /*dx*/) override
    {
        const float* dNormed = dy;
        if (m_rows.m_embedding.sumsBeforeProjection()) {
            projectBackward(dy);
            dNormed = m_dRows.data();
        }
        m_norm.runBackward(dNormed, m_dSums.data());
        positionsAndTypes();
        const float* dRows = m_dSums.data();
        if (m_rows.projectsFirst()) {
            projectBackward(m_dSums.data());
            dRows = m_dRows.data();
        }
        scatter(dRows);
    }

private:
    // dRows and the projection's gradients, for the rows that save() saved in m_rows.
    void projectBackward(const float* dTo)
    {
        const std::int64_t tokens = m_rows.m_tokens;
        const int d = m_rows.m_shape.dModel;
        const Operand rounded = m_dProjected.of(dTo, tokens, d);
        const Operand from = m_rows.m_rounded.of(m_rows.m_rows.data(), tokens, m_rows.m_width);
        m_rows.m_projection->backward(from,
                                      rounded,
                                      tokens,
                                      m_gradients[m_rows.m_projectionAt],
                                      destinationAt(m_dRows.data(), m_rows.m_width));
        if (m_rows.m_embedding.projection == Projection::biased) {
            m_projectionSums.run(
                operandAt(dTo, d), tokens, m_gradients[m_rows.m_projectionAt + 1].data());
        }
    }

    void positionsAndTypes()
    {
        const Embedding& embedding = m_rows.m_embedding;
        const int width = m_rows.m_sumWidth;
        if (embedding.positions == Positions::learned) {
            sumByPosition(m_device,
                          m_dSums.data(),
                          m_rows.m_shape.batch,
                          m_rows.m_shape.sequence,
                          m_rows.m_positions.first(),
                          width,
                          m_rows.m_positions.rows(),
                          m_gradients[1].data());
        }
        if (embedding.tokenTypes > 0) { // all tokens are of type 0
            const DeviceSpan<float> types = m_gradients[m_rows.m_tables - 1];
            writeZeros(m_device, types.data(), static_cast<std::int64_t>(types.size()));
            m_typeSums.run(operandAt(m_dSums.data(), width), m_rows.m_tokens, types.data());
        }
    }

    void scatter(const float* dRows)
    {
        const DeviceSpan<float> table = m_gradients[0];
        writeZeros(m_device, table.data(), static_cast<std::int64_t>(table.size()));
        forEachElement(m_device,
                       static_cast<std::int64_t>(m_numbers.size()),
                       m_rows.m_width,
                       Scatter{dRows,
                               m_numbers.data(),
                               m_firsts.data(),
                               m_tokens.data(),
                               m_rows.scale(),
                               m_rows.m_width,
                               table.data()});
    }

    const Device& m_device;
    TokenRows m_rows;
    NormRowsBackward m_norm;
    DeviceGradients m_gradients;
    DeviceBuffer<float> m_dSums; ///< [T, sumWidth]
    DeviceBuffer<float> m_dRows; ///< [T, width], where they are projected
    RoundedRows m_dProjected;
    ColumnSums m_projectionSums;
    ColumnSums m_typeSums;
    DeviceBuffer<int> m_numbers;
    DeviceBuffer<int> m_firsts;
    DeviceBuffer<int> m_tokens;
};

} // namespace

Result<std::unique_ptr<Kernel>> prepareBackward(const Embedding& embedding,
                                                const Shape& shape,
                                                WeightView<float> weights,
                                                std::span<const int> tokenIds,
                                                std::span<const float> dy,
                                                const Device& device)
{
    FLOPSMITH_CHECK(tokenIds.size() == shape.tokens() && !embedding.readsPatches());
    FLOPSMITH_CHECK(dy.size() == shape.activations());
    expectNumbers(embedding, tokenIds);
    return prepared(device, [&]() -> std::unique_ptr<Kernel> {
        return std::make_unique<BackwardStageKernel>(
            device,
            weights,
            std::span<const float>(),
            dy,
            0,
            flopsmith::weights(embedding, shape.dModel),
            [&](DeviceWeights onDevice, DeviceGradients gradients) {
                return std::make_unique<EmbeddingBackwardStage>(
                    device, embedding, shape, tokenIds, onDevice, gradients);
            });
    });
}

} // namespace flopsmith::cuda
