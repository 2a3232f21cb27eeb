// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/generation.h"

#include "core/run/model_run.h"
#include "tests/support/small_scenario.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace flopsmith {
namespace {

struct SmallModel
{
    Scenario scenario = test::smallPreset("gpt2");
    ModelPlan plan = planOf(scenario).value();
    Weights<double> weights = randomWeights<double>(plan.shapes(), 5);

    std::vector<int> written(const std::vector<int>& prompt, int context, const Sampling& sampling)
    {
        std::vector<int> tokens;
        const Status done =
            generate<double>(scenario, weights, prompt, context, sampling, [&](int token) {
                tokens.push_back(token);
                return true;
            });
        EXPECT_TRUE(done.ok()) << done.error().message;
        return tokens;
    }
};

TEST(Generation, IsGreedyWithoutTemperature)
{
    SmallModel model;
    const std::vector<int> prompt{1, 2, 3};
    const std::vector<int> tokens =
        model.written(prompt, 100, {.tokens = 4, .temperature = 0.0, .topK = 0, .seed = 1});

    std::vector<int> seen = prompt;
    for (const int token : tokens) {
        Scenario pass = model.scenario;
        pass.workload.phase = Phase::prefill;
        pass.workload.batch = 1;
        pass.workload.sequence = static_cast<int>(seen.size());
        const ModelPlan plan = planOf(pass).value();
        const auto run =
            forward<double>(plan, model.weights, {.tokens = seen, .source = {}, .images = {}});
        const auto last = run->outputs.end() - plan.vocab;
        EXPECT_EQ(token, std::max_element(last, run->outputs.end()) - last);
        seen.push_back(token);
    }
}

TEST(Generation, RepeatsItselfForASeed)
{
    SmallModel model;
    const Sampling one{.tokens = 12, .temperature = 2.0, .topK = 0, .seed = 1};
    const Sampling other{.tokens = 12, .temperature = 2.0, .topK = 0, .seed = 2};
    EXPECT_EQ(model.written({1}, 100, one), model.written({1}, 100, one));
    EXPECT_NE(model.written({1}, 100, one), model.written({1}, 100, other));
}

// A model that sees two tokens writes the same after any beginning with the same end.
TEST(Generation, SeesNoMoreThanItsContext)
{
    SmallModel model;
    const Sampling greedy{.tokens = 6, .temperature = 0.0, .topK = 0, .seed = 1};
    EXPECT_EQ(model.written({9, 8, 1, 2}, 2, greedy), model.written({4, 1, 2}, 2, greedy));
}

TEST(Generation, EndsWhenItIsTold)
{
    SmallModel model;
    int count = 0;
    const Status done = generate<double>(
        model.scenario, model.weights, {1}, 9, {.tokens = 50}, [&](int) { return ++count < 3; });
    EXPECT_TRUE(done.ok());
    EXPECT_EQ(count, 3);
}

TEST(Generation, DrawsAmongTheLargest)
{
    const std::vector<double> logits{0.0, 3.0, 2.9, -1.0, 3.0};
    Random random(1);
    std::vector<int> counts(5);
    for (int i = 0; i < 3000; ++i) {
        ++counts[static_cast<std::size_t>(
            drawnToken(logits, {.tokens = 1, .temperature = 1.0, .topK = 2, .seed = 1}, random))];
    }
    EXPECT_EQ(counts[0] + counts[2] + counts[3], 0);
    EXPECT_NEAR(counts[1], 1500, 150);
    EXPECT_EQ(drawnToken(logits, {.tokens = 1, .temperature = 0.0, .topK = 0, .seed = 1}, random),
              1);
}

TEST(Generation, RefusesInOneSentence)
{
    SmallModel model;
    const auto refused = [&](const Sampling& sampling) {
        return !generate<double>(model.scenario, model.weights, {1}, 9, sampling, [](int) {
                    return true;
                }).ok();
    };
    EXPECT_TRUE(refused({.tokens = 0}));
    EXPECT_TRUE(refused({.tokens = 5, .temperature = -1.0}));
    EXPECT_TRUE(refused({.tokens = 5, .temperature = std::nan("")}));
    EXPECT_FALSE(
        generate<double>(model.scenario, model.weights, {}, 9, {}, [](int) { return true; }).ok());
    const Scenario images = test::smallPreset("vit-base-patch16-224");
    EXPECT_FALSE(generate<double>(images, {}, {1}, 9, {}, [](int) { return true; }).ok());
}

} // namespace
} // namespace flopsmith
