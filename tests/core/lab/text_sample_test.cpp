// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lab/task/text_sample.h"

#include "core/lab/run/lab_run.h"
#include "tests/core/lab/temporary_folder.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

class TextSamples : public test::WithFolder
{
protected:
    // A model of the grammar that has hardly learned.
    std::string modelFile(LabPrecision precision) const
    {
        const LabPlan plan{.task = GrammarTask{.sequence = 8, .batch = 2, .test = 2},
                           .sizes = {.dModel = 8, .layers = 1, .heads = 2},
                           .seeds = 1,
                           .budget = {.kind = BudgetKind::steps, .steps = 2},
                           .tunes = false,
                           .precision = precision};
        LabLogFile log = LabLogFile::open(file("log"), plannedLab(plan, {}).value(), "m").value();
        EXPECT_TRUE(runLab(log, {}, {}).ok());
        return modelPath(file("log"), log.log().runs.at(0).key);
    }
};

TEST_F(TextSamples, GoOnFromThePrompt)
{
    const std::string model = modelFile(LabPrecision::float64);

    const auto text = writtenText(model, {.prompt = "The river!", .characters = 20});
    const auto again = writtenText(model, {.prompt = "The river!", .characters = 20});
    const auto other = writtenText(model, {.prompt = "The river!", .characters = 20, .seed = 2});

    ASSERT_TRUE(text.ok()) << text.error().message;
    EXPECT_TRUE(text->starts_with("he river"));
    EXPECT_EQ(text->size(), 28U);
    EXPECT_EQ(*text, *again);
    EXPECT_NE(*text, *other);
}

TEST_F(TextSamples, TakeTheLikeliestAtTemperatureZero)
{
    const std::string model = modelFile(LabPrecision::float32);
    const TextRequest request{.prompt = "", .characters = 5, .temperature = 0.0};
    TextRequest other = request;
    other.seed = 99;

    EXPECT_EQ(writtenText(model, request).value(), writtenText(model, other).value());
    EXPECT_EQ(writtenText(model, request)->size(), 5U);
}

TEST_F(TextSamples, RefuseOtherFilesAndNumbers)
{
    const std::string model = modelFile(LabPrecision::float32);

    EXPECT_FALSE(writtenText(file("none"), {}).ok());
    EXPECT_FALSE(writtenText(written("rubbish", "rubbish"), {}).ok());
    EXPECT_FALSE(writtenText(model, {.characters = 0}).ok());
    EXPECT_FALSE(writtenText(model, {.temperature = -1.0}).ok());
    EXPECT_TRUE(writtenText(model, {.characters = 1}).ok());
}

} // namespace
} // namespace flopsmith
