// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/ffn_variants.h"
#include "core/json/json_text.h"
#include "core/json/spec_json.h"
#include "core/kernels/check.h"
#include "core/kernels/cpu/ffn.h"
#include "core/kernels/cpu/mixer.h"
#include "core/kernels/cuda/variants.h"
#include "core/kernels/mixer_operands.h"
#include "core/kernels/reference/ffn.h"
#include "core/kernels/reference/mixer.h"
#include "core/mixer/mixer_variants.h"
#include "core/model/model_cost.h"
#include "core/model/operation.h"
#include "core/model/presets.h"
#include "core/parameter/parameter_table.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

// What must exist of every variant of the registry, whoever adds it. A new FFN or mixer is covered
// by being listed in core/ffn/ffn.h or core/mixer/mixer.h.
namespace flopsmith {
namespace {

constexpr int kWidth = 24;

std::int64_t trainable(const WeightShapes& shapes)
{
    std::int64_t sum = 0;
    for (const WeightShape& shape : shapes) {
        sum += shape.trainable ? shape.size() : 0;
    }
    return sum;
}

// Small enough for the reference kernel, whatever the defaults are.
template <class Variant>
Variant shrunk(Variant variant)
{
    for (const Field<Variant>& field : fields(variant)) {
        const LegalValues legal = field.legal(variant, {.dModel = kWidth});
        if (std::holds_alternative<std::int64_t>(field.value(variant))) {
            field.assign(variant, legal.nearest(std::int64_t{8}));
        }
    }
    for (const Field<Variant>& field : fields(variant)) {
        const LegalValues legal = field.legal(variant, {.dModel = kWidth});
        field.assign(variant, legal.nearest(field.value(variant)));
    }
    return variant;
}

FfnSpec shrunk(ComposedFfn composed)
{
    for (FfnStage& stage : composed.stages) {
        stage.spec = shrunk(stage.spec);
    }
    return composed;
}

template <class Variant>
std::vector<Variant> allShrunk(const std::vector<Variant>& prototypes)
{
    std::vector<Variant> all;
    for (const Variant& prototype : prototypes) {
        all.push_back(shrunk(prototype));
    }
    return all;
}

std::vector<FfnSpec> smallFfns()
{
    std::vector<FfnSpec> all = allShrunk(ffnPrototypes());
    for (FfnSpec& ffn : all) {
        if (const auto* composed = get_if<ComposedFfn>(&ffn)) {
            ffn = shrunk(*composed);
        }
    }
    return all;
}

template <class Variant>
bool isExecuted(const Variant& variant)
{
    return visit(
        [](const auto& spec) {
            using Spec = std::decay_t<decltype(spec)>;
            return reference::hasKernel<Spec> && cpu::hasKernel<Spec>;
        },
        variant);
}

Operation operationOf(const decltype(Operation::what)& what)
{
    return {.what = what, .dModel = kWidth, .batch = 1, .sequence = 5, .context = 5};
}

template <class Variant>
void expectDescribed(const std::vector<Variant>& prototypes)
{
    std::set<std::string_view> ids;
    for (const Variant& prototype : prototypes) {
        const VariantInfo& variant = info(prototype);
        EXPECT_TRUE(ids.insert(variant.id).second) << variant.id << " occurs twice";
        EXPECT_FALSE(variant.title.empty()) << variant.id;
        EXPECT_FALSE(variant.formula.empty()) << variant.id;
        EXPECT_GT(variant.help.size(), 30U) << variant.id;
        ASSERT_NE(variant.component, nullptr) << variant.id;
        EXPECT_FALSE(variant.component->id.empty()) << variant.id;
        EXPECT_FALSE(variant.component->title.empty()) << variant.id;
    }
}

TEST(Registry, DescribesEveryVariant)
{
    expectDescribed(ffnPrototypes());
    expectDescribed(mixerPrototypes());
}

TEST(Registry, GivesEveryComponentItsOwnColour)
{
    std::map<std::uint32_t, std::string_view> colours;
    const auto take = [&colours](const VariantInfo& variant) {
        if (variant.id == "none") {
            return;
        }
        const auto [place, isNew] = colours.emplace(variant.component->rgb, variant.component->id);
        EXPECT_TRUE(isNew || place->second == variant.component->id)
            << variant.id << " has the colour of " << place->second;
    };
    for (const FfnSpec& ffn : ffnPrototypes()) {
        take(info(ffn));
    }
    for (const MixerSpec& mixer : mixerPrototypes()) {
        take(info(mixer));
    }
}

template <class Variant>
void expectUsableFields(const std::vector<Variant>& prototypes)
{
    for (const Variant& prototype : prototypes) {
        std::set<std::string_view> keys;
        for (const Field<Variant>& field : fields(prototype)) {
            const std::string name =
                std::string(info(prototype).id) + "." + std::string(field.text.key);
            EXPECT_TRUE(keys.insert(field.text.key).second) << name << " occurs twice";
            EXPECT_FALSE(field.text.label.empty()) << name;
            EXPECT_FALSE(field.text.help.empty()) << name;
            const LegalValues legal = field.legal(prototype, {.dModel = 768});
            EXPECT_TRUE(legal.contains(field.value(prototype))) << name << ": illegal default";
            EXPECT_FALSE(legal.text().empty()) << name;
            for (const FieldValue& stop : legal.stops()) {
                EXPECT_TRUE(legal.contains(stop)) << name << ": illegal stop " << valueText(stop);
            }
        }
    }
}

TEST(Registry, GivesEveryFieldHelpAndLegalValues)
{
    expectUsableFields(ffnPrototypes());
    expectUsableFields(mixerPrototypes());
}

template <class Variant>
void expectCostAndParameters(const std::vector<Variant>& small)
{
    for (const Variant& variant : small) {
        const Cost<Count> cost = costTree(operationOf(variant)).total();
        EXPECT_EQ(cost.parameters.trainable, trainable(weights(variant, kWidth)))
            << info(variant).id;
        EXPECT_EQ(cost.count == OpCount<Count>{}, info(variant).id == "none") << info(variant).id;
    }
}

TEST(Registry, CountsEveryVariantsCostAndParameters)
{
    expectCostAndParameters(smallFfns());
    expectCostAndParameters(allShrunk(mixerPrototypes()));
}

// What GPUs run by their PyTorch alone.
bool isLeftToTorch(std::string_view id)
{
    return id == "mamba2";
}

// A variant may be counted for a while before it has kernels; this says which it lacks.
template <class Spec>
void expectKernels(const Spec& spec)
{
    const std::string id{info(spec).id};
    EXPECT_TRUE(reference::hasKernel<Spec>)
        << id << " has no kernel in core/kernels/reference (its variants.h names it)";
    EXPECT_TRUE(cpu::hasKernel<Spec>)
        << id << " has no kernel in core/kernels/cpu (its variants.h names it)";
    EXPECT_EQ(cuda::hasKernel<Spec>, !isLeftToTorch(id))
        << id << " and core/kernels/cuda: its variants.h names what it lacks";
    static_assert(reference::hasKernel<Spec> || !(cpu::hasKernel<Spec> || cuda::hasKernel<Spec>),
                  "a fast kernel is checked against the reference's");
}

TEST(Registry, GivesEveryVariantItsKernels)
{
    for (const FfnSpec& ffn : ffnPrototypes()) {
        visit([](const auto& spec) { expectKernels(spec); }, ffn);
    }
    for (const MixerSpec& mixer : mixerPrototypes()) {
        visit([](const auto& spec) { expectKernels(spec); }, mixer);
    }
}

struct CountedOnly
{
    bool operator==(const CountedOnly&) const = default;
};
using WithCountedOnly = VariantHandle<NoFfn, CountedOnly>;

const VariantInfo& info(const WithCountedOnly&)
{
    static const VariantInfo text{.id = "counted", .title = "Counted FFN"};
    return text;
}

TEST(Registry, AVariantWithoutKernelIsAnError)
{
    const WithCountedOnly variant = CountedOnly{};

    const Result<int> made = cpu::madeFor(variant, [](const auto&) -> Result<int> { return 1; });

    ASSERT_FALSE(made.ok());
    EXPECT_EQ(made.error().message,
              "There is no kernel for Counted FFN yet: it is counted, but cannot be run");
    EXPECT_EQ(*cpu::madeFor(WithCountedOnly(NoFfn{}), [](const auto&) -> Result<int> { return 1; }),
              1);
}

// Runs both kernels of a variant on the same weights and compares them.
class BothKernels : public testing::Test
{
protected:
    void expectAgreement(Result<std::unique_ptr<Kernel>> kernel, std::string_view id)
    {
        ASSERT_TRUE(kernel.ok()) << id << ": " << kernel.error().message;
        (*kernel)->run();
        const Agreement agreement = compare((*kernel)->output(), expected, kWidth);
        EXPECT_TRUE(agreement.agrees)
            << id << ": error " << agreement.largestError << ", tolerance " << agreement.tolerance;
    }

