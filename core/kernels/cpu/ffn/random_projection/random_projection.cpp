// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn/random_projection/random_projection_layer.h"
#include "core/kernels/cpu/stage.h"

namespace flopsmith::cpu {
namespace {

class RandomProjectionStage : public Stage
{
public:
    RandomProjectionStage(const RandomProjectionFfn& ffn,
                          const StageSize& size,
                          WeightView<float> weights)
        : m_projections(ffn, size, Stored::notTransposed)
        , m_tiles(ffn, size)
        , m_finish(finishOf(ffn, size.dModel, weights))
        , m_beta(static_cast<float>(ffn.outputScale()))
    {}

    void run(const float* x, float* y) override
    {
        m_tiles.forEach([&](const ProjectionTile& tile, const auto& each) {
            m_projections.forward(x, tile, m_beta, y, each, [&](const Range& rows) {
                m_finish(tile, rows, nullptr, nullptr);
            });
        });
    }

private:
    Projections m_projections;
    ProjectionTiles m_tiles;
    ProjectionFinish m_finish;
    float m_beta;
};

} // namespace

Result<std::unique_ptr<Stage>> makeStage(const RandomProjectionFfn& ffn,
                                         const StageSize& size,
                                         WeightView<float> weights)
{
    return std::unique_ptr<Stage>(std::make_unique<RandomProjectionStage>(ffn, size, weights));
}

} // namespace flopsmith::cpu
