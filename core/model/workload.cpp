// SPDX-License-Identifier: MIT
#include "core/model/workload.h"

#include <charconv>
#include <string>

namespace flopsmith {
namespace {

constexpr int kMaxTokens = 16'777'216;

LegalValues tokenCounts(int low)
{
    return LegalValues::integers(low, kMaxTokens, Scale::log2);
}

bool isTraining(const Workload& workload)
{
    return workload.phase == Phase::train;
}

constexpr std::string_view kAsWeights = "as_weights";

LegalValues bitWidths(const Workload& /*workload*/, const FieldContext& /*context*/)
{
    return LegalValues::choices({"4", "8", "16", "32"});
}

// Gradients have the precision of the weights, and 8 bits are too few to accumulate them.
LegalValues weightBitWidths(const Workload& workload, const FieldContext& /*context*/)
{
    return isTraining(workload) ? LegalValues::choices({"16", "32"})
                                : LegalValues::choices({"2", "3", "4", "5", "6", "8", "16", "32"});
}

Field<Workload> groupField(int Precision::*member, const FieldText& text, int low, int high)
{
    return {
        .text = text,
        .value =
            [member](const Workload& w) { return FieldValue(std::int64_t{w.precision.*member}); },
        .assign =
            [member](Workload& w, const FieldValue& value) {
                w.precision.*member = static_cast<int>(std::get<std::int64_t>(value));
            },
        .legal =
            [low, high](const Workload&, const FieldContext&) {
                return LegalValues::integers(low, high, Scale::log2);
            }};
}

template <class Legal>
Field<Workload> bitsField(int Precision::*member, const FieldText& text, Legal legal)
{
    return {.text = text,
            .value =
                [member](const Workload& w) {
                    const int bits = w.precision.*member;
                    return FieldValue(bits > 0 ? std::to_string(bits) : std::string(kAsWeights));
                },
            .assign =
                [member](Workload& w, const FieldValue& value) {
                    const std::string& name = std::get<std::string>(value);
                    int bits = 0;
                    if (name == kAsWeights) {
                        w.precision.*member = 0;
                    }
                    const auto read = std::from_chars(name.data(), name.data() + name.size(), bits);
                    if (read.ec == std::errc{} && read.ptr == name.data() + name.size()) {
                        w.precision.*member =
                            bits; // other texts change nothing, like an unknown choice
                    }
                },
            .legal = legal};
}

// For a kind of weights that may have a format of its own.
Field<Workload> ownBitsField(int Precision::*member, const FieldText& text)
{
    return bitsField(member, text, [](const Workload& workload, const FieldContext&) {
        return isTraining(workload)
            ? LegalValues::choices({kAsWeights, "16", "32"})
            : LegalValues::choices({kAsWeights, "2", "3", "4", "5", "6", "8", "16", "32"});
    });
}

} // namespace

WeightFormat Precision::format(WeightKind kind) const
{
    const WeightFormat usual{weightBits, weightGroup, weightGroupBits};
    const auto plain = [&usual](int bits) { return bits > 0 ? WeightFormat{bits, 0, 0} : usual; };
    switch (kind) {
    case WeightKind::matrices: break;
    case WeightKind::experts:
        return expertBits > 0 ? WeightFormat{expertBits, expertGroup, expertGroupBits} : usual;
    case WeightKind::embedding: return plain(embeddingBits);
    case WeightKind::head: return plain(headBits);
    case WeightKind::vectors: return plain(vectorBits);
    }
    return usual;
}

std::string precisionText(const Precision& precision)
{
    const auto bits = [](int count) { return std::to_string(count) + " bit"; };
    const int weights = precision.weightBits;
    if (precision.hasOneFormat() && precision.activationBits == weights
        && precision.kvBits == weights) {
        return bits(weights);
    }
    std::string text = "weights " + bits(weights);
    const auto add = [&](std::string_view what, int own) {
        text += own > 0 && own != weights ? ", " + std::string(what) + " " + bits(own) : "";
    };
    add("experts", precision.expertBits);
    add("embedding", precision.embeddingBits);
    add("head", precision.headBits);
    return text + ", activations " + bits(precision.activationBits) + ", cache "
        + bits(precision.kvBits);
}

template <>
std::vector<std::string_view> enumNames<Phase>()
{
    return {"prefill", "decode", "train"};
}

template <>
std::vector<std::string_view> enumNames<Checkpointing>()
{
    return {"none", "selective", "full"};
}

const std::vector<Field<Workload>>& Workload::fields()
{
    static const std::vector<Field<Workload>> kFields{
        choiceField(&Workload::phase,
                    {"phase",
                     "",
                     "phase",
                     "prefill: S new tokens at once; decode: one token after C - 1 cached ones; "
                     "train: forward, backward and update",
                     ""}),
        integerField(&Workload::batch,
                     {"batch", "B", "batch", "sequences at once", "sequences"},
                     [](const Workload&, const FieldContext&) {
                         return LegalValues::integers(1, 65'536, Scale::log2);
                     }),
        integerField(&Workload::sequence,
                     {"seq", "S", "sequence", "tokens per sequence", "tokens"},
                     [](const Workload&, const FieldContext&) { return tokenCounts(1); }),
        onlyIf(integerField(&Workload::context,
                            {"context",
                             "C",
                             "context",
                             "keys that the new token sees, itself included; 0 means S",
                             "tokens"},
                            [](const Workload&, const FieldContext&) { return tokenCounts(0); }),
               [](const Workload& w) { return w.phase == Phase::decode; }),
        integerField(&Workload::source,
                     {"source",
                      "S_src",
                      "source",
                      "tokens per sequence that the encoder reads; 0 means S (seq), in decode too, "
                      "whatever the context is",
                      "tokens"},
                     [](const Workload&, const FieldContext&) { return tokenCounts(0); }),
        bitsField(&Precision::weightBits,
                  {"weight_bits", "", "weight bits", "bits of a stored weight", "bits"},
                  weightBitWidths),
        bitsField(&Precision::activationBits,
                  {"activation_bits", "", "activation bits", "bits of an activation", "bits"},
                  bitWidths),
        bitsField(&Precision::kvBits,
                  {"kv_bits", "", "cache bits", "bits of a cached key or value element", "bits"},
                  bitWidths),
        onlyIf(groupField(&Precision::weightGroup,
                          {"weight_group",
                           "",
                           "weight group",
                           "quantised weights that share a scale; 0: no groups",
                           "weights"},
                          0,
                          65'536),
               [](const Workload& w) { return w.precision.weightBits <= 8; }),
        onlyIf(
            groupField(&Precision::weightGroupBits,
                       {"weight_group_bits",
                        "",
                        "group bits",
                        "bits of a group's scale and zero point",
                        "bits"},
                       1,
                       128),
            [](const Workload& w) { return w.precision.format(WeightKind::matrices).hasGroups(); }),
        ownBitsField(
            &Precision::expertBits,
            {"expert_bits", "", "expert bits", "bits of a weight of routed experts", "bits"}),
        onlyIf(groupField(&Precision::expertGroup,
                          {"expert_group",
                           "",
                           "expert group",
                           "quantised weights of experts that share a scale; 0: no groups",
                           "weights"},
                          0,
                          65'536),
               [](const Workload& w) {
                   return w.precision.expertBits > 0 && w.precision.expertBits <= 8;
               }),
        onlyIf(groupField(&Precision::expertGroupBits,
                          {"expert_group_bits",
                           "",
                           "expert group bits",
                           "bits of a group's scale and zero point in experts",
                           "bits"},
                          1,
                          128),
               [](const Workload& w) {
                   return w.precision.expertBits > 0
                       && w.precision.format(WeightKind::experts).hasGroups();
               }),
        ownBitsField(
            &Precision::embeddingBits,
            {"embedding_bits", "", "embedding bits", "bits of a weight of tables", "bits"}),
        ownBitsField(&Precision::headBits,
                     {"head_bits",
                      "",
                      "head bits",
                      "bits of a weight of the LM head, if it has a matrix of its own",
                      "bits"}),
        ownBitsField(&Precision::vectorBits,
                     {"vector_bits",
                      "",
                      "vector bits",
                      "bits of the weights of norms, biases and routers",
                      "bits"}),
        onlyIf(ownBitsField(
                   &Precision::gradientBits,
                   {"gradient_bits", "", "gradient bits", "bits of a weight's gradient", "bits"}),
               isTraining),
        onlyIf(choiceField(&Workload::optimizer,
                           {"optimizer",
                            "",
                            "optimizer",
                            "sgd, momentum, adam, or adam_mixed: Adam on a 32-bit copy of 16-bit "
                            "weights",
                            ""}),
               isTraining),
        onlyIf(choiceField(&Workload::checkpointing,
                           {"checkpointing",
                            "",
                            "checkpointing",
                            "none: keep all; selective: compute written attention scores again; "
                            "full: keep block inputs and run each block again",
                            ""}),
               isTraining),
    };
    return kFields;
}

} // namespace flopsmith
