// SPDX-License-Identifier: MIT
#include "app/bench/shared/legal.h"

#include "app/bench/shared/operands.h"
#include "core/ffn/no_ffn.h"
#include "core/mixer/no_mixer.h"
#include "core/parameter/validation.h"

#include <string>

namespace flopsmith::bench {
namespace {

// Puts the operation into a model that is otherwise legal.
struct PutInto
{
    Model& model;

    void operator()(const FfnSpec& ffn) const { model.runs[0].block.ffn = ffn; }
    void operator()(const MixerSpec& mixer) const
    {
        if (!readsSource(mixer)) {
            model.runs[0].block.mixer = mixer;
            return;
        }
        BlockRun encoder = model.runs[0];
        encoder.block.stack = Stack::encoder;
        model.runs[0].block.cross = mixer;
        model.runs.insert(model.runs.begin(), encoder);
    }
    void operator()(const NormOperation& norm) const { model.finalNorm = norm.norm; }
    void operator()(const ResidualOperation&) const {}
    void operator()(const EmbeddingOperation& embedding) const
    {
        model.embedding = embedding.embedding;
        model.head.kind = HeadKind::none;
    }
    void operator()(const HeadOperation& head) const
    {
        model.head = head.head;
        model.embedding.vocab = head.vocab;
        model.embedding.width = head.width;
        model.embedding.projection = Projection::plain;
    }
    void operator()(const ModelOperation&) const {} // is a scenario already
};

Scenario scenarioOf(const Operation& operation)
{
    Scenario scenario;
    scenario.model.dModel = operation.dModel;
    Block block;
    block.mixer = NoMixer{};
    block.ffn = NoFfn{};
    scenario.model.runs = {BlockRun{.block = block, .repeat = 1}};
    std::visit(PutInto{scenario.model}, operation.what);
    scenario.workload.batch = operation.batch;
    scenario.workload.sequence = operation.context;
    return scenario;
}

// Its sizes are checked like those of a part.
Status validatedWhole(const ModelOperation& whole, const Operation& operation)
{
    const Scenario scenario = scenarioOf(whole, operation);
    if (const Status status = validated(scenario); !status) {
        return status;
    }
    if (operation.dModel != scenario.model.dModel || operation.context != operation.sequence) {
        return Error{
            "a whole model runs with its own d_model, " + std::to_string(scenario.model.dModel)
            + ", and without cached tokens; here d_model is " + std::to_string(operation.dModel)
            + " and the context is " + std::to_string(operation.context)};
    }
    if (operation.sequence != scenario.queryTokens()
        || operation.source != scenario.sourceTokens()) {
        return Error{std::to_string(operation.sequence) + " and " + std::to_string(operation.source)
                     + " tokens are not those that the model reads, which are "
                     + std::to_string(scenario.queryTokens()) + " and "
                     + std::to_string(scenario.sourceTokens())};
    }
    if (operation.pass == ComputePass::backward) {
        return Error{"a whole model is measured in its forward pass alone"};
    }
    const Result<ModelPlan> plan = planOf(whole, operation);
    return plan ? Status(Done{}) : Status(plan.error());
}

} // namespace

Status validated(const Operation& operation)
{
    if (operation.sequence < 1 || operation.context < operation.sequence) {
        return Error{"operation: " + std::to_string(operation.sequence)
                     + " query tokens do not stand at the end of "
                     + std::to_string(operation.context) + " tokens"};
    }
    if (operation.pass == ComputePass::backward && operation.context != operation.sequence) {
        return Error{"operation: a backward pass has no cached tokens, so its context is its "
                     "sequence; here they are "
                     + std::to_string(operation.context) + " and "
                     + std::to_string(operation.sequence)};
    }
    if (const auto* whole = std::get_if<ModelOperation>(&operation.what)) {
        const Status status = validatedWhole(*whole, operation);
        return status ? status : Error{"operation: " + status.error().message};
    }
    const auto* embedding = std::get_if<EmbeddingOperation>(&operation.what);
    const Scenario scenario = scenarioOf(operation);
    const Status status = validated(scenario);
    if (status && embedding != nullptr && embedding->embedding.readsPatches()
        && operation.sequence != scenario.queryTokens()) {
        return Error{"operation: " + std::to_string(operation.sequence)
                     + " tokens are not those that the image becomes; it becomes "
                     + std::to_string(scenario.queryTokens())};
    }
    return status ? status : Error{"operation: " + status.error().message};
}

} // namespace flopsmith::bench
