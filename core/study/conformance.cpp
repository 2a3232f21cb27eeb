// SPDX-License-Identifier: MIT
#include "core/study/conformance.h"

#include "core/ffn/dense.h"
#include "core/mixer/attention.h"
#include "core/model/presets.h"

namespace flopsmith {
namespace {

constexpr Count kGiga = 1'000'000'000;

ConformanceModel preset(std::string_view id, int sequence)
{
    Model model = *presetNamed(id);
    std::string title = model.name;
    return {
        std::move(title), "preset " + std::string(id), {std::move(model), {.sequence = sequence}}};
}

// Sizes in which the published models below differ.
struct StackSizes
{
    int layers = 12;
    int dModel = 768;
    int heads = 12;
    int headDim = 0;
    int dFf = 3072;
    int vocab = 50257;
};

Model stack(std::string name, const StackSizes& sizes)
{
    Model model;
    model.name = std::move(name);
    model.dModel = sizes.dModel;
    model.embedding.vocab = sizes.vocab;
    Block block;
    block.mixer = Attention{.heads = sizes.heads, .kvHeads = sizes.heads, .headDim = sizes.headDim};
    block.ffn = DenseFfn{.dFf = sizes.dFf};
    model.runs = {{block, sizes.layers}};
    return model;
}

ConformanceModel nanoGpt()
{
    Model model = stack("GPT-2 small without biases", {});
    const Norm scaleOnly{.shift = false};
    Block& block = model.runs.front().block;
    block.mixer = Attention{.qkvBias = false, .outBias = false};
    block.ffn = DenseFfn{.dFf = 3072, .bias = false};
    block.norm = model.finalNorm = scaleOnly;
    return {model.name, "nanoGPT, transformer_sizing.ipynb", {model, {.sequence = 1024}}};
}

ConformanceModel llama7BOn128Tokens()
{
    ConformanceModel model = preset("llama-2-7b", 128);
    model.title = model.scenario.model.name = "LLaMA-7B";
    model.source = "calflops, README";
    return model;
}

ConformanceModel bertLarge()
{
    Model model =
        stack("BERT-Large encoder", {.layers = 24, .dModel = 1024, .heads = 16, .dFf = 4096});
    get<Attention>(model.runs.front().block.mixer).causal = false;
    model.head.kind = HeadKind::none;
    return {model.name,
            "DeepSpeed, README of the flops profiler",
            {model, {.batch = 80, .sequence = 128}}};
}

ConformanceModel chinchilla(std::string name, const StackSizes& sizes)
{
    Model model = stack(std::move(name), sizes);
    model.embedding.positions = Positions::none;
    return {model.name, "nanoGPT, scaling_laws.ipynb", {model, {.sequence = 2048}}};
}

ConformanceModel chinchilla73M()
{
    return chinchilla(
        "Chinchilla family, 73M",
        {.layers = 10, .dModel = 640, .heads = 10, .headDim = 64, .dFf = 2560, .vocab = 32000});
}

ConformanceModel chinchilla7B()
{
    return chinchilla(
        "Chinchilla family, 6.8B",
        {.layers = 40, .dModel = 3584, .heads = 28, .headDim = 128, .dFf = 14336, .vocab = 32000});
}

ConformanceModel vitB16()
{
    ConformanceModel model = preset("vit-base-patch16-224", 197);
    model.source = "torchvision, vit_b_16";
    return model;
}

ConformanceModel t5Small()
{
    ConformanceModel model = preset("t5-small", 128);
    model.scenario.workload.source = 512;
    return model;
}

std::vector<ConformanceModel> conformanceModels()
{
    return {preset("gpt2", 1024),
            nanoGpt(),
            preset("bert-base", 128),
            bertLarge(),
            llama7BOn128Tokens(),
            preset("llama-3-8b", 2048),
            preset("mistral-7b", 8192),
            chinchilla7B(),
            preset("gemma-2-2b", 8192),
            t5Small(),
            vitB16(),
            preset("albert-base", 512),
            preset("fnet-base", 512),
            preset("gpt2-ultra-efficient", 1024)};
}

Count forward(const ConformanceModel& model, LensId id)
{
    return lensTotal(model.scenario, id).figure.value();
}

Count training(const ConformanceModel& model, LensId id)
{
    return lensTotal(model.scenario, id).training.value_or(0);
}

// The reproduction of appendix F's table, which omits embedding and logits.
Count chinchillaBlocksTrained(const ConformanceModel& model)
{
    const LensTotal total = lensTotal(model.scenario, LensId::chinchilla);
    return 3 * (total.figure.value() - total.terms.front().amount - total.terms.back().amount);
}

struct Printed
{
    std::string quantity;
    std::string rule;
    Count published;
    Count printedTo;
    Count computed;
};

PublishedFigure figure(const ConformanceModel& of, Printed printed)
{
    return {.model = of.title,
            .workload = workloadLine(of.scenario.workload),
            .quantity = std::move(printed.quantity),
            .rule = std::move(printed.rule),
            .source = of.source,
            .published = printed.published,
            .printedTo = printed.printedTo,
            .computed = printed.computed};
}

} // namespace

bool PublishedFigure::agrees() const
{
    const Count apart = computed > published ? computed - published : published - computed;
    return 2 * apart <= printedTo || apart == 0;
}

std::vector<ConformanceEntry> conformance()
{
    std::vector<ConformanceEntry> entries;
    for (ConformanceModel& model : conformanceModels()) {
        ConformanceEntry entry{.model = std::move(model)};
        entry.parameters = costTree(entry.model.scenario).total().parameters.trainable;
        for (const Lens& each : lenses()) {
            entry.totals.push_back(lensTotal(entry.model.scenario, each.id));
        }
        entries.push_back(std::move(entry));
    }
    return entries;
}

std::vector<PublishedFigure> publishedFigures()
{
    const ConformanceModel gpt = nanoGpt();
    const ConformanceModel llama = llama7BOn128Tokens();
    const ConformanceModel bert = bertLarge();
    const ConformanceModel small = chinchilla73M();
    const ConformanceModel large = chinchilla7B();
    const ConformanceModel vit = vitB16();
    const FormulaSizes<Count> bertSizes = formulaSizes(bert.scenario);
    const Count hundredth = kGiga / 100;
    return {
        figure(gpt, {"forward", "matmul", 291'648'307'200, 1, forward(gpt, LensId::matmul)}),
        figure(gpt, {"training step", "matmul", 874'944'921'600, 1, training(gpt, LensId::matmul)}),
        figure(gpt, {"training step", "palm", 875'062'886'400, 1, training(gpt, LensId::palm)}),
        figure(llama, {"forward MACs", "mac", 850 * kGiga, hundredth, forward(llama, LensId::mac)}),
        figure(llama,
               {"forward",
                "calflops",
                170'006 * hundredth,
                hundredth,
                forward(llama, LensId::calflops)}),
        figure(llama,
               {"training step",
                "calflops",
                510'019 * hundredth,
                hundredth,
                training(llama, LensId::calflops)}),
        figure(vit,
               {"forward MACs",
                "mac",
                17'564 * (kGiga / 1000),
                kGiga / 1000,
                forward(vit, LensId::mac)}),
        figure(bert,
               {"forward MACs",
                "multiply-adds of linear layers, 1 per softmax element",
                309'288 * hundredth,
                hundredth,
                bertSizes.blockProducts() + bertSizes.softmax}),
        figure(small,
               {"training step",
                "chinchilla, blocks only",
                929'877'196'800,
                1,
                chinchillaBlocksTrained(small)}),
        figure(large,
               {"training step",
                "chinchilla, blocks only",
                83'021'046'743'040,
                1,
                chinchillaBlocksTrained(large)}),
    };
}

std::string workloadLine(const Workload& workload)
{
    const std::string batch = std::to_string(workload.batch) + " \xC3\x97 ";
    return workload.phase == Phase::decode
        ? "decode, " + batch + "1 token after " + std::to_string(workload.keys() - 1)
        : batch + std::to_string(workload.sequence) + " tokens";
}

} // namespace flopsmith
