// SPDX-License-Identifier: MIT
#include "app/bench/shared/operands.h"

#include "core/kernels/mixer_operands.h"
#include "core/kernels/reference/layer.h"
#include "core/run/checks.h"
#include "core/run/wiring.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace flopsmith::bench {
namespace {

constexpr std::size_t kStopInterval = std::size_t{1} << 20; // numbers between two checks of `stop`

struct ShapesOf
{
    const Operation& operation;
    int dModel = operation.dModel;

    WeightShapes operator()(const FfnSpec& ffn) const { return weights(ffn, dModel); }
    WeightShapes operator()(const MixerSpec& mixer) const { return weights(mixer, dModel); }
    WeightShapes operator()(const NormOperation& n) const { return weights(n.norm, dModel); }
    WeightShapes operator()(const ResidualOperation&) const { return {}; }
    WeightShapes operator()(const EmbeddingOperation& e) const
    {
        return weights(e.embedding, dModel);
    }
    WeightShapes operator()(const HeadOperation& h) const
    {
        return weights(h.head, dModel, h.tokenTable());
    }
    WeightShapes operator()(const ModelOperation& whole) const
    {
        const Result<ModelPlan> plan = planOf(whole, operation);
        return plan ? plan->shapes() : WeightShapes();
    }
};

// Four 16-bit uniform numbers of one draw: mean 4·(2^16 − 1)/2, variance 4·(2^32 − 1)/12.
float unitNormal(std::uint64_t bits)
{
    constexpr float kMean = 131070.0F;
    constexpr float kPerDeviation = 2.6429e-5F; // 1 / sqrt(4·(2^32 − 1)/12)
    const auto sum = static_cast<float>((bits & 0xFFFFU) + (bits >> 16U & 0xFFFFU)
                                        + (bits >> 32U & 0xFFFFU) + (bits >> 48U));
    return (sum - kMean) * kPerDeviation;
}

void scaleColumns(const WeightShape& shape, std::vector<float>& values)
{
    if (shape.columnDecay == 0.0) {
        return;
    }
    const auto columns = static_cast<std::size_t>(shape.columns);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] *= static_cast<float>(shape.columnScale(static_cast<std::int64_t>(i % columns)));
    }
}

Weights<float> drawnWeights(const WeightShapes& shapes,
                            std::uint64_t seed,
                            const std::stop_token& stop)
{
    Weights<float> weights;
    for (const WeightShape& shape : shapes) {
        const double deviation =
            shape.init == Init::normal ? 1.0 / std::sqrt(static_cast<double>(shape.rows)) : 0.1;
        weights.push_back(drawn(static_cast<std::size_t>(shape.size()),
                                shape.init == Init::ones ? 1.0 : 0.0,
                                shape.init == Init::zeros ? 0.0 : deviation,
                                seed++,
                                stop));
        scaleColumns(shape, weights.back());
    }
    return weights;
}

std::vector<int> drawnTokens(std::size_t count, int vocab, std::uint64_t seed)
{
    Random random(seed);
    std::vector<int> tokens(count);
    for (int& token : tokens) {
        token = static_cast<int>(random.integer(0, vocab - 1));
    }
    return tokens;
}

} // namespace

Result<ModelPlan> planOf(const ModelOperation& whole, const Operation& sizes)
{
    return flopsmith::planOf(scenarioOf(whole, sizes));
}

WeightShapes weightShapes(const Operation& operation)
{
    return std::visit(ShapesOf{operation}, operation.what);
}

Shape shapeOf(const Operation& operation)
{
    return {.batch = operation.batch,
            .sequence = operation.sequence,
            .context = operation.context,
            .dModel = operation.dModel,
            .source = operation.source};
}

std::size_t outputElements(const Operation& operation)
{
    const Shape shape = shapeOf(operation);
    if (const auto* whole = std::get_if<ModelOperation>(&operation.what)) {
        const Result<ModelPlan> plan = planOf(*whole, operation);
        return plan ? flopsmith::outputElements(*plan, plan->parts[outputPart(*plan)]) : 0;
    }
    const auto* head = std::get_if<HeadOperation>(&operation.what);
    return head == nullptr ? shape.activations()
                           : reference::headOutputs(head->head, head->vocab, shape);
}

std::size_t imageElements(const Embedding& embedding, int batch)
{
    return static_cast<std::size_t>(batch) * static_cast<std::size_t>(embedding.imagePixels());
}

std::vector<float> mixerInput(const MixerSpec& mixer,
                              std::span<const float> x,
                              const Shape& from,
                              const Shape& to)
{
    std::vector<float> cut(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(to.activations()));
    const auto source = x.subspan(from.activations());
    const std::size_t rest = operandsOf(mixer, to).x - cut.size();
    cut.insert(cut.end(), source.begin(), source.begin() + static_cast<std::ptrdiff_t>(rest));
    return cut;
}

namespace {

Count weightElements(const Operation& operation)
{
    Count elements = 0;
    for (const WeightShape& shape : weightShapes(operation)) {
        elements += Count{shape.rows} * shape.columns;
    }
    return elements;
}

// Elements of each of the Inputs.
struct InputElements
{
    std::size_t x = 0;
    std::size_t addend = 0;
    std::size_t secondAddend = 0;
    std::size_t tokenIds = 0;
    std::size_t images = 0;
    std::size_t cachedKeys = 0;
    std::size_t cachedValues = 0;
    std::size_t dy = 0;
    std::size_t model = 0;

