// SPDX-License-Identifier: MIT
#include "core/lab/plan/arms.h"

#include "core/base/printable.h"
#include "core/count/lens.h"
#include "core/ffn/ffn_variants.h"
#include "core/model/operation.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <system_error>
#include <variant>

namespace flopsmith {
namespace {

constexpr int kCostedTokens = 256;
constexpr int kWidestArm = 1'048'576;
constexpr std::string_view kDensePrefix = "dense_f";

// Counts of features and bins grow with the width of a model, but these with its root.
constexpr std::array<std::string_view, 3> kFactorKeys{"d_1", "f_1", "blocks"};

FfnSpec resized(FfnSpec ffn, double ratio)
{
    for (const Field<FfnSpec>& field : fields(ffn)) {
        const bool isFactor = std::ranges::find(kFactorKeys, field.text.key) != kFactorKeys.end();
        const bool isWidth =
            !isFactor && (field.text.unit == "features" || field.text.unit == "bins");
        const FieldValue value = field.value(ffn);
        const auto* number = std::get_if<std::int64_t>(&value);
        if (number != nullptr && (isWidth || isFactor)) {
            const double factor = isWidth ? ratio : std::sqrt(ratio);
            const double scaled = std::round(static_cast<double>(*number) * factor);
            field.assign(ffn, static_cast<std::int64_t>(std::clamp(scaled, 1.0, 1e6)));
        }
    }
    if (auto* composed = get_if<ComposedFfn>(&ffn)) {
        for (FfnStage& stage : composed->stages) {
            stage.spec = resized(stage.spec, ratio);
        }
    }
    return ffn;
}

// The divisor nearest to the root.
int squareDivisor(int number)
{
    int divisor = 1;
    for (int i = 1; i * i <= number; ++i) {
        divisor = number % i == 0 ? i : divisor;
    }
    return divisor;
}

FfnSpec kroneckerArm(int dModel, int rank)
{
    return KroneckerFfn{.dFf = 4 * dModel,
                        .d1 = squareDivisor(dModel),
                        .f1 = squareDivisor(4 * dModel),
                        .rank = rank};
}

FfnSpec tokenFeedbackArm(int dModel)
{
    return TokenFeedbackFfn{.rank = std::max(1, dModel / 4), .stepWeights = StepWeights::perStep};
}

struct NamedArm
{
    ArmName text;
    FfnSpec (*make)(int dModel);
};

const std::vector<NamedArm>& namedArms()
{
    static const std::vector<NamedArm> kArms = {
        {{kNoFfnArm, "no FFN; in every comparison"}, [](int) -> FfnSpec { return NoFfn{}; }},
        {{kLinearArm, "a linear map, as two matrices; in every comparison"},
         [](int d) -> FfnSpec { return DenseFfn{.dFf = d, .activation = Activation::none}; }},
        {{"dense", "f = 4 d_model", "Dense and experts"},
         [](int d) -> FfnSpec { return DenseFfn{.dFf = 4 * d}; }},
        {{"gated", "SwiGLU of the same cost as dense", "Dense and experts"},
         [](int d) -> FfnSpec { return GatedFfn{.dFf = std::max(1, 8 * d / 3)}; }},
        {{"low_rank", "rank d_model/5", "Factored matrices"},
         [](int d) -> FfnSpec { return LowRankFfn{.dFf = 4 * d, .rank = std::max(1, d / 5)}; }},
        {{"kronecker", "one term", "Factored matrices"}, [](int d) { return kroneckerArm(d, 1); }},
        {{"kronecker4", "four terms", "Factored matrices"},
         [](int d) { return kroneckerArm(d, 4); }},
        {{"monarch", "as many blocks as the root of d_model", "Factored matrices"},
         [](int d) -> FfnSpec {
             return MonarchFfn{.dFf = 4 * d, .blocks = MonarchFfn::usualBlocks(d, 4 * d)};
         }},
        {{"spectral", "all frequencies, a circulant map", "Spectral"},
         [](int d) -> FfnSpec { return SpectralFfn{.kFreq = SpectralFfn::bins(d)}; }},
        {{"spectral_gelu", "the same with an activation", "Spectral"},
         [](int d) -> FfnSpec {
             return SpectralFfn{.kFreq = SpectralFfn::bins(d), .activation = Activation::geluTanh};
         }},
        {{"spectral_low", "a fifth of the frequencies, the low ones", "Spectral"},
         [](int d) -> FfnSpec {
             return SpectralFfn{.kFreq = std::max(1, SpectralFfn::bins(d) / 5)};
         }},
        {{"polynomial", "cubic, per channel", "Other cheap FFNs"},
         [](int) -> FfnSpec {
             return PolynomialFfn{.keepRatio = 1.0, .coefficients = CoefficientSharing::perChannel};
         }},
        {{"chebyshev", "the same in Chebyshev's basis", "Other cheap FFNs"},
         [](int) -> FfnSpec {
             return PolynomialFfn{.keepRatio = 1.0,
                                  .basis = PolynomialBasis::chebyshev,
                                  .coefficients = CoefficientSharing::perChannel};
         }},
        {{"micro_refine", "as the design notes have it", "Other cheap FFNs"},
         [](int) -> FfnSpec { return MicroRefineFfn{}; }},
        {{"random_projection", "4 d_model features of a tenth of the inputs", "Other cheap FFNs"},
         [](int d) -> FfnSpec { return RandomProjectionFfn{.features = 4 * d}; }},
        {{"token_feedback", "four steps on half of the channels, own weights", "Other cheap FFNs"},
         tokenFeedbackArm},
        {{"moe", "4 experts of f = 2 d_model, 1 per token, not renormalised", "Dense and experts"},
         [](int d) -> FfnSpec {
             return MoeFfn{.experts = 4,
                           .perToken = 1,
                           .expert = ExpertKind::dense,
                           .dFf = 2 * d,
                           .activation = Activation::geluTanh,
                           .bias = true,
                           .renormalise = false};
         }},
        {{"ultra", "UltraEfficientSparseFFN", "Composed"},
         [](int) -> FfnSpec { return ultraEfficientSparseFfn(); }},
        {{"ultra_ffn", "UltraEfficientFFN", "Composed"},
         [](int d) -> FfnSpec { return ultraEfficientFfn(d, 4 * d); }},
    };
    return kArms;
}

std::optional<int> denseWidth(std::string_view name)
{
    if (!name.starts_with(kDensePrefix)) {
        return std::nullopt;
    }
    name.remove_prefix(kDensePrefix.size());
    int width = 0;
    const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), width);
    const bool isNumber = problem == std::errc() && end == name.data() + name.size();
    return isNumber && width >= 1 && width <= kWidestArm ? std::optional(width) : std::nullopt;
}