    const Shape shape{.batch = 1, .sequence = 5, .context = 5, .dModel = kWidth};
    const std::vector<float> x = randomActivations<float>(shape.activations(), 7);
    const std::vector<double> wideX = randomActivations<double>(shape.activations(), 7);
    std::vector<double> expected = std::vector<double>(shape.activations());
};

TEST_F(BothKernels, ExistAndAgreeForEveryFfn)
{
    for (const FfnSpec& ffn : smallFfns()) {
        if (!isExecuted(ffn)) {
            continue; // GivesEveryVariantItsKernels complains
        }
        const WeightShapes shapes = weights(ffn, kWidth);
        const Weights<float> narrow = randomWeights<float>(shapes, 3);
        const Weights<double> wide = randomWeights<double>(shapes, 3);
        reference::forward<double>(ffn, shape, wide, wideX, expected);

        expectAgreement(cpu::prepare(ffn, shape, narrow, x, cpu::Threads{1}), info(ffn).id);
    }
}

TEST_F(BothKernels, ExistAndAgreeForEveryMixer)
{
    for (const MixerSpec& mixer : allShrunk(mixerPrototypes())) {
        if (!isExecuted(mixer)) {
            continue;
        }
        const WeightShapes shapes = weights(mixer, kWidth);
        const Weights<float> narrow = randomWeights<float>(shapes, 3);
        const Weights<double> wide = randomWeights<double>(shapes, 3);
        const std::size_t inputs = operandsOf(mixer, shape).x;
        const auto in = randomActivations<float>(inputs, 7);
        reference::forward<double>(
            mixer, shape, wide, randomActivations<double>(inputs, 7), {}, {}, expected);

        expectAgreement(cpu::prepare(mixer, shape, narrow, {.x = in}, cpu::Threads{1}),
                        info(mixer).id);
    }
}

template <class Variant, class Read>
void expectRoundTrip(const std::vector<Variant>& prototypes, Read read)
{
    for (const Variant& prototype : prototypes) {
        const std::string text = jsonText(toJson(prototype));
        const auto json = parsedJson(text, "test");
        ASSERT_TRUE(json.ok()) << text;
        const Result<Variant> again = read(*json, "test", nullptr);
        ASSERT_TRUE(again.ok()) << again.error().message;
        EXPECT_TRUE(*again == prototype) << text;
    }
}

TEST(Registry, WritesAndReadsEveryVariant)
{
    expectRoundTrip(ffnPrototypes(), ffnFromJson);
    expectRoundTrip(mixerPrototypes(), mixerFromJson);
}

TEST(Registry, GivesEveryFieldAKeyInTheParameterTable)
{
    for (const FfnSpec& ffn : ffnPrototypes()) {
        Scenario scenario{*presetNamed("gpt2"), {}};
        scenario.model.runs.front().block.ffn = ffn;
        for (const Field<FfnSpec>& field : fields(ffn)) {
            if (field.applies(ffn)) {
                const std::string key = "ffn." + std::string(field.text.key);
                EXPECT_FALSE(matchingParameters(scenario, key).empty()) << key;
            }
        }
    }
}

} // namespace
} // namespace flopsmith
