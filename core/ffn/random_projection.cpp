// SPDX-License-Identifier: MIT
#include "core/ffn/random_projection.h"

#include "core/base/random.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace flopsmith {
namespace {

constexpr Component kRandomProjectionComponent{"random_projection",
                                               "Random projection",
                                               0x8A9A1B,
                                               Hatch::vertical};

} // namespace

SignMatrix SignMatrix::drawn(int rows, int columns, int perRow, std::uint64_t seed)
{
    FLOPSMITH_CHECK(1 <= perRow && perRow <= columns);
    SignMatrix matrix{rows, columns, perRow, {}};
    matrix.entries.reserve(static_cast<std::size_t>(rows) * static_cast<std::size_t>(perRow));
    Random random(seed);
    // Every row continues the shuffle of the row before: any start is as good as another.
    std::vector<std::int32_t> order(static_cast<std::size_t>(columns));
    std::iota(order.begin(), order.end(), 0);
    for (int row = 0; row < rows; ++row) {
        for (int i = 0; i < perRow; ++i) {
            std::swap(order[static_cast<std::size_t>(i)],
                      order[static_cast<std::size_t>(random.integer(i, columns - 1))]);
        }
        std::sort(order.begin(), order.begin() + perRow);
        std::uint64_t signs = 0;
        for (int i = 0; i < perRow; ++i) {
            signs = i % 64 == 0 ? random.next() : signs >> 1;
            const std::int32_t column = order[static_cast<std::size_t>(i)];
            matrix.entries.push_back((signs & 1) != 0 ? ~column : column);
        }
    }
    return matrix;
}

SignMatrix RandomProjectionFfn::inputProjection(int dModel) const
{
    return SignMatrix::drawn(
        features, dModel, inputsPerFeature(dModel), 2 * static_cast<std::uint64_t>(seed));
}

SignMatrix RandomProjectionFfn::outputProjection(int dModel) const
{
    return SignMatrix::drawn(
        dModel, features, featuresPerOutput(), 2 * static_cast<std::uint64_t>(seed) + 1);
}

double RandomProjectionFfn::inputScale(int dModel) const
{
    return 1.0 / std::sqrt(static_cast<double>(inputsPerFeature(dModel)));
}

double RandomProjectionFfn::outputScale() const
{
    return 1.0 / std::sqrt(static_cast<double>(featuresPerOutput()));
}

const VariantInfo& RandomProjectionFfn::info()
{
    static constexpr VariantInfo kInfo{
        "random_projection",
        "Random projection",
        "R\xE2\x82\x82(g \xE2\x8A\x99 act(R\xE2\x82\x81x + b)), R of \xC2\xB1"
        "1",
        "Sends each token through two fixed random matrices with few entries, all of them +1 or "
        "-1: sums and differences instead of products. Only a gain and a bias are trained.",
        &kRandomProjectionComponent};
    return kInfo;
}

const std::vector<Field<RandomProjectionFfn>>& RandomProjectionFfn::fields()
{
    static const std::vector<Field<RandomProjectionFfn>> kFields{
        integerField(
            &RandomProjectionFfn::features,
            {"projection_features", "m", "features", "width of the random features", "features"},
            [](const RandomProjectionFfn&, const FieldContext&) {
                return LegalValues::integers(1, 1'048'576, Scale::log2);
            }),
        ratioField(&RandomProjectionFfn::density,
                   {"density",
                    "\xCE\xB4",
                    "density",
                    "share of non-zeros in each row of both matrices",
                    ""}),
        choiceField(&RandomProjectionFfn::activation,
                    {"activation", "", "activation", "between the projections", ""}),
        integerField(&RandomProjectionFfn::seed,
                     {"projection_seed", "", "matrix seed", "draws both matrices", ""},
                     [](const RandomProjectionFfn&, const FieldContext&) {
                         return LegalValues::integers(0, 1'000'000);
                     }),
    };
    return kFields;
}

WeightShapes weights(const RandomProjectionFfn& ffn, int /*dModel*/)
{
    return {{"gain", 1, ffn.features, Init::ones}, {"bias", 1, ffn.features, Init::small}};
}

} // namespace flopsmith
