// SPDX-License-Identifier: MIT
#include "core/lens/waterfall.h"

#include "core/base/text.h"

namespace flopsmith {
namespace {

std::string noteOf(LensId from, Count charges, LensId to, Count chargesThen)
{
    return std::string(lens(from).name) + " charges " + siText(toDouble(charges)) + ", "
        + std::string(lens(to).name) + " " + siText(toDouble(chargesThen));
}

} // namespace

std::string_view lensTopicTitle(LensTopic topic)
{
    switch (topic) {
    case LensTopic::linear: return "linear layers of the blocks";
    case LensTopic::embeddingProducts: return "products of the embedding";
    case LensTopic::head: return "head";
    case LensTopic::attention: return "attention core";
    case LensTopic::pairs: return "pairs behind the mask";
    case LensTopic::dots: return "2n - 1 per dot product";
    case LensTopic::biases: return "biases";
    case LensTopic::signedSums: return "sums in place of products";
    case LensTopic::softmax: return "softmax";
    case LensTopic::scale: return "scale of the scores";
    case LensTopic::norms: return "norms";
    case LensTopic::activations: return "activations";
    case LensTopic::elementwise: return "element-wise products and sums";
    case LensTopic::residuals: return "residuals";
    case LensTopic::lookups: return "sums of embeddings";
    case LensTopic::embeddingAsProduct: return "embedding as a product";
    case LensTopic::rotary: return "rotary positions";
    case LensTopic::transforms: return "FFTs";
    case LensTopic::filters: return "filters";
    case LensTopic::selections: return "selections";
    case LensTopic::scans: return "recurrences";
    case LensTopic::normParameters: return "norm parameters, as if products";
    case LensTopic::biasParameters: return "biases, as if products";
    case LensTopic::otherParameters: return "parameters that are not one product per token";
    case LensTopic::blockShape: return "blocks taken as attention and f = 4d";
    case LensTopic::attentionShape: return "attention taken as d wide in every block";
    case LensTopic::headShape: return "logits of all tokens, taken for granted";
    case LensTopic::tokens: return "all tokens but one";
    case LensTopic::coreAsSquare: return "attention core as d\xC2\xB2";
    }
    return {};
}

Waterfall waterfall(const Scenario& scenario, LensId from, LensId to)
{
    const LensBreakdown first = lensBreakdown(scenario, from);
    const LensBreakdown last = lensBreakdown(scenario, to);
    Waterfall fall{.from = from, .to = to, .start = first.total(), .end = last.total()};
    const auto add = [&fall](std::string name,
                             const Count& amount,
                             std::string note,
                             std::optional<LensTopic> topic = std::nullopt) {
        if (amount != 0) {
            fall.steps.push_back({std::move(name), amount, std::move(note), topic});
        }
    };
    add(last.perMac > first.perMac ? "MAC \xE2\x86\x92 FLOP, \xC3\x97 2"
                                   : "FLOP \xE2\x86\x92 MAC, \xC3\xB7 2",
        (last.perMac - first.perMac) * first.allMacs(),
        "a multiply-add counts " + std::to_string(last.perMac) + " instead of "
            + std::to_string(first.perMac));
    // From here on both charge the same for a multiply-add.
    LensBreakdown level = first;
    level.perMac = last.perMac;
    for (std::size_t i = 0; i < kLensTopics; ++i) {
        const auto topic = static_cast<LensTopic>(i);
        const Count before = level.charged(topic);
        const Count after = last.charged(topic);
        add(std::string(lensTopicTitle(topic)),
            after - before,
            noteOf(from, before, to, after),
            topic);
    }
    return fall;
}

} // namespace flopsmith
