// SPDX-License-Identifier: MIT
#include "core/mixer/attention.h"

#include <cmath>

namespace flopsmith {
namespace {

constexpr Component kComponent{"attention", "Attention", 0x0072B2, Hatch::none};
constexpr int kMostHeads = 4096;

LegalValues legalHeads(const Attention& attention, const FieldContext& context)
{
    if (attention.headDim > 0) {
        return LegalValues::integers(1, kMostHeads, Scale::log2);
    }
    return LegalValues::divisorsOf(attention.rotary ? context.dModel / 2 : context.dModel);
}

// RoPE turns pairs of features, so it needs an even number of them.
LegalValues legalRotary(const Attention& attention, const FieldContext& context)
{
    if (attention.heads < 1) {
        return LegalValues::flag(); // the heads themselves are what is wrong
    }
    return attention.headDimFor(context.dModel) % 2 == 0 ? LegalValues::flag()
                                                         : LegalValues::onlyFalse();
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

} // namespace

template <>
std::vector<std::string_view> enumNames<AttentionAlgorithm>()
{
    return {"flash", "materialised"};
}

const VariantInfo& Attention::info()
{
    static constexpr VariantInfo kInfo{
        "attention",
        "Attention",
        "softmax(q\xC2\xB7k\xE1\xB5\x80/\xE2\x88\x9Ah)\xC2\xB7v\xC2\xB7Wo",
        "Every token looks at every earlier one (or, if not causal, at all) and takes a weighted "
        "sum of their values. Cost grows with the square of the sequence.",
        &kComponent};
    return kInfo;
}

const std::vector<Field<Attention>>& Attention::fields()
{
    static const std::vector<Field<Attention>> kFields{
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
        onlyIf(integerField(
                   &Attention::window,
                   {"window", "w", "window", "keys that a query sees at most; 0 for all", "tokens"},
                   [](const Attention&, const FieldContext&) {
                       return LegalValues::integers(0, 16'777'216, Scale::log2);
                   }),
               [](const Attention& a) { return a.causal; }),
        flagField(&Attention::causal,
                  {"causal", "", "causal", "a token sees only itself and earlier ones", ""}),
        flagField(&Attention::qkvBias,
                  {"qkv_bias", "", "qkv bias", "biases of the query, key, value projections", ""}),
        flagField(&Attention::outBias,
                  {"out_bias", "", "out bias", "a bias of the output projection", ""}),
        rotaryField(),
        choiceField(&Attention::algorithm,
                    {"algorithm",
                     "",
                     "algorithm",
                     "flash keeps scores on chip; materialised writes and reads them: the same "
                     "operations, different bytes",
                     ""}),
    };
    return kFields;
}

double rotaryAngle(int position, int pair, int headDim)
{
    return position * std::pow(10'000.0, -2.0 * pair / headDim);
}

WeightShapes weights(const Attention& attention, int dModel)
{
    const int h = attention.headDimFor(dModel);
    const std::int64_t wide = std::int64_t{h} * (attention.heads + 2 * attention.kvHeads);
    const std::int64_t inner = std::int64_t{h} * attention.heads;
    WeightShapes shapes{{"qkv.weight", dModel, wide, Init::normal}};
    if (attention.qkvBias) {
        shapes.push_back({"qkv.bias", 1, wide, Init::small});
    }
    shapes.push_back({"out.weight", inner, dModel, Init::normal});
    if (attention.outBias) {
        shapes.push_back({"out.bias", 1, dModel, Init::small});
    }
    return shapes;
}

} // namespace flopsmith
