// SPDX-License-Identifier: MIT
#include "core/ffn/token_feedback.h"

#include <algorithm>

namespace flopsmith {
namespace {

constexpr Component kTokenFeedbackComponent{"token_feedback",
                                            "Token feedback",
                                            0xD55E00,
                                            Hatch::dots};

// Squares fed back into themselves grow without bound within a few steps.
LegalValues legalActivation(const TokenFeedbackFfn& /*ffn*/, const FieldContext& /*context*/)
{
    std::vector<std::string_view> names = enumNames<Activation>();
    names.erase(std::find(names.begin(), names.end(), enumName(Activation::reluSquared)));
    return LegalValues::choices(names);
}

Field<TokenFeedbackFfn> activationField()
{
    Field<TokenFeedbackFfn> field =
        choiceField(&TokenFeedbackFfn::activation,
                    {"activation", "", "activation", "between the two products of a step", ""});
    field.legal = legalActivation;
    return field;
}

} // namespace

template <>
std::vector<std::string_view> enumNames<FeatureWindow>()
{
    return {"rotating", "top_k"};
}

template <>
std::vector<std::string_view> enumNames<Feedback>()
{
    return {"self", "previous_token"};
}

template <>
std::vector<std::string_view> enumNames<StepWeights>()
{
    return {"shared", "per_step"};
}

int TokenFeedbackFfn::windowStart(int step, int dModel) const
{
    return static_cast<int>(std::int64_t{step} * keptFeatures(dModel) % dModel);
}

int TokenFeedbackFfn::reachedFeatures(int dModel) const
{
    return static_cast<int>(
        std::min(std::int64_t{steps} * keptFeatures(dModel), std::int64_t{dModel}));
}

const VariantInfo& TokenFeedbackFfn::info()
{
    static constexpr VariantInfo kInfo{
        "token_feedback",
        "Token feedback",
        "M times x_S += \xCF\x83(c \xE2\x8A\x99 \xCF\x86 + e) \xE2\x8A\x99 B\xC2\xB7"
        "act(Ax_S + a)",
        "Refines some features of a token in several small steps; each step is let through by a "
        "gate that looks at the token itself or at the one before it.",
        &kTokenFeedbackComponent};
    return kInfo;
}

const std::vector<Field<TokenFeedbackFfn>>& TokenFeedbackFfn::fields()
{
    static const std::vector<Field<TokenFeedbackFfn>> kFields{
        integerField(&TokenFeedbackFfn::steps,
                     {"feedback_steps", "M", "feedback_steps", "how often a token is refined", ""},
                     [](const TokenFeedbackFfn&, const FieldContext&) {
                         return LegalValues::integers(1, 16);
                     }),
        ratioField(&TokenFeedbackFfn::keepRatio,
                   {"feedback_keep_ratio",
                    "\xCF\x81",
                    "feedback_keep_ratio",
                    "share of the features that a step works on",
                    ""}),
        integerField(
            &TokenFeedbackFfn::rank,
            {"feedback_rank", "r", "feedback_rank", "width between the two products", "features"},
            [](const TokenFeedbackFfn&, const FieldContext&) {
                return LegalValues::integers(1, 65'536, Scale::log2);
            }),
        activationField(),
        choiceField(&TokenFeedbackFfn::window,
                    {"feedback_selection",
                     "",
                     "features",
                     "a window that moves on with each step, or the largest of each token",
                     ""}),
        choiceField(&TokenFeedbackFfn::feedback,
                    {"feedback", "", "feedback", "what opens the gates", ""}),
        choiceField(&TokenFeedbackFfn::stepWeights,
                    {"feedback_weights", "", "weights", "one set for all steps, or one each", ""}),
    };
    return kFields;
}

WeightShapes weights(const TokenFeedbackFfn& ffn, int dModel)
{
    const int s = ffn.keptFeatures(dModel);
    WeightShapes shapes;
    for (int set = 0; set < ffn.weightSets(); ++set) {
        const std::string step =
            ffn.stepWeights == StepWeights::shared ? "" : "step[" + std::to_string(set) + "]/";
        shapes.push_back({step + "down.weight", s, ffn.rank, Init::normal});
        shapes.push_back({step + "down.bias", 1, ffn.rank, Init::small});
        shapes.push_back({step + "up.weight", ffn.rank, s, Init::normal});
        shapes.push_back({step + "gate.scale", 1, dModel, Init::ones});
        shapes.push_back({step + "gate.shift", 1, dModel, Init::small});
    }
    return shapes;
}

} // namespace flopsmith
