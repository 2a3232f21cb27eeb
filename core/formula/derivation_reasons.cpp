// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula/derivation_reasons.h"

#include "core/mixer/latent_attention.h"

#include <algorithm>
#include <string_view>

namespace flopsmith {
namespace {

const std::string kTimesSign = " \xC3\x97 ";

bool isCross(const DerivationLine& line, const LineContext& context)
{
    return context.block->hasCross()
        && context.tree.node(line.part).name == info(context.block->cross).id;
}

const MixerSpec& mixerOf(const DerivationLine& line, const LineContext& context)
{
    return isCross(line, context) ? context.block->cross : context.block->mixer;
}

bool isMoe(const LineContext& context)
{
    return holds_alternative<MoeFfn>(context.block->ffn);
}

// "Final norm" of "final_norm".
std::string sentenceCase(std::string_view name)
{
    std::string title(name);
    std::replace(title.begin(), title.end(), '_', ' ');
    if (!title.empty() && title.front() >= 'a' && title.front() <= 'z') {
        title.front() = static_cast<char>(title.front() - 'a' + 'A');
    }
    return title;
}

std::string lineTitle(const DerivationLine& line, const LineContext& context)
{
    const std::string_view part = context.tree.node(line.part).name;
    switch (line.kind) {
    case LineKind::projections: return "Projections";
    case LineKind::scores: return "Scores and values";
    case LineKind::mixerRest:
        return holds_alternative<FourierMixer>(mixerOf(line, context)) ? "Fourier transforms"
            : keepsState(mixerOf(line, context))                       ? "Recurrence and gate"
                                                 : "Softmax and the rest of attention";
    case LineKind::ffnProducts: return "FFN";
    case LineKind::ffnRest: return "FFN: all but matrices";
    case LineKind::ffnGroup:
        return part == "experts" ? "Experts"
            : part == "shared"   ? "Shared experts"
                                 : "FFN: " + sentenceCase(part);
    case LineKind::ffnJoint: return isMoe(context) ? "Routing" : "FFN: joining its stages";
    case LineKind::norms: return "Norms and residual additions";
    case LineKind::part: return sentenceCase(part);
    }
    return {};
}

// ", 2 for a multiply-add", and other prices that apply.
std::string pricePhrase(const DerivationLine& line, const LineContext& context)
{
    const PriceList& list = priceList(context.lens);
    Count macs = 0;
    Count others = 0;
    for (const int i : line.operations) {
        macs += macsSeen<Count>(list, context.tree.node(i));
        others += scalarsCharged<Count>(list, context.tree.node(i));
    }
    if (macs == 0) {
        return {};
    }
    return ", " + std::to_string(list.perMac) + " for each multiply-add"
        + (list.perDot < 0  ? " but one less for each sum of products"
               : others > 0 ? " and 1 for each operation besides"
                            : "");
}

std::string attentionProjections(const Attention& attention)
{
    if (attention.kvHeads != attention.heads) {
        return "each token goes through matrices for the queries and the output of all H heads, "
               "and for the keys and values of only G heads";
    }
    if (attention.headDim > 0) {
        return "each token goes through four matrices between its d features and the H" + kTimesSign
            + "h features of the heads, for query, key, value and output";
    }
    return "each token goes through four d" + kTimesSign
        + "d matrices, for query, key, value and output";
}

std::string projections(const MixerSpec& mixer)
{
    if (const auto* attention = get_if<Attention>(&mixer)) {
        return attentionProjections(*attention);
    }
    if (holds_alternative<LatentAttention>(mixer)) {
        return "each token goes down to narrow latents, up to queries, keys and values of all "
               "heads, "
               "and through the output matrix";
    }
    if (holds_alternative<CrossAttention>(mixer)) {
        return "the decoder's tokens go through matrices for query and output, the source's for "
               "key "
               "and value";
    }
    if (keepsState(mixer)) {
        return "each token goes through an input and an output matrix, and a short convolution";
    }
    return "each token goes through the matrices of the mixer";
}

bool isCausal(const MixerSpec& mixer)
{
    if (const auto* attention = get_if<Attention>(&mixer)) {
        return attention->causal;
    }
    const auto* latent = get_if<LatentAttention>(&mixer);
    return latent != nullptr && latent->causal;
}

int windowOf(const MixerSpec& mixer)
{
    const auto* attention = get_if<Attention>(&mixer);
    return attention != nullptr ? attention->window : 0;
}

std::string pairsWords(const MixerSpec& mixer, const LineContext& context)
{
    if (holds_alternative<CrossAttention>(mixer)) {
        return "each query meets every key of the source";
    }
    if (context.scenario.workload.phase == Phase::decode) {
        return windowOf(mixer) > 0 ? "the new token's query meets the cached keys in its window"
                                   : "the new token's query meets all C keys";
    }
    if (!isCausal(mixer) && (windowOf(mixer) == 0 || context.pairs == PairsRule::full)) {
        return "each query meets every key";
    }
    if (context.pairs == PairsRule::full) {
        return "each query meets every key, masked or not";
    }
    if (context.pairs == PairsRule::half && isCausal(mixer)) {
        return "half of all pairs of query and key are charged, which is about what a causal mask "
               "leaves";
    }
    if (windowOf(mixer) > 0) {
        return "each query meets the keys in its window";
    }
    return "the causal mask leaves S(S + 1)/2 of the S" + kTimesSign + "S pairs of query and key";
}

std::string scores(const MixerSpec& mixer, const LineContext& context)
{
    return pairsWords(mixer, context)
        + ", once for a score and once for the weighted sum of values";
}

std::string ffnProducts(const FfnSpec& ffn)
{
    if (holds_alternative<DenseFfn>(ffn)) {
        return "each token goes through a d" + kTimesSign + "f and an f" + kTimesSign + "d matrix";
    }
    if (holds_alternative<GatedFfn>(ffn)) {
        return "each token goes through three matrices of d" + kTimesSign + "f: gate, up and down";
    }
    return "each token goes through the matrices of the " + std::string(info(ffn).component->title);
}

std::string ffnGroup(std::string_view part)
{
    if (part == "experts") {
        return "each token is sent to k of the E experts, so that k FFNs are executed for it, "
               "however many are stored";
    }
    return part == "shared" ? "every token goes through the shared experts as well"
                            : "each token goes through this stage";
}

std::string ffnJoint(const LineContext& context)
{
    return isMoe(context) ? "the router scores the E experts for each token, of which the k best "
                            "are taken and weighted"
                          : "the outputs of the stages are put together";
}

std::string headWords(const Head& head)
{
    if (head.isLm()) {
        return "each token's features are multiplied by a matrix with a column for each of the V "
               "words of the vocabulary";
    }
    if (head.kind == HeadKind::tokens) {
        return "each token is sorted into classes";
    }
    return head.kind == HeadKind::classifier ? "each sequence is sorted into classes"
                                             : "one token of each sequence is pooled";
}

std::string partWords(std::string_view part, const LineContext& context)
{
    if (part == "head") {
        return headWords(context.scenario.model.head);
    }
    if (part == "embedding" || part == "decoder_embedding") {
        return "each token's row is taken from the tables and made what the first block reads";
    }
    if (part == "final_norm" || part == "encoder_norm") {
        return "the last block's output is normalised once";
    }
    if (part == "loss") {
        return "the predictions are compared with what is right";
    }
    return part == "optimizer" ? "every trainable parameter is updated once per step"
                               : "this stands outside of the blocks";
}

std::string forwardWords(const DerivationLine& line, const LineContext& context)
{
    switch (line.kind) {
    case LineKind::projections: return projections(mixerOf(line, context));
    case LineKind::scores: return scores(mixerOf(line, context), context);
    case LineKind::mixerRest:
        return holds_alternative<FourierMixer>(mixerOf(line, context))
            ? "tokens and features are transformed, 5/2\xC2\xB7n\xC2\xB7log2(n) for n real numbers"
            : keepsState(mixerOf(line, context))
            ? "every token changes the state and reads it, and what it reads is gated"
            : "softmax and whatever else is charged per score, query or key";
    case LineKind::ffnProducts: return ffnProducts(context.block->ffn);
    case LineKind::ffnRest: return "the activation and whatever else is charged per feature";
    case LineKind::ffnGroup: return ffnGroup(context.tree.node(line.part).name);
    case LineKind::ffnJoint: return ffnJoint(context);
    case LineKind::norms: return "they take a few operations for each feature of a token";
    case LineKind::part: return partWords(context.tree.node(line.part).name, context);
    }
    return {};
}

std::string backwardWords(const DerivationLine& line)
{
    switch (line.kind) {
    case LineKind::projections:
    case LineKind::ffnProducts:
    case LineKind::ffnGroup:
        return "each product of the forward pass becomes two, one for the gradient of its input "
               "and "
               "one for that of its weights";
    case LineKind::scores:
        return "each of the two products becomes two, one for the gradient of either factor";
    case LineKind::part:
    case LineKind::mixerRest:
    case LineKind::ffnRest:
    case LineKind::ffnJoint:
    case LineKind::norms: return "gradients go back through the same operations";
    }
    return {};
}

std::string wordsOf(const DerivationLine& line, const LineContext& context)
{
    if (context.pass == DerivationPass::recomputed) {
        return "checkpointing has not kept these results and computes them again";
    }
    return context.pass == DerivationPass::backward ? backwardWords(line)
                                                    : forwardWords(line, context);
}

std::string asSentence(std::string words)
{
    words.front() = words.front() >= 'a' && words.front() <= 'z'
        ? static_cast<char>(words.front() - 'a' + 'A')
        : words.front();
    return words + ".";
}

} // namespace

std::string titleOf(const DerivationLine& line, const LineContext& context)
{
    const bool ofMixer = line.kind == LineKind::projections || line.kind == LineKind::scores
        || line.kind == LineKind::mixerRest;
    std::string title = lineTitle(line, context);
    if (ofMixer && isCross(line, context)) {
        title.front() = static_cast<char>(title.front() - 'A' + 'a');
        title = "Cross-attention: " + title;
    }
    return context.pass == DerivationPass::forward ? title
        : context.pass == DerivationPass::backward ? title + ", backward"
                                                   : title + ", again";
}

std::string reasonOf(const DerivationLine& line, const LineContext& context)
{
    return asSentence(wordsOf(line, context) + pricePhrase(line, context));
}

std::string titleOfBlocks(const CostTree<Count>& tree, const std::vector<int>& nodes)
{
    constexpr std::size_t kMaxNamed = 3;
    std::string ranges;
    Count blocks = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const auto& node = tree.node(nodes[i]);
        blocks += node.repeat;
        if (i < kMaxNamed) {
            ranges += (i == 0 ? "" : ", ") + std::to_string(node.index + 1)
                + (node.repeat > 1 ? " \xE2\x80\x93 " + digits(node.index + node.repeat) : "");
        }
    }
    return (blocks == 1 ? "Block " : "Blocks ") + ranges
        + (nodes.size() > kMaxNamed ? " and others" : "");
}

