// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn/random_projection/random_projection_layer.h"

namespace flopsmith::cpu {
namespace {

std::variant<SignedSums, GatheredSums> arranged(const SignMatrix& matrix,
                                                Stored stored,
                                                const StageSize& size)
{
    const std::int64_t columns = stored == Stored::notTransposed ? matrix.columns : matrix.rows;
    if (size.tokens == 1 && GatheredSums::supports(columns)) {
        return GatheredSums(matrix, stored, size.threads);
    }
    return SignedSums(matrix, stored, widestTile(size), size.threads);
}

} // namespace

SignProduct::SignProduct(const SignMatrix& matrix, Stored stored, const StageSize& size)
    : m_sums(arranged(matrix, stored, size))
{}

void SignProduct::run(const float* from, float* sums, int width, int panel) const
{
    if (const auto* gathered = std::get_if<GatheredSums>(&m_sums)) {
        gathered->run(from, sums, panel);
    } else {
        std::get<SignedSums>(m_sums).run(from, sums, width, panel);
    }
}

void ProjectionFinish::operator()(const ProjectionTile& tile,
                                  const Range& rows,
                                  float* slopes,
                                  float* hidden) const
{
    const std::int64_t first = rows.first * tile.width;
    const auto count = static_cast<std::size_t>(rows.size() * tile.width);
    if (slopes == nullptr && hidden == nullptr && tile.width > 1) {
        finishRows(activation,
                   alpha,
                   bias + rows.first,
                   gain + rows.first,
                   tile.features + first,
                   static_cast<std::size_t>(rows.size()),
                   static_cast<std::size_t>(tile.width));
        return;
    }
    float* const values = tile.features + first;
    transformTile(tile.features, tile.width, rows, [this](float sum, std::int64_t i) {
        return alpha * sum + bias[i];
    });
    if (slopes == nullptr) {
        addBiasAndActivate(activation, nullptr, values, count);
    } else {
        activateKeepingSlopes(activation, values, slopes + first, count);
    }
    if (hidden != nullptr) {
        std::copy_n(values, count, hidden + first);
    }
    transformTile(
        tile.features, tile.width, rows, [this](float h, std::int64_t i) { return gain[i] * h; });
}

ProjectionFinish finishOf(const RandomProjectionFfn& ffn, int dModel, WeightView<float> weights)
{
    return {.activation = ffn.activation,
            .alpha = static_cast<float>(ffn.inputScale(dModel)),
            .gain = weights[0].data(),
            .bias = weights[1].data()};
}

} // namespace flopsmith::cpu
