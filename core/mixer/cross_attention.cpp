// SPDX-License-Identifier: MIT
#include "core/mixer/cross_attention.h"

namespace flopsmith {
namespace {

constexpr Component kCrossAttentionComponent{"cross_attention",
                                             "Cross-attention",
                                             0x5B9BD5,
                                             Hatch::backward};
constexpr int kMaxCrossHeads = 4096;

LegalValues legalCrossHeads(const CrossAttention& attention, const FieldContext& context)
{
    return attention.headDim > 0 ? LegalValues::integers(1, kMaxCrossHeads, Scale::log2)
                                 : LegalValues::divisorsOf(context.dModel);
}

// As many key heads as query heads stay so when their number changes; otherwise they become a
// divisor of the new one.
void assignCrossHeads(CrossAttention& attention, const FieldValue& value)
{
    const auto heads = static_cast<int>(std::get<std::int64_t>(value));
    if (attention.kvHeads == attention.heads) {
        attention.kvHeads = heads;
    }
    attention.heads = heads;
}

Field<CrossAttention> crossHeadsField()
{
    Field<CrossAttention> field = integerField(
        &CrossAttention::heads, {"heads", "H", "heads", "query heads", "heads"}, legalCrossHeads);
    field.assign = assignCrossHeads;
    return field;
}

} // namespace

const VariantInfo& CrossAttention::info()
{
    static constexpr VariantInfo kInfo{
        "cross_attention",
        "Cross-attention",
        "softmax(x\xC2\xB7Wq\xC2\xB7(z\xC2\xB7Wk)\xE1\xB5\x80/\xE2\x88\x9Ah)\xC2\xB7z\xC2\xB7Wv"
        "\xC2\xB7Wo",
        "Every token of the decoder looks at all tokens z of the encoder's output. Keys and values "
        "are projected from z once and cached for decoding.",
        &kCrossAttentionComponent};
    return kInfo;
}

const std::vector<Field<CrossAttention>>& CrossAttention::fields()
{
    static const std::vector<Field<CrossAttention>> kFields{
        crossHeadsField(),
        integerField(&CrossAttention::kvHeads,
                     {"kv_heads",
                      "G",
                      "kv_heads",
                      "key and value heads; H gives MHA, 1 gives MQA, between them GQA",
                      "heads"},
                     [](const CrossAttention& a, const FieldContext&) {
                         return LegalValues::divisorsOf(a.heads);
                     }),
        integerField(
            &CrossAttention::headDim,
            {"head_dim", "h", "head_dim", "features per head; 0 means d_model / heads", ""},
            [](const CrossAttention& a, const FieldContext& context) {
                const bool mayDerive = a.heads > 0 && context.dModel % a.heads == 0;
                return LegalValues::integers(mayDerive ? 0 : 1, 2048);
            }),
        flagField(&CrossAttention::qkvBias,
                  {"qkv_bias", "", "qkv bias", "biases of the query, key, value projections", ""}),
        flagField(&CrossAttention::outBias,
                  {"out_bias", "", "out bias", "a bias of the output projection", ""}),
        flagField(&CrossAttention::scaleScores,
                  {"scale_scores",
                   "",
                   "scale scores",
                   "divide scores by the root of head_dim; T5 does not",
                   ""}),
        choiceField(&CrossAttention::algorithm,
                    {"algorithm",
                     "",
                     "algorithm",
                     "flash keeps scores on chip; materialised writes and reads them: the same "
                     "operations, different bytes",
                     ""}),
    };
    return kFields;
}

WeightShapes weights(const CrossAttention& attention, int dModel)
{
    const std::int64_t h = attention.headDimFor(dModel);
    const std::int64_t inner = h * attention.heads;
    const std::int64_t keyValue = 2 * h * attention.kvHeads;
    WeightShapes shapes{{"q.weight", dModel, inner, Init::normal}};
    const auto addBias = [&shapes](bool present, const char* name, std::int64_t width) {
        if (present) {
            shapes.push_back({name, 1, width, Init::small});
        }
    };
    addBias(attention.qkvBias, "q.bias", inner);
    shapes.push_back({"kv.weight", dModel, keyValue, Init::normal});
    addBias(attention.qkvBias, "kv.bias", keyValue);
    shapes.push_back({"out.weight", inner, dModel, Init::normal});
    addBias(attention.outBias, "out.bias", dModel);
    return shapes;
}

} // namespace flopsmith
