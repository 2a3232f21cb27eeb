// SPDX-License-Identifier: MIT
#include "app/bench_torch/jobs/part_program.h"

#include "core/export/torch/model_source.h"
#include "core/export/torch/tensors/stored_tensors.h"
#include "core/ffn/composed.h"
#include "core/mixer/attention.h"
#include "core/mixer/cross_attention.h"
#include "core/mixer/latent_attention.h"

#include <algorithm>
#include <utility>

namespace flopsmith::bench {
namespace {

using torch::PartStep;
using torch::TorchTensors;

using Made = Result<PartProgram>;

Made made(const Result<std::string>& source,
          TorchTensors stored,
          std::vector<std::string> arguments,
          std::optional<ProgramCache> cache = {})
{
    if (!source) {
        return source.error();
    }
    return PartProgram{.source = *source,
                       .call = "part",
                       .tensors = std::move(stored.tensors),
                       .buffers = std::move(stored.buffers),
                       .arguments = std::move(arguments),
                       .cache = std::move(cache)};
}

// The mixer whose program computes the same: tables of relative positions are part of it.
MixerSpec alone(const MixerSpec& mixer, bool decodes)
{
    if (const auto* attention = get_if<Attention>(&mixer);
        attention != nullptr && attention->positionBias == PositionBias::sharedRelative) {
        Attention own = *attention;
        own.positionBias = PositionBias::relative;
        return own;
    }
    if (const auto* latent = get_if<LatentAttention>(&mixer)) {
        return latent->inStep(decodes);
    }
    return mixer;
}

void addDropouts(const FfnSpec& ffn, const std::string& path, std::vector<ProgramDropout>& all)
{
    const auto* composed = get_if<ComposedFfn>(&ffn);
    if (composed == nullptr) {
        return;
    }
    if (composed->drops()) {
        const DropoutMask mask(*composed);
        all.push_back({path, [mask](std::size_t i) { return mask.factor(i); }});
    }
    for (std::size_t i = 0; i < composed->stages.size(); ++i) {
        const std::string stage = "stages." + std::to_string(i);
        addDropouts(composed->stages[i].spec, path.empty() ? stage : path + "." + stage, all);
    }
}

Result<std::optional<ProgramCache>> cacheOf(const MixerSpec& mixer)
{
    if (const auto* attention = get_if<Attention>(&mixer)) {
        if (!attention->causal) {
            return Error{"the exported attention to later tokens has no cache"};
        }
        return std::optional(ProgramCache{.kind = "heads", .heads = attention->kvHeads});
    }
    if (const auto* cross = get_if<CrossAttention>(&mixer)) {
        return std::optional(ProgramCache{.kind = "source", .heads = cross->kvHeads});
    }
    if (const auto* latent = get_if<LatentAttention>(&mixer)) {
        if (!latent->causal || !latent->cachesLatents()) {
            return Error{"the exported latent attention caches latents of earlier tokens alone"};
        }
        return std::optional(ProgramCache{.kind = "latents", .heads = latent->kvLoraRank});
    }
    return std::optional<ProgramCache>();
}

struct MakeProgram
{
    const Operation& operation;
    int dModel = operation.dModel;
    bool decodes = operation.context > operation.sequence;
    PartStep step = decodes ? PartStep::decode : PartStep::sequence;

    Made operator()(const FfnSpec& ffn) const
    {
        Made program =
            made(torch::partSource(ffn, dModel), torch::torchTensors(ffn, dModel), {"x"});
        if (program && computesGradients(operation)) {
            addDropouts(ffn, "", program->dropouts);
        }
        return program;
    }

    Made operator()(const MixerSpec& asked) const
    {
        const MixerSpec mixer = alone(asked, decodes);
        const auto cache = decodes ? cacheOf(mixer) : std::optional<ProgramCache>();
        if (!cache) {
            return cache.error();
        }
        std::vector<std::string> arguments{"x"};
        if (readsSource(mixer) && !decodes) {
            arguments.emplace_back("source");
        }
        return made(torch::partSource(mixer, dModel, *cache ? step : PartStep::sequence),
                    torch::torchTensors(mixer, dModel),
                    std::move(arguments),
                    *cache);
    }

