// SPDX-License-Identifier: MIT
#include "core/ffn/composed.h"

#include "core/base/random.h"
#include "core/ffn/factored/kronecker.h"
#include "core/ffn/micro_refine.h"
#include "core/ffn/polynomial.h"
#include "core/ffn/spectral.h"
#include "core/ffn/token_feedback.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace flopsmith {
namespace {

constexpr Component kComposedComponent{"composed",
                                       "Composed: gates and sums",
                                       0x0B6E6E,
                                       Hatch::cross};

} // namespace

template <>
std::vector<std::string_view> enumNames<CompositionMode>()
{
    return {"parallel", "sequential"};
}

template <>
std::vector<std::string_view> enumNames<GateKind>()
{
    return {"none", "scalar", "channel"};
}

const VariantInfo& ComposedFfn::info()
{
    static constexpr VariantInfo kInfo{
        "composed",
        "Composed",
        "\xCE\xA3 \xCF\x83(g)\xC2\xB7stage(x), or in sequence",
        "Several cheap FFNs together, side by side or one after the other, each scaled by a "
        "learned gate. UltraEfficientSparseFFN is one of these.",
        &kComposedComponent};
    return kInfo;
}

const std::vector<Field<ComposedFfn>>& ComposedFfn::fields()
{
    static const std::vector<Field<ComposedFfn>> kFields{
        choiceField(&ComposedFfn::mode,
                    {"composition", "", "stages", "side by side, or one after the other", ""}),
        choiceField(&ComposedFfn::gate,
                    {"gate", "g", "gate", "none, one per stage, or one per channel", ""}),
        realField(&ComposedFfn::dropout,
                  {"dropout", "p", "dropout", "acts in training only", ""},
                  [](const ComposedFfn&, const FieldContext&) {
                      return LegalValues::reals(0.0, 0.95, 0.05);
                  }),
        onlyIf(integerField(
                   &ComposedFfn::dropoutSeed,
                   {"dropout_seed", "", "dropout seed", "draws what a training pass drops", ""},
                   [](const ComposedFfn&, const FieldContext&) {
                       return LegalValues::integers(0, 1'000'000);
                   }),
               [](const ComposedFfn& ffn) { return ffn.drops(); }),
    };
    return kFields;
}

ComposedFfn ultraEfficientSparseFfn()
{
    ComposedFfn ffn;
    ffn.dropout = 0.1;
    ffn.stages = {{SpectralFfn{}}, {PolynomialFfn{}}, {MicroRefineFfn{}}};
    return ffn;
}

ComposedFfn ultraEfficientFfn(int dModel, int dFf)
{
    ComposedFfn ffn;
    ffn.mode = CompositionMode::sequential;
    ffn.stages = {{SpectralFfn{.kFreq = std::max(1, dModel / 16), .selection = BinSelection::topK}},
                  {PolynomialFfn{.keepRatio = 0.25}},
                  {TokenFeedbackFfn{.keepRatio = 0.25, .rank = std::max(1, dModel / 32)}},
                  {KroneckerFfn{.dFf = dFf,
                                .d1 = nearRootDivisor(dModel),
                                .f1 = nearRootDivisor(dFf),
                                .keepRatio = 0.5}}};
    return ffn;
}

DropoutMask::DropoutMask(const ComposedFfn& ffn)
    : m_seed(Random(static_cast<std::uint64_t>(ffn.dropoutSeed)).next())
    , m_dropped(static_cast<std::uint64_t>(std::llround(ffn.dropout * 0x1.0p24)))
    , m_scale(1.0 / (1.0 - ffn.dropout))
{}

double DropoutMask::factor(std::size_t i) const
{
    // An odd factor keeps the streams of neighbouring elements apart.
    const std::uint64_t draw = Random(m_seed + i * 0xD1342543DE82EF95ULL).next() >> 40U;
    return draw < m_dropped ? 0.0 : m_scale;
}

FfnSpec withoutDropout(FfnSpec ffn)
{
    if (auto* composed = get_if<ComposedFfn>(&ffn)) {
        composed->dropout = 0.0;
        for (FfnStage& stage : composed->stages) {
            stage.spec = withoutDropout(std::move(stage.spec));
        }
    }
    return ffn;
}

WeightShapes weights(const ComposedFfn& ffn, int dModel)
{
    WeightShapes shapes;
    if (ffn.gate != GateKind::none) {
        const int width = ffn.gate == GateKind::channel ? dModel : 1;
        shapes.push_back(
            {"gates", static_cast<std::int64_t>(ffn.stages.size()), width, Init::small});
    }
    for (std::size_t i = 0; i < ffn.stages.size(); ++i) {
        for (WeightShape& shape : weights(ffn.stages[i].spec, dModel)) {
            shape.name = "stage[" + std::to_string(i) + "]/" + shape.name;
            shapes.push_back(std::move(shape));
        }
    }
    return shapes;
}

} // namespace flopsmith
