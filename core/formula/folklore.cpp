// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula/folklore.h"

#include "core/base/design_notes.h"
#include "core/base/text.h"
#include "core/ffn/gated.h"
#include "core/mixer/attention.h"
#include "core/model/model_cost.h"
#include "core/model/presets.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace flopsmith {
namespace {

const std::string kTimes = "\xC3\x97";
const std::string kSquared = "\xC2\xB2";

struct Sizes
{
    int dModel = 0;
    int layers = 0;
    int heads = 0;
    int dFf = 0;
    int vocab = 0; ///< 0: embedding and head do not matter
};

// A decoder of plain blocks, without biases where only products matter.
Model decoder(const Sizes& sizes, const FfnSpec& ffn)
{
    Model model;
    model.dModel = sizes.dModel;
    model.embedding.vocab = sizes.vocab > 0 ? sizes.vocab : 2;
    Block block;
    block.mixer = Attention{.heads = sizes.heads, .kvHeads = sizes.heads};
    block.ffn = ffn;
    model.runs = {{block, sizes.layers}};
    model.head.kind = sizes.vocab > 0 ? HeadKind::lm : HeadKind::none;
    model.head.tied = false;
    return model;
}

Scenario denseDecoder(const Sizes& sizes, int tokens)
{
    return {decoder(sizes, DenseFfn{.dFf = sizes.dFf}), {.sequence = tokens}};
}

constexpr Sizes kNoteZero{4096, 1, 32, 16384};
constexpr Sizes kGpt2Block{768, 1, 12, 3072};
constexpr Sizes kGpt3{12288, 96, 96, 49152, 50257};

Scenario llama7B(int tokens)
{
    Scenario scenario = denseDecoder({4096, 32, 32, 11008, 32000}, tokens);
    scenario.model.embedding.positions = Positions::none;
    Block& block = scenario.model.runs.front().block;
    block.ffn = GatedFfn{.dFf = 11008};
    block.norm = Norm::rms();
    get<Attention>(block.mixer) = {
        .heads = 32, .kvHeads = 32, .qkvBias = false, .outBias = false, .rotary = true};
    return scenario;
}

std::string decimal(double value, int digits)
{
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.*f", digits, value);
    return text.data();
}

std::string power(double value)
{
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.3g", value);
    return text.data();
}

// A derivation under construction: every step that the cost model can back has its formula.
class DerivationSteps
{
public:
    void say(std::string sentence) { m_steps.push_back({std::move(sentence)}); }

    // The part's cost as a figure, and its formula in the derivation.
    double show(std::string sentence,
                const Scenario& scenario,
                std::string_view part,
                LensId by,
                const std::vector<std::string>& simplify = {},
                std::optional<PairsRule> pairs = {})
    {
        const Result<Formula> formula = formulaOf(scenario, part, by, simplify, pairs);
        FLOPSMITH_CHECK(formula.ok());
        m_steps.push_back({std::move(sentence), *formula, std::string(lens(by).unit)});
        return toDouble(formula->value);
    }

