// SPDX-License-Identifier: MIT
#include "core/ffn/moe.h"

#include "core/ffn/shared/d_ff_field.h"

#include <algorithm>

namespace flopsmith {
namespace {

constexpr Component kMoeComponent{"moe", "Experts", 0x8C5A12, Hatch::horizontal};

constexpr int kMaxExperts = 1024;
constexpr int kMaxSharedExperts = 64;
constexpr double kMaxScale = 32.0;
constexpr double kMaxSkew = 4.0;

Field<MoeFfn> expertsPerTokenField()
{
    return integerField(&MoeFfn::perToken,
                        {"experts_per_token",
                         "k",
                         "experts_per_token",
                         "experts that each token is sent to; cost grows with it, not with E",
                         "experts"},
                        [](const MoeFfn& ffn, const FieldContext&) {
                            return LegalValues::integers(1, std::max(ffn.experts, 1));
                        });
}

std::vector<Field<MoeFfn>> expertFields()
{
    return {
        integerField(&MoeFfn::experts,
                     {"experts", "E", "experts", "routed experts that are stored", "experts"},
                     [](const MoeFfn&, const FieldContext&) {
                         return LegalValues::integers(1, kMaxExperts, Scale::log2);
                     }),
        expertsPerTokenField(),
        choiceField(&MoeFfn::expert,
                    {"expert", "", "expert", "dense or gated FFNs, routed and shared ones", ""}),
        dFfField<MoeFfn>(),
        choiceField(&MoeFfn::activation, {"activation", "", "activation", "of the experts", ""}),
        flagField(&MoeFfn::bias, {"bias", "", "bias", "of the experts' matrices", ""}),
    };
}

std::vector<Field<MoeFfn>> routerFields()
{
    return {
        choiceField(&MoeFfn::score,
                    {"score", "", "score", "what turns the router's logits into weights", ""}),
        choiceField(&MoeFfn::scored,
                    {"scored",
                     "",
                     "scored experts",
                     "scores of all experts, then choose; or choose, then scores of the chosen",
                     ""}),
        onlyIf(flagField(&MoeFfn::renormalise,
                         {"renormalise",
                          "",
                          "renormalise",
                          "divide the chosen weights by their sum (norm_topk_prob)",
                          ""}),
               [](const MoeFfn& ffn) {
                   return ffn.score == RouterScore::sigmoid || ffn.scored == ScoredExperts::all;
               }),
        realField(&MoeFfn::scale,
                  {"routed_scale", "", "routed scale", "factor of the routed experts' sum", ""},
                  [](const MoeFfn&, const FieldContext&) {
                      return LegalValues::reals(0.0, kMaxScale, 0.25, LegalValues::LowEnd::open);
                  }),
        flagField(&MoeFfn::routerBias, {"router_bias", "", "router bias", "of the logits", ""}),
        flagField(&MoeFfn::correctionBias,
                  {"correction_bias",
                   "",
                   "correction bias",
                   "balances which experts are chosen, without changing their weights",
                   ""}),
    };
}

bool hasGroups(const MoeFfn& ffn)
{
    return ffn.groups > 1;
}

// As few groups as hold k experts, or more.
LegalValues legalGroupsPerToken(const MoeFfn& ffn, const FieldContext& /*context*/)
{
    const std::int64_t experts = std::max(ffn.experts, 1);
    const std::int64_t groups = std::clamp<std::int64_t>(ffn.groups, 1, experts);
    const std::int64_t perToken = std::clamp<std::int64_t>(ffn.perToken, 1, experts);
    return LegalValues::integers((perToken * groups + experts - 1) / experts, groups);
}

std::vector<Field<MoeFfn>> groupFields()
{
    return {
        integerField(&MoeFfn::groups,
                     {"groups",
                      "g",
                      "groups",
                      "equal groups of experts, of which a token chooses from a few (n_group)",
                      "groups"},
                     [](const MoeFfn& ffn, const FieldContext&) {
                         return LegalValues::divisorsOf(std::max(ffn.experts, 1));
                     }),
        onlyIf(integerField(&MoeFfn::groupsPerToken,
                            {"groups_per_token",
                             "g_k",
                             "groups_per_token",
                             "groups that a token chooses its experts from (topk_group)",
                             "groups"},
                            legalGroupsPerToken),
               hasGroups),
        onlyIf(choiceField(&MoeFfn::groupScore,
                           {"group_score",
                            "",
                            "group score",
                            "what groups are chosen by: their best expert, or the sum of two",
                            ""}),
               hasGroups),
    };
}

bool hasShared(const MoeFfn& ffn)
{
    return ffn.sharedExperts > 0;
}

std::vector<Field<MoeFfn>> sharedFields()
{
    return {
        integerField(&MoeFfn::sharedExperts,
                     {"shared_experts",
                      "E_s",
                      "shared experts",
                      "experts that every token goes through",
                      "experts"},
                     [](const MoeFfn&, const FieldContext&) {
                         return LegalValues::integers(0, kMaxSharedExperts);
                     }),
        onlyIf(integerField(&MoeFfn::sharedDFf,
                            {"shared_d_ff",
                             "",
                             "shared d_ff",
                             "width of the hidden layer of each shared expert",
                             "features"},
                            [](const MoeFfn&, const FieldContext&) {
                                return LegalValues::integers(1, 1'048'576, Scale::log2);
                            }),
               hasShared),
        onlyIf(flagField(&MoeFfn::sharedGate,
                         {"shared_gate",
                          "",
                          "shared gate",
                          "a sigmoid of each token scales the shared experts",
                          ""}),
               hasShared),
        realField(&MoeFfn::skew,
                  {"skew",
                   "",
                   "skew",
                   "how uneven the routing of measured runs is: 0 is balanced; changes no count",
                   ""},
                  [](const MoeFfn&, const FieldContext&) {
                      return LegalValues::reals(0.0, kMaxSkew, 0.1);
                  }),
    };
}

std::size_t tensorsOf(const ExpertFfn& expert, int dModel)
{
    return std::visit([dModel](const auto& ffn) { return weights(ffn, dModel).size(); }, expert);
}

void append(WeightShapes& shapes, const std::string& prefix, const ExpertFfn& ffn, int dModel)
{
    for (WeightShape& shape :
         std::visit([dModel](const auto& plain) { return weights(plain, dModel); }, ffn)) {
        shape.name = prefix + shape.name;
        shapes.push_back(std::move(shape));
    }
}

} // namespace

template <>
std::vector<std::string_view> enumNames<ExpertKind>()
{
    return {"dense", "gated"};
}

template <>
std::vector<std::string_view> enumNames<RouterScore>()
{
    return {"softmax", "sigmoid"};
}

template <>
std::vector<std::string_view> enumNames<ScoredExperts>()
{
    return {"all", "chosen"};
}

template <>
std::vector<std::string_view> enumNames<GroupScore>()
{
    return {"best", "two_best"};
}

bool MoeFfn::renormalises() const
{
    return renormalise && !(score == RouterScore::softmax && scored == ScoredExperts::chosen);
}

ExpertFfn MoeFfn::plainFfn(int width) const
{
    if (expert == ExpertKind::dense) {
        return DenseFfn{.dFf = width, .activation = activation, .bias = bias};
    }
    return GatedFfn{.dFf = width, .activation = activation, .bias = bias, .gate = gate};
}

GateValues MoeFfn::activeGate() const
{
    const ExpertFfn routed = routedExpert();
    const auto* gated = get_if<GatedFfn>(&routed);
    return gated == nullptr ? GateValues{} : gated->activeGate();
}

const VariantInfo& MoeFfn::info()
{
    static constexpr VariantInfo kInfo{
        "moe",
        "Mixture of experts",
        "\xCE\xA3 w\xE2\x82\x91\xC2\xB7"
        "expert\xE2\x82\x91(x) over the top k of E",
        "A router sends each token to a few of many FFNs: parameters grow with the number of "
        "experts, the cost of a token only with how many it is sent to. The FFN of Mixtral, "
        "DeepSeek and gpt-oss.",
        &kMoeComponent};
    return kInfo;
}

const std::vector<Field<MoeFfn>>& MoeFfn::fields()
{
    static const std::vector<Field<MoeFfn>> kFields = [] {
        std::vector<Field<MoeFfn>> all = expertFields();
        for (const auto& more : {routerFields(), groupFields(), sharedFields()}) {
            all.insert(all.end(), more.begin(), more.end());
        }
        return all;
    }();
    return kFields;
}

MoeTensors::MoeTensors(const MoeFfn& ffn, int dModel)
{
    std::size_t next = 1;
    routerBias = ffn.routerBias ? next++ : 0;
    correctionBias = ffn.correctionBias ? next++ : 0;
    firstExpert = next;
    perExpert = tensorsOf(ffn.routedExpert(), dModel);
    shared = expert(ffn.experts);
    sharedGate = ffn.hasSharedGate() ? shared + tensorsOf(ffn.sharedFfn(), dModel) : 0;
}

WeightShapes weights(const MoeFfn& ffn, int dModel)
{
    WeightShapes shapes{{"router.weight", dModel, ffn.experts, Init::normal, ffn.skew}};
    if (ffn.routerBias) {
        shapes.push_back({"router.bias", 1, ffn.experts, Init::small});
    }
    if (ffn.correctionBias) {
        // Training starts at 0 and ends with values that balance the load.
        shapes.push_back({.name = "correction_bias",
                          .columns = ffn.experts,
                          .init = Init::zeros,
                          .trainable = false});
    }
    for (int e = 0; e < ffn.experts; ++e) {
        append(shapes, "experts[" + std::to_string(e) + "]/", ffn.routedExpert(), dModel);
    }
    if (ffn.sharedExperts > 0) {
        append(shapes, "shared/", ffn.sharedFfn(), dModel);
    }
    if (ffn.hasSharedGate()) {
        shapes.push_back({"shared_gate.weight", dModel, 1});
    }
    return shapes;
}

} // namespace flopsmith