std::string reasonOf(TermKind kind)
{
    switch (kind) {
    case TermKind::blockParameters:
        return "Each token meets every parameter of the blocks in one multiply-add.";
    case TermKind::modelParameters:
        return "Each token meets every parameter of the model in one multiply-add.";
    case TermKind::embeddingAsProduct:
        return "Looking a token up is charged as a product with the whole table.";
    case TermKind::products: return "Each token goes through the matrices of mixers and FFNs.";
    case TermKind::blocksAsDense:
        return "Every block is taken for one with full attention and a dense FFN of f = 4d.";
    case TermKind::attention: return "Queries meet keys, and weights meet values.";
    case TermKind::attentionAsFull:
        return "Queries meet keys, and weights meet values, in heads that are d wide together.";
    case TermKind::softmax: return "Each score goes through the softmax.";
    case TermKind::logits: return "Features become logits over the vocabulary.";
    case TermKind::logitsOfAllTokens:
        return "Every token's features become logits over the vocabulary.";
    case TermKind::mixerProductsOfOneToken: return "One token goes through the mixer's matrices.";
    case TermKind::ffnProductsOfOneToken: return "One token goes through the FFN's matrices.";
    case TermKind::attentionAsSquare:
        return "Attention is charged as d\xC2\xB2 a layer, whatever the context.";
    case TermKind::activations: return "Each hidden feature goes through the activation.";
    case TermKind::norms: return "Each feature is normalised.";
    }
    return {};
}

} // namespace flopsmith
