// SPDX-License-Identifier: MIT
#include "core/export/torch/tensors/expected_outputs.h"

#include "core/io/safetensors/safetensors_writer.h"
#include "core/kernels/reference/layer.h"
#include "core/run/model_run.h"

#include <algorithm>
#include <utility>

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

/// The tensors of the file. Images and outputs are borrowed until it is written.
class ExpectedTensors
{
public:
    const std::vector<TensorToWrite>& tensors() const { return m_tensors; }

    void addInputs(const ModelPlan& plan, const ModelInputs<double>& inputs)
    {
        if (const Embedding* images = imagesOf(plan)) {
            add("images",
                {static_cast<std::int64_t>(plan.decoder.batch),
                 images->channels,
                 images->imageSize,
                 images->imageSize},
                inputs.images);
        } else {
            m_tokens = wide(inputs.tokens);
            addTokens("tokens", plan, m_tokens);
        }
        if (plan.hasEncoder) {
            m_source = wide(inputs.source);
            addTokens("source", plan, m_source);
        }
    }

    void addOutputs(const ModelPlan& plan, const std::vector<double>& outputs)
    {
        add("outputs", rows(plan, outputs.size()), outputs);
    }

    void addGradients(const ModelPlan& plan,
                      const std::vector<StoredTensor>& stored,
                      std::vector<double> dOutputs,
                      Weights<double> gradients)
    {
        m_dOutputs = std::move(dOutputs);
        add("output_gradients", rows(plan, m_dOutputs.size()), m_dOutputs);
        m_gradients.reserve(stored.size()); // each stays where it is
        for (const StoredTensor& tensor : stored) {
            m_gradients.push_back(storedOrder(
                tensor, plan.tensors[tensor.tensor].shape, std::move(gradients[tensor.tensor])));
            add("gradients." + tensor.name, tensor.shape, m_gradients.back());
        }
    }

private:
    void add(const std::string& name,
             const std::vector<std::int64_t>& shape,
             const std::vector<double>& values)
    {
        m_tensors.push_back({name, TensorType::f64, shape, std::span<const double>(values)});
    }

    void addTokens(const std::string& name,
                   const ModelPlan& plan,
                   const std::vector<std::int64_t>& tokens)
    {
        m_tensors.push_back({name,
                             TensorType::i64,
                             rows(plan, tokens.size()),
                             std::span<const std::int64_t>(tokens)});
    }

    std::vector<TensorToWrite> m_tensors;
    std::vector<std::int64_t> m_tokens;
    std::vector<std::int64_t> m_source;
    std::vector<double> m_dOutputs;
    std::vector<std::vector<double>> m_gradients;
};

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
    FLOPSMITH_TRY(const Weights<double> weights, storedWeights(plan, source, stop));
    const auto inputs = randomInputs<double>(plan, source.seed + 1);
    FLOPSMITH_TRY(
        const auto run,
        forward(plan, weights, inputs, gradients ? Keep::forBackward : Keep::nothing, stop));
    ExpectedTensors expected;
    expected.addInputs(plan, inputs);
    expected.addOutputs(plan, run.outputs);
    if (gradients) {
        std::vector<double> dOutputs =
            randomActivations<double>(run.outputs.size(), source.seed + 2);
        FLOPSMITH_TRY(auto all, backward<double>(plan, weights, inputs, run, dOutputs, stop));
        expected.addGradients(plan, stored, std::move(dOutputs), std::move(all));
    }
    const auto written = writeSafetensors(path, expected.tensors(), {{"format", "pt"}});
    return written ? Status(Done{}) : Status(written.error());
}

} // namespace flopsmith::torch