    std::size_t sum() const
    {
        return x + addend + secondAddend + tokenIds + images + cachedKeys + cachedValues + dy
            + model;
    }
};

InputElements modelInputs(const ModelOperation& whole, const Operation& operation)
{
    const Result<ModelPlan> plan = planOf(whole, operation);
    const InputSizes sizes = plan ? inputSizes(*plan) : InputSizes();
    return {.model = sizes.tokens + sizes.source + sizes.images};
}

InputElements inputElements(const Operation& operation)
{
    if (const auto* whole = std::get_if<ModelOperation>(&operation.what)) {
        return modelInputs(*whole, operation);
    }
    const Shape shape = shapeOf(operation);
    const auto* residual = std::get_if<ResidualOperation>(&operation.what);
    InputElements sizes;
    if (operation.pass == ComputePass::backward && residual == nullptr) {
        sizes.dy = outputElements(operation);
    }
    if (const auto* embedding = std::get_if<EmbeddingOperation>(&operation.what)) {
        if (embedding->embedding.readsPatches()) {
            sizes.images = imageElements(embedding->embedding, shape.batch);
        } else {
            sizes.tokenIds = shape.tokens();
        }
    } else if (const auto* mixer = std::get_if<MixerSpec>(&operation.what)) {
        const MixerOperands operands = operandsOf(*mixer, shape);
        sizes.x = operands.x;
        sizes.cachedKeys = operands.cachedKeys;
        sizes.cachedValues = operands.cachedValues;
    } else {
        sizes.x = shape.activations();
    }
    if (residual != nullptr) {
        sizes.addend = shape.activations();
        sizes.secondAddend = residual->residual.branches > 1 ? shape.activations() : 0;
    }
    return sizes;
}

} // namespace

Count minBytes(const Operation& operation)
{
    const Count activations =
        Count{operation.batch} * (Count{operation.sequence} + operation.source) * operation.dModel;
    return (weightElements(operation) + activations) * Count{sizeof(float)};
}

Count operandBytes(const Operation& operation)
{
    static_assert(sizeof(int) == sizeof(float)); // token ids
    return (weightElements(operation) + static_cast<Count>(inputElements(operation).sum()))
        * Count{sizeof(float)};
}

std::vector<float> drawn(std::size_t count,
                         double mean,
                         double deviation,
                         std::uint64_t seed,
                         const std::stop_token& stop)
{
    Random random(seed);
    std::vector<float> values(count);
    const auto centre = static_cast<float>(mean);
    const auto scale = static_cast<float>(deviation);
    for (std::size_t start = 0; start < count && !stop.stop_requested(); start += kStopInterval) {
        const std::size_t end = std::min(count, start + kStopInterval);
        for (std::size_t i = start; i < end; ++i) {
            values[i] = centre + scale * unitNormal(random.next());
        }
    }
    return values;
}

namespace {

Operands drawnAsFloats(const Operation& operation, const std::stop_token& stop)
{
    const InputElements sizes = inputElements(operation);
    Operands operands{.weights = drawnWeights(weightShapes(operation), 1, stop), .inputs = {}};
    Inputs& inputs = operands.inputs;
    inputs.x = drawn(sizes.x, 0.0, 1.0, 1002, stop);
    inputs.addend = drawn(sizes.addend, 0.0, 1.0, 1003, stop);
    inputs.cachedKeys = drawn(sizes.cachedKeys, 0.0, 1.0, 1004, stop);
    inputs.cachedValues = drawn(sizes.cachedValues, 0.0, 1.0, 1005, stop);
    inputs.dy = drawn(sizes.dy, 0.0, 1.0, 1006, stop);
    inputs.images = drawn(sizes.images, 0.0, 1.0, 1007, stop);
    inputs.secondAddend = drawn(sizes.secondAddend, 0.0, 1.0, 1008, stop);
    if (sizes.tokenIds > 0) {
        const auto& embedding = std::get<EmbeddingOperation>(operation.what).embedding;
        inputs.tokenIds = drawnTokens(sizes.tokenIds, embedding.vocab, 1001);
    }
    if (const auto* whole = std::get_if<ModelOperation>(&operation.what)) {
        inputs.model = randomInputs<float>(planOf(*whole, operation).value(), 1001);
    }
    return operands;
}

// Bits of a float's mantissa that a format of 16 bits lacks.
int missingBits(ComputePrecision precision)
{
    switch (precision) {
    case ComputePrecision::float32:
    case ComputePrecision::tf32: return 0;
    case ComputePrecision::bfloat16: return 16;
    case ComputePrecision::float16: return 13;
    }
    return 0;
}

// To nearest even. Numbers are too near 1 to leave a format's range.
void round(std::vector<float>& values, int missing)
{
    const std::uint32_t last = 1U << static_cast<unsigned>(missing);
    for (float& value : values) {
        const auto bits = std::bit_cast<std::uint32_t>(value);
        const std::uint32_t isOdd = (bits & last) != 0 ? 1U : 0U;
        value = std::bit_cast<float>((bits + last / 2 - 1 + isOdd) & ~(last - 1));
    }
}

} // namespace

Operands drawnOperands(const Operation& operation,
                       const std::stop_token& stop,
                       ComputePrecision precision)
{
    Operands operands = drawnAsFloats(operation, stop);
    if (const int missing = missingBits(precision); missing > 0) {
        for (std::vector<float>& tensor : operands.weights) {
            round(tensor, missing);
        }
        Inputs& in = operands.inputs;
        for (std::vector<float>* values : {&in.x,
                                           &in.addend,
                                           &in.secondAddend,
                                           &in.images,
                                           &in.cachedKeys,
                                           &in.cachedValues,
                                           &in.model.images,
                                           &in.dy}) {
            round(*values, missing);
        }
    }
    return operands;
}

} // namespace flopsmith::bench