    Made operator()(const NormOperation& n) const
    {
        return made(torch::partSource(n.norm, dModel), torch::torchTensors(n.norm, dModel), {"x"});
    }

    Made operator()(const ResidualOperation& r) const
    {
        std::vector<std::string> arguments{"x", "f"};
        if (r.residual.branches > 1) {
            arguments.emplace_back("g");
        }
        return made(torch::partSource(r.residual), {}, std::move(arguments));
    }

    Made operator()(const EmbeddingOperation& e) const
    {
        const bool hasPosition = decodes && !e.embedding.readsPatches();
        return made(torch::partSource(
                        e.embedding, dModel, hasPosition ? PartStep::decode : PartStep::sequence),
                    torch::torchTensors(e.embedding, dModel),
                    {e.embedding.readsPatches() ? "images" : "tokens"},
                    hasPosition ? std::optional(ProgramCache{.kind = "none"}) : std::nullopt);
    }

    // A tied head reads the embedding's table, which is a weight of the operation.
    Made operator()(const HeadOperation& h) const
    {
        TorchTensors stored = torch::torchTensors(h.head, dModel, h.tokenTable());
        std::vector<std::string> arguments{"x"};
        if (h.head.isLm() && h.head.tied) {
            const WeightShapes shapes = weights(h.head, dModel, h.tokenTable());
            const auto table = std::ranges::find(shapes, "logits.weight", &WeightShape::name);
            stored.tensors.push_back({.name = "table",
                                      .index = static_cast<std::size_t>(table - shapes.begin()),
                                      .shape = {table->rows, table->columns}});
            arguments.emplace_back("table");
        }
        return made(torch::partSource(h.head, dModel, h.tokenTable()),
                    std::move(stored),
                    std::move(arguments));
    }

    Made operator()(const ModelOperation& whole) const
    {
        const Scenario scenario = scenarioOf(whole, operation);
        const Result<ModelPlan> plan = planOf(whole, operation);
        if (!plan) {
            return plan.error();
        }
        const auto stored = torch::storedTensors(scenario.model, *plan);
        if (!stored) {
            return stored.error();
        }
        TorchTensors tensors{.tensors = {}, .buffers = torch::storedBuffers(scenario.model)};
        for (const torch::StoredTensor& tensor : *stored) {
            tensors.tensors.push_back(
                {tensor.name, tensor.tensor, tensor.transposed, tensor.shape});
        }
        std::vector<std::string> arguments{scenario.model.embedding.readsPatches() ? "images"
                                                                                   : "tokens"};
        if (scenario.model.hasEncoder()) {
            arguments.emplace_back("source");
        }
        Made program = made(torch::modelSource(scenario), std::move(tensors), std::move(arguments));
        if (program) {
            program->call = "Model";
        }
        return program;
    }
};

} // namespace

Result<PartProgram> partProgram(const Operation& operation)
{
    return std::visit(MakeProgram{operation}, operation.what);
}

bool computesGradients(const Operation& operation)
{
    return operation.pass == ComputePass::backward
        && !std::holds_alternative<ResidualOperation>(operation.what);
}

std::vector<ProgramGradient> gradients(const PartProgram& program,
                                       const Operation& operation,
                                       const Inputs& inputs)
{
    std::vector<ProgramGradient> all;
    for (const std::string& argument : program.arguments) {
        const std::size_t own = shapeOf(operation).activations();
        if (argument == "x") {
            all.push_back({argument, own});
        } else if (argument == "source") {
            all.push_back({argument, inputs.x.size() - own});
        }
    }
    const std::size_t first = all.size();
    for (const WeightShape& shape : weightShapes(operation)) {
        all.push_back({"", static_cast<std::size_t>(shape.size())});
    }
    for (const torch::TorchTensor& tensor : program.tensors) {
        all[first + tensor.index].name = tensor.name;
    }
    return all;
}

} // namespace flopsmith::bench
