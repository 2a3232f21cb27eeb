// SPDX-License-Identifier: MIT
#include "core/mixer/attention.h"

#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>

namespace flopsmith {
namespace {

constexpr Component kAttentionComponent{"attention", "Attention", 0x0072B2, Hatch::none};
constexpr int kMaxHeads = 4096;

// With an odd d_model no number of heads gives RoPE an even head_dim: then RoPE is reported.
LegalValues legalHeads(const Attention& attention, const FieldContext& context)
{
    if (attention.headDim > 0) {
        return LegalValues::integers(1, kMaxHeads, Scale::log2);
    }
    const bool wantsEven = attention.rotary && attention.rotaryDim == 0;
    return LegalValues::divisorsOf(wantsEven && context.dModel % 2 == 0 ? context.dModel / 2
                                                                        : context.dModel);
}

int headDimOrNone(const Attention& attention, const FieldContext& context)
{
    return attention.heads < 1 ? 0 : attention.headDimFor(context.dModel);
}

// RoPE turns pairs of features, so it needs an even number of them.
LegalValues legalRotary(const Attention& attention, const FieldContext& context)
{
    if (attention.heads < 1) {
        return LegalValues::flag(); // the number of heads is the problem
    }
    const int headDim = attention.headDimFor(context.dModel);
    const bool hasPairs = headDim % 2 == 0 || (attention.rotaryDim > 0 && headDim > 1);
    return hasPairs && headDim > 0 ? LegalValues::flag() : LegalValues::onlyFalse();
}

// 0, all features, only if they are even in number.
LegalValues legalRotaryDim(const Attention& attention, const FieldContext& context)
{
    const int headDim = headDimOrNone(attention, context);
    return LegalValues::integers(headDim % 2 == 0 ? 0 : 2, headDim, Scale::linear, 2);
}

// MHA stays MHA when the number of heads changes; otherwise G becomes a divisor of the new H.
void assignHeads(Attention& attention, const FieldValue& value)
{
    const auto heads = static_cast<int>(std::get<std::int64_t>(value));
    if (attention.kvHeads == attention.heads) {
        attention.kvHeads = heads;
    }
    attention.heads = heads;
}

Field<Attention> headsField()
{
    Field<Attention> field = integerField(
        &Attention::heads, {"heads", "H", "heads", "query heads", "heads"}, legalHeads);
    field.assign = assignHeads;
    return field;
}

Field<Attention> rotaryField()
{
    Field<Attention> field = flagField(
        &Attention::rotary,
        {"rotary", "", "rotary positions", "RoPE on queries and keys; needs an even head_dim", ""});
    field.legal = legalRotary;
    return field;
}

bool asksForQkNorm(const Attention& attention)
{
    return attention.qkNorm != QkNorm::none;
}

Field<Attention> qkNormKindField()
{
    Field<Attention> field =
        onlyIf(choiceField(
                   &Attention::qkNormKind,
                   {"qk_norm_kind", "", "QK-norm kind", "RMSNorm or LayerNorm, with \xCE\xB3", ""}),
               asksForQkNorm);
    field.legal = [](const Attention&, const FieldContext&) {
        return LegalValues::choices({enumName(NormKind::layerNorm), enumName(NormKind::rmsNorm)});
    };
    return field;
}

std::vector<Field<Attention>> sizeFields()
{
    return {
        headsField(),
        integerField(&Attention::kvHeads,
                     {"kv_heads",
                      "G",
                      "kv_heads",
                      "key and value heads; H gives MHA, 1 gives MQA, between them GQA",
                      "heads"},
                     [](const Attention& a, const FieldContext&) {
                         return LegalValues::divisorsOf(a.heads);
                     }),
        integerField(
            &Attention::headDim,
            {"head_dim", "h", "head_dim", "features per head; 0 means d_model / heads", ""},
            [](const Attention& a, const FieldContext& context) {
                const bool mayDerive = a.heads > 0 && context.dModel % a.heads == 0;
                return LegalValues::integers(mayDerive ? 0 : 1, 2048);
            }),
        integerField(&Attention::window,
                     {"window",
                      "w",
                      "window",
                      "keys that a query sees at most; not causal: half of them on either side; 0 "
                      "for all",
                      "tokens"},
                     [](const Attention&, const FieldContext&) {
                         return LegalValues::integers(0, 16'777'216, Scale::log2);
                     }),
    };
}

std::vector<Field<Attention>> projectionFields()
{
    return {
        flagField(&Attention::causal,
                  {"causal", "", "causal", "a token sees only itself and earlier ones", ""}),
        flagField(&Attention::qkvBias,
                  {"qkv_bias", "", "qkv bias", "biases of the query, key, value projections", ""}),
        flagField(&Attention::outBias,
                  {"out_bias", "", "out bias", "a bias of the output projection", ""}),
        rotaryField(),
        onlyIf(integerField(&Attention::rotaryDim,
                            {"rotary_dim",
                             "h_rot",
                             "rotary features",
                             "features of a head that RoPE turns; 0 for all",
                             "features"},
                            legalRotaryDim),
               [](const Attention& a) { return a.rotary; }),
        choiceField(&Attention::qkNorm,
                    {"qk_norm",
                     "",
                     "QK-norm",
                     "queries and keys normalised before RoPE: each head, or all of a token",
                     ""}),
        qkNormKindField(),
        onlyIf(flagField(&Attention::qkNormShift,
                         {"qk_norm_shift",
                          "",
                          "QK-norm shift",
                          "a learned offset per feature of that LayerNorm",
                          ""}),
               [](const Attention& a) {
                   return asksForQkNorm(a) && a.qkNormKind == NormKind::layerNorm;
               }),
    };
}

std::vector<Field<Attention>> scoreFields()
{
    return {
        flagField(&Attention::scaleScores,
                  {"scale_scores",
                   "",
                   "scale scores",
                   "scores times 1/\xE2\x88\x9Ahead_dim; T5 and GPT-Neo leave it out",
                   ""}),
        realField(
            &Attention::softCap,
            {"soft_cap", "", "soft-cap", "scores s become cap\xC2\xB7tanh(s/cap); 0: not", ""},
            [](const Attention&, const FieldContext&) {
                return LegalValues::reals(0.0, 1000.0, 1.0);
            }),
        flagField(&Attention::sinks,
                  {"sinks",
                   "",
                   "attention sinks",
                   "a learned logit per head that takes part in every softmax but has no value",
                   ""}),
        choiceField(&Attention::positionBias,
                    {"position_bias",
                     "",
                     "position bias",
                     "added to scores: ALiBi's slope times distance, T5's learned table by "
                     "distance, or the table of an earlier block",
                     ""}),
        onlyIf(integerField(&Attention::relativeBuckets,
                            {"relative_buckets",
                             "R",
                             "distance buckets",
                             "rows of the table of relative positions",
                             ""},
                            [](const Attention&, const FieldContext&) {
                                return LegalValues::integers(4, 128, Scale::log2, 2);
                            }),
               [](const Attention& a) { return a.readsBiasTable(); }),
    };
}

} // namespace

template <>
std::vector<std::string_view> enumNames<AttentionAlgorithm>()
{
    return {"flash", "materialised"};
}

template <>
std::vector<std::string_view> enumNames<QkNorm>()
{
    return {"none", "per_head", "full_width"};
}

const VariantInfo& Attention::info()
{
    static constexpr VariantInfo kInfo{
        "attention",
        "Attention",
        "softmax(q\xC2\xB7k\xE1\xB5\x80/\xE2\x88\x9Ah)\xC2\xB7v\xC2\xB7Wo",
        "Every token looks at every earlier one (or, if not causal, at all) and takes a weighted "
        "sum of their values. Cost grows with the square of the sequence.",
        &kAttentionComponent};
    return kInfo;
}

const std::vector<Field<Attention>>& Attention::fields()
{
    static const std::vector<Field<Attention>> kFields = [] {
        std::vector<Field<Attention>> all = sizeFields();
        const auto append = [&all](std::vector<Field<Attention>> more) {
            all.insert(all.end(), more.begin(), more.end());
        };
        append(projectionFields());
        append(scoreFields());
        append({choiceField(&Attention::algorithm,
                            {"algorithm",
                             "",
                             "algorithm",
                             "flash keeps scores on chip; materialised writes and reads them: the "
                             "same operations, different bytes",
                             ""})});
        return all;
    }();
    return kFields;
}

double Attention::scoreFactor(int features) const
{
    return scoreScale != 0.0 ? scoreScale : 1.0 / std::sqrt(static_cast<double>(features));
}

double fixedBias(const Attention& attention, int head, int offset)
{
    return attention.positionBias == PositionBias::alibi
        ? -alibiSlope(head, attention.heads) * std::abs(offset)
        : 0.0;
}

WeightShapes weights(const Attention& attention, int dModel)
{
    const int h = attention.headDimFor(dModel);
    const std::int64_t queries = std::int64_t{h} * attention.heads;
    const std::int64_t keys = std::int64_t{h} * attention.kvHeads;
    WeightShapes shapes{{"qkv.weight", dModel, queries + 2 * keys, Init::normal}};
    if (attention.qkvBias) {
        shapes.push_back({"qkv.bias", 1, queries + 2 * keys, Init::small});
    }
    const bool perHead = attention.qkNorm == QkNorm::perHead;
    const auto addNorm = [&](const std::string& name, std::int64_t width) {
        const int features = static_cast<int>(perHead ? h : width);
        for (WeightShape shape : weights(attention.queryKeyNorm(), features)) {
            shape.name.insert(0, name);
            shapes.push_back(std::move(shape));
        }
    };
    addNorm("q_norm.", queries);
    addNorm("k_norm.", keys);
    if (attention.sinks) {
        shapes.push_back({"sinks", 1, attention.heads, Init::small});
    }
    if (attention.readsBiasTable()) {
        shapes.push_back(
            {"relative_bias", attention.relativeBuckets, attention.heads, Init::small});
    }
    shapes.push_back({"out.weight", queries, dModel, Init::normal});
    if (attention.outBias) {
        shapes.push_back({"out.bias", 1, dModel, Init::small});
    }
    return shapes;
}

AttentionTensors::AttentionTensors(const Attention& attention)
{
    std::size_t next = 1;
    const auto take = [&next](std::size_t& place, bool present, std::size_t count = 1) {
        place = present ? next : 0;
        next += present ? count : 0;
    };
    const bool normalises = attention.normalisesQk();
    const std::size_t perNorm = attention.queryKeyNorm().hasShift() ? 2 : 1;
    take(qkvBias, attention.qkvBias);
    take(qNorm, normalises, perNorm);
    take(kNorm, normalises, perNorm);
    take(sinks, attention.sinks);
    take(relativeBias, attention.readsBiasTable());
    take(out, true);
    take(outBias, attention.outBias);
}

} // namespace flopsmith
