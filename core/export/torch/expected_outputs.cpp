// SPDX-License-Identifier: MIT
#include "core/export/torch/expected_outputs.h"

#include "core/io/safetensors/safetensors_writer.h"
#include "core/kernels/reference/layer.h"
#include "core/run/model_run.h"

#include <algorithm>

namespace flopsmith::torch {
namespace {

constexpr int kSequences = 2;
constexpr int kTokens = 16;

std::vector<std::int64_t> wide(const std::vector<int>& numbers)
{
    return {numbers.begin(), numbers.end()};
}

std::vector<std::int64_t> rows(const ModelPlan& plan, std::size_t count)
{
    const auto batch = static_cast<std::int64_t>(plan.decoder.batch);
    return {batch, static_cast<std::int64_t>(count) / batch};
}

const Embedding* imagesOf(const ModelPlan& plan)
{
    for (const ModelPart& part : plan.parts) {
        const auto* operation = std::get_if<EmbeddingOperation>(&part.spec);
        if (operation != nullptr && operation->embedding.readsPatches()) {
            return &operation->embedding;
        }
    }
    return nullptr;
}

std::vector<double> roundedToFloat(std::vector<double> values)
{
    for (double& value : values) {
        value = static_cast<double>(static_cast<float>(value));
    }
    return values;
}

std::int64_t inputCount(const ModelPlan& plan)
{
    const std::int64_t batch = plan.decoder.batch;
    if (const Embedding* images = imagesOf(plan)) {
        return batch * images->channels * images->imageSize * images->imageSize;
    }
    return batch * (plan.decoder.sequence + (plan.hasEncoder ? plan.encoder.sequence : 0));
}

std::int64_t outputCount(const ModelPlan& plan)
{
    std::size_t count = plan.decoder.activations();
    for (const ModelPart& part : plan.parts) {
        const auto* operation = std::get_if<HeadOperation>(&part.spec);
        if (operation != nullptr && part.writes == Flow::outputs) {
            count = reference::headOutputs(operation->head, operation->vocab, plan.shapeOf(part));
        }
    }
    return static_cast<std::int64_t>(count);
}

// Of all tensors of the plan, as model.safetensors has them.
Result<Weights<double>> storedWeights(const ModelPlan& plan,
                                      const WeightSource& source,
                                      const std::stop_token& stop)
{
    Weights<double> weights;
    for (std::size_t i = 0; i < plan.tensors.size(); ++i) {
        if (stop.stop_requested()) {
            return Error{"stopped"};
        }
        weights.push_back(roundedToFloat(source.values<double>(plan, i)));
    }
    return weights;
}

} // namespace

Scenario checkedScenario(Scenario scenario)
{
    Workload& workload = scenario.workload;
    workload.phase = Phase::prefill;
    workload.batch = kSequences;
    if (!scenario.model.embedding.readsPatches()) {
        const int rows = scenario.model.embedding.positionRows;
        workload.sequence = rows > 0 ? std::min(kTokens, rows) : kTokens;
    }
    workload.source = scenario.model.hasEncoder() ? workload.sequence : 0;
    return scenario;
}

std::int64_t expectedBytes(const ModelPlan& plan,
                           const std::vector<StoredTensor>& stored,
                           bool gradients)
{
    std::int64_t count = inputCount(plan) + (gradients ? 2 : 1) * outputCount(plan);
    for (const StoredTensor& tensor : stored) {
        count += gradients ? plan.tensors[tensor.tensor].shape.size() : 0;
    }
    return count * static_cast<std::int64_t>(bytesPerElement(TensorType::f64));
}

Status writeExpected(const std::string& path,
                     const ModelPlan& plan,
                     const std::vector<StoredTensor>& stored,
                     const WeightSource& source,
                     bool gradients,
                     const std::stop_token& stop)
{
    const Result<Weights<double>> weights = storedWeights(plan, source, stop);
    if (!weights) {
        return weights.error();
    }
    const auto inputs = randomInputs<double>(plan, source.seed + 1);
    const auto run =
        forward(plan, *weights, inputs, gradients ? Keep::forBackward : Keep::nothing, stop);
    if (!run) {
        return run.error();
    }
    const std::vector<std::int64_t> tokens = wide(inputs.tokens);
    const std::vector<std::int64_t> sourceTokens = wide(inputs.source);
    std::vector<TensorToWrite> tensors;
    if (const Embedding* images = imagesOf(plan)) {
        tensors.push_back({"images",
                           TensorType::f64,
                           {static_cast<std::int64_t>(plan.decoder.batch),
                            images->channels,
                            images->imageSize,
                            images->imageSize},
                           std::span<const double>(inputs.images)});
    } else {
        tensors.push_back({"tokens",
                           TensorType::i64,
                           rows(plan, tokens.size()),
                           std::span<const std::int64_t>(tokens)});
    }
    if (plan.hasEncoder) {
        tensors.push_back({"source",
                           TensorType::i64,
                           rows(plan, sourceTokens.size()),
                           std::span<const std::int64_t>(sourceTokens)});
    }
    const std::vector<std::int64_t> outputShape = rows(plan, run->outputs.size());
    tensors.push_back(
        {"outputs", TensorType::f64, outputShape, std::span<const double>(run->outputs)});
    std::vector<double> dOutputs;
    std::vector<std::vector<double>> values;
    if (gradients) {
        dOutputs = randomActivations<double>(run->outputs.size(), source.seed + 2);
        auto all = backward<double>(plan, *weights, inputs, *run, dOutputs, stop);
        if (!all) {
            return all.error();
        }
        tensors.push_back(
            {"output_gradients", TensorType::f64, outputShape, std::span<const double>(dOutputs)});
        values.reserve(stored.size());
        for (const StoredTensor& tensor : stored) {
            values.push_back(storedOrder(
                tensor, plan.tensors[tensor.tensor].shape, std::move((*all)[tensor.tensor])));
            tensors.push_back({"gradients." + tensor.name,
                               TensorType::f64,
                               tensor.shape,
                               std::span<const double>(values.back())});
        }
    }
    const auto written = writeSafetensors(path, tensors, {{"format", "pt"}});
    return written ? Status(Done{}) : Status(written.error());
}

} // namespace flopsmith::torch
