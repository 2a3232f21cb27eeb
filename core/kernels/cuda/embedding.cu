// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/elements.cuh"
#include "core/kernels/cuda/embedding_rows.h"
#include "core/kernels/cuda/layer.h"
#include "core/kernels/cuda/norm_rows.h"
#include "core/kernels/cuda/stage_kernel.h"
#include "core/kernels/cuda/zeros.h"

#include <algorithm>
#include <numeric>

namespace flopsmith::cuda {
namespace {

// to = scale·(row of the table, or of `from` if there are no ids) + position row + type row; the
// last two may be null.
struct Gather
{
    const float* from;
    const int* ids;
    float scale;
    const float* positions;
    std::int64_t positionRows;
    std::int64_t firstPosition;
    std::int64_t sequence;
    const float* type;
    std::int64_t width;
    float* to;

    template <int N>
    __device__ void operator()(std::int64_t token, std::int64_t column, Width<N>) const
    {
        const std::int64_t row = ids == nullptr ? token : ids[token];
        Pack<float, N> sum = load<N>(from + row * width + column);
        for (int i = 0; i < N; ++i) {
            sum.at[i] *= scale;
        }
        if (positions != nullptr) {
            const std::int64_t position = (firstPosition + token % sequence) % positionRows;
            add<N>(sum, positions + position * width + column);
        }
        if (type != nullptr) {
            add<N>(sum, type + column);
        }
        store<N>(to + token * width + column, sum);
    }

private:
    template <int N>
    __device__ static void add(Pack<float, N>& sum, const float* row)
    {
        const Pack<float, N> values = load<N>(row);
        for (int i = 0; i < N; ++i) {
            sum.at[i] += values.at[i];
        }
    }
};

// The gradient of the rows that occur: those of the tokens with the same number, in their order.
struct Scatter
{
    const float* dRows;
    const int* numbers; ///< that occur
    const int* firsts; ///< where the tokens of each begin in `tokens`, and their end
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

// Which tokens have the same number.
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

// What both passes share: where each tensor is, and the sums before the norm.
class TokenRows
{
public:
    TokenRows(const Device& device,
              const Embedding& embedding,
              const Shape& shape,
              std::span<const int> tokenIds,
              DeviceWeights weights)
        : m_device(device)
        , m_embedding(embedding)
        , m_shape(shape)
        , m_tokens(static_cast<std::int64_t>(shape.tokens()))
        , m_width(embedding.tableWidth(shape.dModel))
        , m_sumWidth(embedding.sumWidth(shape.dModel))
        , m_tables(static_cast<std::size_t>(embedding.tables()))
        , m_projectionAt(m_tables + flopsmith::weights(embedding.norm, 1).size())
        , m_table(weights[0].data())
        , m_ids(device.memory(), tokenIds)
        , m_positions(device,
                      embedding,
                      shape,
                      m_sumWidth,
                      embedding.positions == Positions::learned ? std::optional(weights[1])
                                                                : std::nullopt)
        , m_type(embedding.tokenTypes > 0 ? weights[m_tables - 1].data() : nullptr)
    {
        if (embedding.projects()) {
            const bool biased = embedding.projection == Projection::biased;
            m_projection.emplace(device,
                                 m_width,
                                 shape.dModel,
                                 weights[m_projectionAt],
                                 biased ? weights[m_projectionAt + 1] : DeviceSpan<const float>());
            m_rounded = RoundedRows(device, static_cast<std::size_t>(m_tokens * m_width));
            m_rows =
                DeviceBuffer<float>(device.memory(), static_cast<std::size_t>(m_tokens * m_width));
        }
    }

    bool projectsFirst() const
    {
        return m_embedding.projects() && !m_embedding.positionsBeforeProjection;
    }

    // Before the norm, [T, sumWidth].
    void sums(float* to)
    {
        if (!projectsFirst()) {
            gather(m_table, m_ids.data(), scale(), true, m_width, to);
            return;
        }
        gather(m_table, m_ids.data(), scale(), false, m_width, m_rows.data());
        project(m_rows.data(), to);
        gather(to, nullptr, 1.0F, true, m_sumWidth, to);
    }