    std::vector<FolkloreStep> take() { return std::move(m_steps); }

private:
    std::vector<FolkloreStep> m_steps;
};

Folklore activation()
{
    DerivationSteps steps;
    const Scenario one = denseDecoder(kNoteZero, 1);
    const double hidden = kNoteZero.dFf;
    const double charged = 2.0 * hidden;
    steps.say("The note charges two operations per hidden feature: 2 " + kTimes + " 16384 = "
              + groupedDigits(static_cast<Count>(charged)) + ", which is thousands, not millions.");
    const double ffn =
        steps.show("The two products of the FFN, in multiply-add pairs:", one, "ffn", LensId::mac);
    const double attention =
        steps.show("The projections of attention, likewise (the note's one-token core adds d"
                       + kSquared + " more):",
                   one,
                   "qkv_proj",
                   LensId::mac);
    const double output = steps.show("and its output projection:", one, "out_proj", LensId::mac);
    const double core = static_cast<double>(one.model.dModel) * one.model.dModel;
    const double ffnAll = ffn + charged;
    const double total = ffnAll + attention + output + core;
    steps.say("Together " + siText(total) + ", of which the FFN is " + percentText(ffnAll / total)
              + " and attention " + percentText(1.0 - ffnAll / total) + ", not 66 % and 33 %.");
    return {.id = "activation",
            .title = "The activation of an FFN",
            .note = std::string(kPerTokenNote),
            .printed = "an activation over 16384 hidden features costs 32.8 MFLOPs per token",
            .truth = "it costs " + siText(charged) + "FLOPs; the FFN is " + siText(ffnAll)
                + " and the block " + siText(total) + " (MACs, no context)",
            .unit = "FLOPs",
            .printedValue = 32.8e6,
            .trueValue = charged,
            .derivation = steps.take()};
}

Folklore softmaxScale()
{
    DerivationSteps steps;
    const double h = static_cast<double>(kNoteZero.dModel) / kNoteZero.heads;
    const double d = kNoteZero.dModel;
    steps.say("A score is a sum of h products of a query's and a key's features. If those are "
              "independent with variance 1, the score has variance h.");
    steps.say("Divided by \xE2\x88\x9Ah it has variance 1, whatever h is; that is why scores are "
              "divided by \xE2\x88\x9Ah.");
    steps.say("Divided by d, its standard deviation is \xE2\x88\x9Ah/d: with d = 4096 and h = 128 "
              + power(std::sqrt(h) / d)
              + ", so that every key gets the same weight and attention is a plain mean.");
    return {.id = "softmax_scale",
            .title = "The scale of attention scores",
            .note = std::string(kPerTokenNote),
            .printed = "Softmax(Q\xC2\xB7K\xE1\xB5\x80 / d)",
            .truth =
                "Softmax(Q\xC2\xB7K\xE1\xB5\x80 / \xE2\x88\x9Ah), h = head_dim: the divisor is "
                + decimal(std::sqrt(h), 2) + " and not 4096",
            .printedValue = d,
            .trueValue = std::sqrt(h),
            .derivation = steps.take()};
}

Folklore multiHeadAttention()
{
    DerivationSteps steps;
    const Scenario gpt2 = denseDecoder(kGpt2Block, 1024);
    const double d = kGpt2Block.dModel;
    const double s = gpt2.workload.sequence;
    const double h = kGpt2Block.heads;
    const double truth = steps.show("Projections, scores and weighted sum of all heads, all pairs:",
                                    gpt2,
                                    "attention",
                                    LensId::matmul);
    const double printed = 2 * s * d * (4 * d + 2 * s * h);
    steps.say("The heads share the d features: H heads of h = d/H features make d, so that the "
              "quadratic term is 2S, not 2S\xC2\xB7H.");
    steps.say("With GPT-2 small's d = 768, H = 12 and 1024 tokens the printed formula gives "
              + siText(printed) + "FLOPs, " + decimal(printed / truth, 1) + kTimes + " too many.");
    return {.id = "multi_head_attention",
            .title = "Multi-head attention",
            .note = std::string(kOnePagerNote),
            .printed = "2BSD(4D + 2S\xC2\xB7H)",
            .truth = "2BSD(4D + 2S): " + siText(truth) + "FLOPs for GPT-2 small's block at 1024",
            .unit = "FLOPs",
            .printedValue = printed,
            .trueValue = truth,
            .derivation = steps.take()};
}

Folklore block()
{
    DerivationSteps steps;
    const Scenario gpt2 = denseDecoder(kGpt2Block, 1024);
    const double d = kGpt2Block.dModel;
    const double s = gpt2.workload.sequence;
    const double truth =
        steps.show("A block's products, all pairs:", gpt2, "block", LensId::matmul);
    steps.show("With d_ff = 4d the same is", gpt2, "block", LensId::matmul, {"f=4d"});
    const double printed = s * d * (24 * d + 4 * kGpt2Block.dFf + 4 * s * kGpt2Block.heads);
    steps.say("24D holds the FFN already (8D of attention and 16D of an FFN with d_ff = 4D), so "
              "4\xC2\xB7"
              "D_ff counts it twice; and 4S\xC2\xB7H repeats the slip of multi-head "
              "attention.");
    return {.id = "block",
            .title = "A transformer block",
            .note = std::string(kOnePagerNote),
            .printed = "BSD(24D + 4\xC2\xB7"
                       "D_ff + 4S\xC2\xB7H)",
            .truth = "BSD(8D + 4\xC2\xB7"
                     "D_ff + 4S): the printed one is "
                + decimal(printed / truth, 1) + kTimes + " too high at GPT-2 small's 1024 tokens",
            .unit = "FLOPs",
            .printedValue = printed,
            .trueValue = truth,
            .derivation = steps.take()};
}

Folklore gpt3()
{
    DerivationSteps steps;
    const Scenario one = denseDecoder(kGpt3, 1);
    const double perToken =
        steps.show("All products of one token without context:", one, "", LensId::matmul);
    Scenario published = one;
    published.model.embedding.positionRows = 2048;
    published.model.head.tied = true;
    const double parameters = toDouble(costTree(published).total().parameters.trainable);
    const double training = 6.0 * parameters * 300e9;
    steps.say("3.14e23 is the whole training of GPT-3: 6 " + kTimes + " " + siText(parameters)
              + "parameters " + kTimes + " 300 G tokens = " + power(training) + " FLOPs.");
    return {.id = "gpt3",
            .title = "GPT-3, one token",
            .note = std::string(kOnePagerNote),
            .printed = "a forward pass of GPT-3 takes 3.14e14 FLOPs per token",
            .truth = power(perToken) + " FLOPs per token",
            .unit = "FLOPs",
            .printedValue = 3.14e14,
            .trueValue = perToken,
            .derivation = steps.take()};
}

Folklore llama()
{
    DerivationSteps steps;
    const double alone =
        steps.show("All products of one token without context:", llama7B(1), "", LensId::matmul);
    constexpr int kContext = 2048;
    const double all =
        steps.show("A sequence of 2048 tokens, all pairs:", llama7B(kContext), "", LensId::matmul);
    steps.say("Per token that is " + power(all / kContext) + " FLOPs.");
    return {.id = "llama",
            .title = "LLaMA-7B, one token",
            .note = std::string(kOnePagerNote),
            .printed = "LLaMA-7B takes 1.4e13 FLOPs per token",
            .truth = power(alone) + " without context, " + power(all / kContext)
                + " at 2048 tokens with all pairs",
            .unit = "FLOPs",
            .printedValue = 1.4e13,
            .trueValue = all / kContext,
            .derivation = steps.take()};
}

Folklore perToken()
{
    DerivationSteps steps;
    const int tokens = 512;
    const Scenario some = denseDecoder(kNoteZero, tokens);
    const double one = steps.show(
        "The products of an FFN for one token:", denseDecoder(kNoteZero, 1), "ffn", LensId::matmul);
    const double all =
        steps.show("For " + std::to_string(tokens) + " tokens:", some, "ffn", LensId::matmul);
    return {.id = "per_token",
            .title = "An FFN's forward pass",
            .note = std::string(kSparseFfnNote),
            .printed = "an FFN takes 4\xC2\xB7"
                       "d\xC2\xB7"
                       "f FLOPs per forward pass",
            .truth = "per token: " + siText(one) + "FLOPs; a pass of " + std::to_string(tokens)
                + " tokens takes " + siText(all) + "FLOPs",
            .unit = "FLOPs",
            .printedValue = one,
            .trueValue = all,
            .derivation = steps.take()};
}

Folklore vitBase()
{
    const std::optional<Model> preset = presetNamed("vit-base-patch16-224");
    FLOPSMITH_CHECK(preset.has_value());
    const Scenario image{.model = *preset};
    DerivationSteps steps;
    const double macs = steps.show("One image of 224" + kSquared + " pixels in patches of 16"
                                       + kSquared + ", in multiply-add pairs:",
                                   image,
                                   "",
                                   LensId::mac);
    const double flops =
        steps.show("A pair is a multiplication and an addition:", image, "", LensId::matmul);
    steps.say("Papers on vision print pairs under the name of FLOPs; beside a figure that counts "
              "operations it is half of what it should be.");
    return {.id = "vit",
            .title = "ViT-B/16, one image",
            .note = std::string(kOnePagerNote),
            .printed = "ViT-B/16 takes 17.6e9 FLOPs",
            .truth = decimal(macs / 1e9, 2) + "e9 MACs, which is " + decimal(flops / 1e9, 2)
                + "e9 FLOPs",
            .unit = "FLOPs",
            .printedValue = 17.6e9,
            .trueValue = flops,
            .derivation = steps.take()};
}

} // namespace

std::string factorText(double factor)
{
    const bool high = factor >= 1;
    const double times = high ? factor : 1.0 / factor;
    return decimal(times, times < 20 ? 1 : 0) + kTimes + (high ? " too high" : " too low");
}

std::vector<Folklore> folklore()
{
    return {activation(),
            softmaxScale(),
            perToken(),
            multiHeadAttention(),
            block(),
            gpt3(),
            llama(),
            vitBase()};
}

} // namespace flopsmith
