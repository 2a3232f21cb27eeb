// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/layer.h"
#include "core/kernels/cuda/layer/embedding_tokens.cuh"
#include "core/kernels/cuda/layer/norm_rows.h"
#include "core/kernels/cuda/stage_kernel.h"

namespace flopsmith::cuda {
namespace {

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

} // namespace flopsmith::cuda