    // [T, width] to [T, d].
    void project(const float* from, float* to)
    {
        m_projection->run(
            m_rounded.of(from, m_tokens, m_width), m_tokens, destinationAt(to, m_shape.dModel));
    }

    float scale() const
    {
        return m_embedding.scale ? static_cast<float>(embeddingScale(m_shape.dModel)) : 1.0F;
    }

    const Device& m_device;
    Embedding m_embedding;
    Shape m_shape;
    std::int64_t m_tokens;
    int m_width; ///< of the token table
    int m_sumWidth; ///< of positions, token types and norm
    std::size_t m_tables;
    std::size_t m_projectionAt; ///< where its matrix stands among the tensors
    const float* m_table;
    DeviceBuffer<int> m_ids;
    PositionRows m_positions;
    const float* m_type;
    std::optional<Linear> m_projection;
    RoundedRows m_rounded;
    DeviceBuffer<float> m_rows; ///< [T, width], looked up or normed, where they are projected

private:
    void gather(const float* from,
                const int* ids,
                float factor,
                bool adds,
                std::int64_t width,
                float* to) const
    {
        forEachElement(m_device,
                       m_tokens,
                       width,
                       Gather{.from = from,
                              .ids = ids,
                              .scale = factor,
                              .positions = adds ? m_positions.table() : nullptr,
                              .positionRows = m_positions.rows(),
                              .firstPosition = m_positions.first(),
                              .sequence = m_shape.sequence,
                              .type = adds ? m_type : nullptr,
                              .width = width,
                              .to = to});
    }
};

class EmbeddingStage
{
public:
    EmbeddingStage(const Device& device,
                   const Embedding& embedding,
                   const Shape& shape,
                   std::span<const int> tokenIds,
                   DeviceWeights weights)
        : m_rows(device, embedding, shape, tokenIds, weights)
        , m_norm(device,
                 embedding.norm,
                 m_rows.m_tokens,
                 m_rows.m_sumWidth,
                 weights.subspan(m_rows.m_tables))
    {}

    void run(const float* /*x*/, float* y)
    {
        const bool projectsLast = m_rows.m_embedding.sumsBeforeProjection();
        float* sums = projectsLast ? m_rows.m_rows.data() : y;
        m_rows.sums(sums);
        m_norm.run(sums, sums);
        if (projectsLast) {
            m_rows.project(sums, y);
        }
    }

private:
    TokenRows m_rows;
    NormRows m_norm;
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

    void remember(const float* /*x*/, float* y) override
    {
        const bool projectsLast = m_rows.m_embedding.sumsBeforeProjection();
        float* sums = projectsLast ? m_rows.m_rows.data() : y;
        m_rows.sums(sums);
        m_norm.remember(sums, sums);
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
    // dRows, and the projection's gradients, of the rows that remember() left in m_rows.
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

void expectNumbers(const Embedding& embedding, std::span<const int> tokenIds)
{
    FLOPSMITH_CHECK(std::all_of(
        tokenIds.begin(), tokenIds.end(), [&](int id) { return id >= 0 && id < embedding.vocab; }));
}

} // namespace

Result<std::unique_ptr<Kernel>> prepare(const Embedding& embedding,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        std::span<const int> tokenIds,
                                        const Device& device)
{
    FLOPSMITH_CHECK(tokenIds.size() == shape.tokens() && !embedding.readsPatches());
    expectNumbers(embedding, tokenIds);
    return prepared(device, [&]() -> std::unique_ptr<Kernel> {
        return std::make_unique<StageKernel<EmbeddingStage>>(
            device,
            weights,
            std::span<const float>(),
            shape.activations(),
            [&](DeviceWeights onDevice) {
                return std::make_unique<EmbeddingStage>(
                    device, embedding, shape, tokenIds, onDevice);
            });
    });
}

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