bool isPlainDense(const FfnSpec& ffn)
{
    const auto* dense = get_if<DenseFfn>(&ffn);
    return dense != nullptr && dense->activation != Activation::none;
}

const Arm* armCalled(const std::vector<Arm>& arms, std::string_view name)
{
    const auto found =
        std::find_if(arms.begin(), arms.end(), [&](const Arm& arm) { return arm.name == name; });
    return found == arms.end() ? nullptr : &*found;
}

Status legalArm(const Arm& arm, int dModel)
{
    const FfnSpec& ffn = arm.ffn;
    for (const Field<FfnSpec>& field : fields(ffn)) {
        const LegalValues legal = field.legal(ffn, FieldContext{dModel});
        if (field.applies(ffn) && !legal.contains(field.value(ffn))) {
            return Error{"arm " + excerpt(arm.name) + ": " + std::string(field.text.key) + " is "
                         + valueText(field.value(ffn)) + "; at width " + std::to_string(dModel)
                         + " it must be " + legal.text()};
        }
    }
    if (const auto* composed = get_if<ComposedFfn>(&ffn)) {
        if (composed->stages.empty()) {
            return Error{"arm " + excerpt(arm.name) + " has no stages; give it at least one"};
        }
        for (const FfnStage& stage : composed->stages) {
            FLOPSMITH_RETURN_IF_ERROR(legalArm({.name = arm.name, .ffn = stage.spec}, dModel));
        }
    }
    return Done{};
}

} // namespace

// Twice, because legal values depend on others.
FfnSpec legalAt(FfnSpec ffn, int dModel)
{
    for (int round = 0; round < 2; ++round) {
        for (const Field<FfnSpec>& field : fields(ffn)) {
            const LegalValues legal = field.legal(ffn, FieldContext{dModel});
            if (!legal.contains(field.value(ffn))) {
                field.assign(ffn, legal.nearest(field.value(ffn)));
            }
        }
    }
    if (auto* composed = get_if<ComposedFfn>(&ffn)) {
        for (FfnStage& stage : composed->stages) {
            stage.spec = legalAt(stage.spec, dModel);
        }
    }
    return ffn;
}

const std::vector<ArmName>& armNames()
{
    static const std::vector<ArmName> kNames = [] {
        std::vector<ArmName> names;
        for (const NamedArm& arm : namedArms()) {
            names.push_back(arm.text);
        }
        return names;
    }();
    return kNames;
}

