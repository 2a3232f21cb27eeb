// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/jobs/measure.h"

#include "app/bench/shared/operands.h"
#include "core/count/lens.h"
#include "core/ffn/dense.h"
#include "core/ffn/no_ffn.h"
#include "core/ffn/spectral.h"
#include "core/kernels/cpu/gemm/precision.h"
#include "core/mixer/cross_attention.h"
#include "core/model/model_cost.h"
#include "core/model/presets.h"
#include "core/model/values.h"
#include "core/parameter/parameter_table.h"
#include "core/parameter/validation.h"
#include "tests/app/bench/measure_answers.h"
#include "tests/support/bfloat16_anywhere.h"
#include "tests/support/small_scenario.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace flopsmith::bench {
namespace {

using measuring::answerTo;
using measuring::failureOf;
using measuring::kBudgetSeconds;
using measuring::plenty;

// Measures every part of one pass of the scenario, and expects each to agree with the reference.
void expectAllMeasured(const Scenario& scenario,
                       ComputePass pass = ComputePass::forward,
                       ComputePrecision precision = ComputePrecision::float32)
{
    const double most = precision == ComputePrecision::float32 ? 1e-3 : 9.0 / 512.0;
    ASSERT_TRUE(flopsmith::validated(scenario).ok())
        << flopsmith::validated(scenario).error().message;
    for (const MeasuredPart& part : measuredParts(scenario, pass)) {
        const Answer answer = answerTo(part.operation, plenty, precision);
        const auto* found = std::get_if<Measured>(&answer);
        ASSERT_NE(found, nullptr) << part.path << ": " << std::get<Failure>(answer).sentence;
        EXPECT_EQ(found->id, 5);
        EXPECT_GT(found->medianSeconds, 0.0) << part.path;
        EXPECT_GE(found->samples, 1U) << part.path;
        EXPECT_LE(found->check.relativeError, found->check.tolerance) << part.path;
        EXPECT_EQ(found->precision, precision) << part.path;
        EXPECT_LT(found->check.tolerance, most) << part.path;
        EXPECT_GT(found->check.compared, 0) << part.path;
        EXPECT_GE(found->check.ofTokens, found->check.tokens) << part.path;
        EXPECT_EQ(found->flops, priced(LensId::exact, costTree(part.operation).total().count));
        EXPECT_DOUBLE_EQ(found->flopsPerSecond, toDouble(found->flops) / found->medianSeconds);
        EXPECT_GT(found->bytesNeeded, operandBytes(part.operation)) << part.path;
        EXPECT_EQ(found->planned.has_value(), found->counted.fft > 0) << part.path;
    }
}

TEST(Measure, EveryPartOfTheTinyModelAgreesWithTheReferenceAndIsTimed)
{
    expectAllMeasured({.model = *presetNamed("tiny"), .workload = {.batch = 2, .sequence = 7}});
}

// The preset with small sizes that are no multiples of anything, and more of its options.
Scenario shrunk(const char* preset)
{
    Scenario scenario{.model = *presetNamed(preset), .workload = {.batch = 2, .sequence = 5}};
    scenario.workload.source = 7;
    Model& model = scenario.model;
    model.dModel = 48;
    model.embedding.vocab = 90;
    model.embedding.width = model.embedding.width > 0 ? 12 : 0;
    model.embedding.patchSize = 6;
    model.embedding.imageSize = 20;
    model.head.classes = 7;
    if (!model.hasEncoder()) {
        model.patterns.clear();
        model.runs.resize(1);
        model.runs.front().block.residualScale = true;
    }
    repair(scenario);
    return scenario;
}

// Encoder, cross-attention, patches, classifier, projected embedding, four norms, capped logits,
// and mixer and FFN side by side.
constexpr std::array kStructures{"t5-small", "vit-base-patch16-224", "albert-base", "gemma-2-2b"};

Measured measuredWholeOf(const Scenario& scenario,
                         const AvailableBytes& available = plenty,
                         ComputePrecision precision = ComputePrecision::float32)
{
    const Operation operation = measuredWhole(scenario).value().operation;
    const Answer answer = answerTo(operation, available, precision);
    const auto* found = std::get_if<Measured>(&answer);
    EXPECT_NE(found, nullptr) << scenario.model.name << ": " << failureOf(answer).sentence;
    return found != nullptr ? *found : Measured{};
}

// One pass executes what counting walks: the cost of the scenario, operation by operation.
TEST(Measure, AWholeModelAgreesWithTheReferenceAndIsTimed)
{
    for (const Preset& preset : presets()) {
        SCOPED_TRACE(preset.id);
        Scenario scenario = test::smallPreset(preset.id);
        scenario.model = withoutValues(scenario.model);
        const Measured found = measuredWholeOf(scenario);
        EXPECT_GT(found.medianSeconds, 0.0);
        EXPECT_LE(found.check.relativeError, found.check.tolerance);
        EXPECT_LT(found.check.tolerance, 1e-3);
        EXPECT_GT(found.check.compared, 0);
        EXPECT_EQ(found.counted, costTree(scenario).total().count);
    }
}

TEST(Measure, AWholeModelIsComparedOnFewTokensWhereTheReferenceWouldTakeLong)
{
    Scenario scenario{.model = *presetNamed("tiny"), .workload = {.batch = 2, .sequence = 200}};
    scenario.model.embedding.positionRows = 200;
    const Measured found = measuredWholeOf(scenario);

    EXPECT_GE(found.check.tokens, 3);
    EXPECT_LT(found.check.tokens, 400);
    EXPECT_EQ(found.check.ofTokens, 400);
    EXPECT_NE(found.check.sentence.find("of one sequence"), std::string::npos);
}

TEST(Measure, AWholeModelThatDoesNotFitIsRefused)
{
    Scenario scenario{.model = *presetNamed("llama-3-8b"), .workload = {.sequence = 128}};
    const Operation operation = measuredWhole(scenario).value().operation;
    const Failure failure = failureOf(
        answerTo(operation, [] { return std::optional<std::int64_t>(std::int64_t{16} << 30); }));

    EXPECT_EQ(failure.code, FailureCode::memory);
    EXPECT_NE(failure.sentence.find("Whole model"), std::string::npos) << failure.sentence;
    EXPECT_NE(failure.sentence.find("bytes"), std::string::npos) << failure.sentence;
}

TEST(Measure, AWholeModelIsRefusedInOneSentenceWhereItCannotRun)
{
    const Scenario tiny{.model = *presetNamed("tiny"), .workload = {.sequence = 4}};
    const Operation right = measuredWhole(tiny).value().operation;
    const auto sentence = [](const Operation& operation) {
        const Failure failure = failureOf(answerTo(operation));
        EXPECT_EQ(failure.code, FailureCode::badOperation);
        return failure.sentence;
    };
    Operation wrong = right;
    wrong.pass = ComputePass::backward;
    EXPECT_NE(sentence(wrong).find("forward pass alone"), std::string::npos);
    wrong = right;
    wrong.context = 9;
    EXPECT_NE(sentence(wrong).find("without cached tokens"), std::string::npos);
    wrong = right;
    wrong.dModel += 1;
    EXPECT_NE(sentence(wrong).find("its own d_model"), std::string::npos);
    wrong = right;
    wrong.source = 3;
    EXPECT_NE(sentence(wrong).find("not those that the model reads"), std::string::npos);
    wrong = right;
    std::get<ModelOperation>(wrong.what).model.runs.clear();
    EXPECT_NE(sentence(wrong), "");
}

TEST(Measure, ADecodingModelIsNotMeasuredAsAWhole)
{
    Workload workload{.phase = Phase::decode};
    workload.context = 19;
    EXPECT_FALSE(measuredWhole({.model = *presetNamed("tiny"), .workload = workload}));
}

TEST(Measure, EveryStructureOfAModelIsMeasured)
{
    for (const char* preset : kStructures) {
        SCOPED_TRACE(preset);
        Scenario scenario = shrunk(preset);
        expectAllMeasured(scenario);
        expectAllMeasured(scenario, ComputePass::backward);
        Block& block = scenario.model.runs.front().block;
        block.placement = NormPlacement::pre;
        block.layout = BlockLayout::parallel;
        expectAllMeasured(scenario);
    }
}

TEST(Measure, DecodingBesideACacheIsMeasuredToo)
{
    Workload workload{.phase = Phase::decode, .batch = 3};
    workload.context = 19;
    expectAllMeasured({.model = *presetNamed("tiny"), .workload = workload});
}

TEST(Measure, EveryVariantIsMeasured)
{
    Scenario scenario{.model = *presetNamed("tiny"), .workload = {.sequence = 5}};
    for (const FfnSpec& ffn : ffnPrototypes()) {
        SCOPED_TRACE(info(ffn).id);
        scenario.model.dModel = 128;
        scenario.model.runs.resize(1);
        scenario.model.runs[0].block.ffn = ffn;
        repair(scenario);
        expectAllMeasured(scenario);
        expectAllMeasured(scenario, ComputePass::backward);
    }
    for (const MixerSpec& mixer : mixerPrototypes()) {
        SCOPED_TRACE(info(mixer).id);
        if (readsSource(mixer)) {
            continue; // it needs an encoder: see EveryStructureOfAModelIsMeasured
        }
        scenario.model.dModel = 96;
        scenario.model.runs[0].block.ffn = NoFfn{};
        scenario.model.runs[0].block.mixer = mixer;
        expectAllMeasured(scenario);
        expectAllMeasured(scenario, ComputePass::backward);
    }
}

TEST(Measure, CrossAttentionToASourceOfAnyLengthIsMeasured)
{
    for (const int context : {5, 9}) {
        for (const ComputePass pass : {ComputePass::forward, ComputePass::backward}) {
            if (pass == ComputePass::backward && context > 5) {
                continue; // training caches nothing
            }
            const Operation operation{.what = MixerSpec(CrossAttention{.heads = 4, .kvHeads = 2}),
                                      .dModel = 48,
                                      .batch = 2,
                                      .sequence = 5,
                                      .context = context,
                                      .source = 31,
                                      .pass = pass};
            const Answer answer = answerTo(operation);
            const auto* found = std::get_if<Measured>(&answer);
            ASSERT_NE(found, nullptr) << std::get<Failure>(answer).sentence;
            EXPECT_EQ(found->flops, priced(LensId::exact, costTree(operation).total().count));
        }
    }
}

TEST(Measure, ABackwardPassOnACacheIsRefused)
{
    const Operation operation{.what = FfnSpec(DenseFfn{}),
                              .dModel = 96,
                              .sequence = 1,
                              .context = 5,
                              .pass = ComputePass::backward};

    EXPECT_EQ(failureOf(answerTo(operation)).sentence,
              "operation: a backward pass has no cached tokens, so its context is its sequence; "
              "here they are 5 and 1");
}

// FFTW's own counts are near the nominal ones for a length that is a power of two.
TEST(Measure, WhatFftwPlansStandsBesideTheNominalCount)
{
    const Operation operation{
        .what = FfnSpec(SpectralFfn{.kFreq = 20, .algorithm = SpectralAlgorithm::fft}),
        .dModel = 256,
        .sequence = 3,
        .context = 3};
    const auto found = std::get<Measured>(answerTo(operation));

    ASSERT_TRUE(found.planned.has_value());
    EXPECT_NEAR(found.planned->operations(),
                toDouble(found.counted.fft),
                0.4 * toDouble(found.counted.fft));
}

TEST(Measure, AnEncoderWithPoolerAndTokenTypesIsMeasured)
{
    Scenario scenario{.model = *presetNamed("bert-base"), .workload = {.batch = 2, .sequence = 3}};
    scenario.model.dModel = 48;
    scenario.model.embedding.vocab = 100;
    expectAllMeasured(scenario);
}

TEST(Measure, APrecisionThatTheKernelsLackIsABadOperation)
{
    MeasureRequest request{.id = 5, .operation = {.what = ResidualOperation{}}};
    for (const ComputePrecision precision : {ComputePrecision::tf32, ComputePrecision::float16}) {
        request.precision = precision;
        const Failure failure = failureOf(measured(request, {}, {}, plenty));

        EXPECT_EQ(failure.code, FailureCode::badOperation);
        EXPECT_EQ(failure.id, 5);
        EXPECT_NE(failure.sentence.find("float32"), std::string::npos) << failure.sentence;
    }
}

TEST(Measure, InBfloat16EveryPartOfAModelAgreesWithinItsBound)
{
    const test::Bfloat16Anywhere bfloat16;
    for (const char* preset : kStructures) {
        SCOPED_TRACE(preset);
        expectAllMeasured(shrunk(preset), ComputePass::forward, ComputePrecision::bfloat16);
        expectAllMeasured(shrunk(preset), ComputePass::backward, ComputePrecision::bfloat16);
    }
}

TEST(Measure, ProductsInBfloat16ErrByTheRoundingOfTheirOperands)
{
    MeasureRequest request{
        .id = 5,
        .operation = {.what = FfnSpec(DenseFfn{.dFf = 200}), .dModel = 64, .sequence = 20},
        .precision = ComputePrecision::bfloat16,
        .budgetSeconds = kBudgetSeconds};
    request.operation.context = request.operation.sequence;
    const Answer answer = measured(request, {}, {}, plenty);
    if (const Status possible = cpu::computesProductsIn(cpu::Precision::bfloat16); !possible) {
        EXPECT_EQ(failureOf(answer).code, FailureCode::badOperation);
        EXPECT_EQ(failureOf(answer).sentence, possible.error().message);
        return;
    }
    const auto& found = std::get<Measured>(answer);

    EXPECT_EQ(found.precision, ComputePrecision::bfloat16);
    EXPECT_GT(found.check.relativeError, 1e-4); // in float32 some 1e-7
    EXPECT_LT(found.check.relativeError, found.check.tolerance);
    EXPECT_LT(found.check.tolerance, 9.0 / 512.0);
}

TEST(Measure, WithColdCachesRunsAreTimedSinglyAndTheFlushNeedsMemory)
{
    MeasureRequest request{
        .id = 5,
        .operation = {.what = ResidualOperation{}, .dModel = 16, .sequence = 2, .context = 2},
        .budgetSeconds = kBudgetSeconds};
    const auto hot = std::get<Measured>(measured(request, {}, {}, plenty));
    request.cache = CacheState::cold;
    const auto cold = std::get<Measured>(measured(request, {}, {}, plenty));

    EXPECT_EQ(hot.cache, CacheState::hot);
    EXPECT_GT(hot.runsPerSample, 1);
    EXPECT_EQ(cold.cache, CacheState::cold);
    EXPECT_EQ(cold.runsPerSample, 1);
    EXPECT_GE(cold.bytesNeeded - hot.bytesNeeded, Count{64} << 20);
    EXPECT_EQ(cold.counted, hot.counted);
}

TEST(Operands, TakeTheBytesThatTheyAreSaidTo)
{
    const auto elements = [](const Operands& drawn) {
        const Inputs& in = drawn.inputs;
        std::size_t sum = in.tokenIds.size();
        for (const auto* tensor : {&in.x,
                                   &in.addend,
                                   &in.secondAddend,
                                   &in.images,
                                   &in.cachedKeys,
                                   &in.cachedValues,
                                   &in.dy}) {
            sum += tensor->size();
        }
        for (const std::vector<float>& tensor : drawn.weights) {
            sum += tensor.size();
        }
        return sum;
    };
    for (const char* preset : kStructures) {
        const Scenario scenario = shrunk(preset);
        for (const ComputePass pass : {ComputePass::forward, ComputePass::backward}) {
            for (const MeasuredPart& part : measuredParts(scenario, pass)) {
                EXPECT_EQ(operandBytes(part.operation),
                          static_cast<Count>(4 * elements(drawnOperands(part.operation, {}))))
                    << part.path;
            }
        }
    }
}

TEST(Operands, DrawnNumbersHaveTheMeanAndDeviationAskedFor)
{
    const std::vector<float> values = drawn(100'000, 1.0, 0.5, 3, {});

    double sum = 0;
    double squares = 0;
    for (const float value : values) {
        sum += value;
        squares += (value - 1.0) * (value - 1.0);
    }
    EXPECT_NEAR(sum / 100'000, 1.0, 0.01);
    EXPECT_NEAR(squares / 100'000, 0.25, 0.005);
    EXPECT_EQ(values, drawn(100'000, 1.0, 0.5, 3, {}));
    EXPECT_NE(values, drawn(100'000, 1.0, 0.5, 4, {}));
}

} // namespace
} // namespace flopsmith::bench
