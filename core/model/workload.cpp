// SPDX-License-Identifier: MIT
#include "core/model/workload.h"

namespace flopsmith {
namespace {

constexpr int kMostTokens = 16'777'216;

LegalValues tokenCounts(int low)
{
    return LegalValues::integers(low, kMostTokens, Scale::log2);
}

LegalValues bitWidths()
{
    return LegalValues::choices({"4", "8", "16", "32"});
}

Field<Workload> bitsField(int Precision::*member, const FieldText& text)
{
    return {
        .text = text,
        .value =
            [member](const Workload& w) { return FieldValue(std::to_string(w.precision.*member)); },
        .assign =
            [member](Workload& w, const FieldValue& value) {
                w.precision.*member = std::stoi(std::get<std::string>(value));
            },
        .legal = [](const Workload&, const FieldContext&) { return bitWidths(); }};
}

} // namespace

template <>
std::vector<std::string_view> enumNames<Phase>()
{
    return {"prefill", "decode"};
}

const std::vector<Field<Workload>>& Workload::fields()
{
    static const std::vector<Field<Workload>> kFields{
        choiceField(&Workload::phase,
                    {"phase",
                     "",
                     "phase",
                     "prefill: S new tokens at once; decode: one token after C - 1 cached ones",
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
                      "tokens per sequence that the encoder reads; 0 means S",
                      "tokens"},
                     [](const Workload&, const FieldContext&) { return tokenCounts(0); }),
        bitsField(&Precision::weightBits,
                  {"weight_bits", "", "weight bits", "bits of a stored weight", "bits"}),
        bitsField(&Precision::activationBits,
                  {"activation_bits", "", "activation bits", "bits of an activation", "bits"}),
        bitsField(&Precision::kvBits,
                  {"kv_bits", "", "cache bits", "bits of a cached key or value element", "bits"}),
    };
    return kFields;
}

} // namespace flopsmith