Result<FfnSpec> armNamed(std::string_view name, int dModel)
{
    std::string known;
    for (const NamedArm& arm : namedArms()) {
        if (arm.text.name == name) {
            return withoutDropout(legalAt(arm.make(dModel), dModel));
        }
        known += std::string(arm.text.name) + ", ";
    }
    if (const std::optional<int> width = denseWidth(name)) {
        return FfnSpec(DenseFfn{.dFf = *width});
    }
    return Error{"There is no arm \"" + excerpt(name) + "\"; known are " + known
                 + "and dense_fN for a dense FFN of width N"};
}

FfnSpec ffnAtWidth(const FfnSpec& ffn, int from, int to)
{
    const double ratio = static_cast<double>(to) / static_cast<double>(std::max(1, from));
    return withoutDropout(legalAt(from == to ? ffn : resized(ffn, ratio), to));
}

double ffnFlopsPerToken(const FfnSpec& ffn, int dModel)
{
    Operation operation{.what = withoutDropout(ffn), .dModel = dModel, .batch = kCostedTokens};
    Count sum = 0;
    for (const ComputePass pass : {ComputePass::forward, ComputePass::backward}) {
        operation.pass = pass;
        const CostTree<Count> tree = costTree(operation);
        sum += tree.size() > 0 ? exactFlops(tree.total().count) : 0;
    }
    return toDouble(sum) / kCostedTokens;
}

DenseFfn narrowedDense(const FfnSpec& ffn, int dModel)
{
    const double wanted = ffnFlopsPerToken(ffn, dModel);
    int fits = 1;
    int tooWide = 2;
    while (tooWide < kWidestArm && ffnFlopsPerToken(DenseFfn{.dFf = tooWide}, dModel) <= wanted) {
        fits = tooWide;
        tooWide *= 2;
    }
    while (tooWide - fits > 1) {
        const int middle = fits + (tooWide - fits) / 2;
        (ffnFlopsPerToken(DenseFfn{.dFf = middle}, dModel) <= wanted ? fits : tooWide) = middle;
    }
    return {.dFf = fits};
}

Result<std::vector<Arm>> comparedArms(const std::vector<Arm>& chosen, int dModel, bool rivals)
{
    std::vector<Arm> arms;
    for (Arm arm : chosen) {
        if (armCalled(arms, arm.name) != nullptr) {
            return Error{"arm " + excerpt(arm.name) + " is listed twice; name each once"};
        }
        FLOPSMITH_RETURN_IF_ERROR(legalArm(arm, dModel));
        arm.ffn = withoutDropout(arm.ffn);
        const bool isControl = arm.name == kNoFfnArm || arm.name == kLinearArm;
        const bool isReserved = isControl || denseWidth(arm.name).has_value();
        if (isReserved && armNamed(arm.name, dModel).value() != arm.ffn) {
            return Error{"arm " + excerpt(arm.name)
                         + ": this name stands for another FFN; choose a name of its own"};
        }
        arm.role = isControl ? ArmRole::control : ArmRole::chosen;
        arms.push_back(std::move(arm));
    }
    for (const std::string_view control : {kNoFfnArm, kLinearArm}) {
        if (armCalled(arms, control) == nullptr) {
            arms.push_back({.name = std::string(control),
                            .ffn = armNamed(control, dModel).value(),
                            .role = ArmRole::control});
        }
    }
    const std::size_t count = arms.size();
    for (std::size_t i = 0; i < count; ++i) {
        if (!rivals || arms[i].role != ArmRole::chosen || isPlainDense(arms[i].ffn)
            || holds_alternative<NoFfn>(arms[i].ffn)) {
            continue;
        }
        const DenseFfn narrowed = narrowedDense(arms[i].ffn, dModel);
        const std::string name = std::string(kDensePrefix) + std::to_string(narrowed.dFf);
        arms[i].rival = name;
        if (armCalled(arms, name) == nullptr) {
            arms.push_back({.name = name, .ffn = narrowed, .role = ArmRole::narrowed});
        }
    }
    return arms;
}

std::vector<std::string> armNotes(const Arm& arm, int dModel)
{
    std::vector<std::string> notes;
    const auto* moe = get_if<MoeFfn>(&arm.ffn);
    if (moe != nullptr && moe->perToken == 1 && moe->renormalise) {
        notes.push_back(arm.name
                        + ": with one expert per token and renormalised weights its router has no "
                          "gradient; it stays random");
    }
    if (!arm.rival.empty()) {
        const double own = ffnFlopsPerToken(arm.ffn, dModel);
        const double narrowest = ffnFlopsPerToken(DenseFfn{.dFf = 1}, dModel);
        if (narrowest > own) {
            notes.push_back(arm.name + ": even a dense FFN of width 1 is more expensive");
        }
    }
    return notes;
}

} // namespace flopsmith
