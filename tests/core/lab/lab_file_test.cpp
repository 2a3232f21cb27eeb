// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lab/plan/lab_file.h"

#include "core/ffn/dense.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

LabPlan planFor(const TaskSpec& task, const std::vector<std::string>& names)
{
    LabPlan plan{.task = task, .sizes = {.dModel = 8, .layers = 1, .heads = 2}};
    std::vector<Arm> arms;
    for (const std::string& name : names) {
        arms.push_back({.name = name, .ffn = armNamed(name, 8).value()});
    }
    return plannedLab(plan, arms).value();
}

TEST(LabFile, ReadsWhatItWrote)
{
    for (const TaskSpec& task : taskPrototypes()) {
        LabPlan plan = planFor(task, {"dense", "spectral", "ultra"});
        plan.budget = {.kind = BudgetKind::flops, .flops = Count(1) << 80U};
        plan.seeds = 7;
        plan.tunes = false;
        plan.baseRate = 0.0123;
        plan.evaluateEvery = 3;
        plan.precision = LabPrecision::float64;

        const auto read = readLab(labFileText(plan), "a.flopsmith-lab");

        ASSERT_TRUE(read.ok()) << read.error().message;
        LabPlan expected = plan;
        expected.budget.steps = read->budget.steps; // what a budget of FLOPs leaves out
        EXPECT_EQ(*read, expected) << info(task).id;
    }
}

TEST(LabFile, KeepsWhatOldProgramsDoNotKnowOnlyWhereItIsUsed)
{
    const std::string usual = labFileText(planFor(TeacherTask{}, {"dense"}));
    for (const char* key : {"views", "rivals", "mixer", "file", "sha256"}) {
        EXPECT_EQ(usual.find("\"" + std::string(key) + "\""), std::string::npos) << key;
    }
    LabPlan plan{
        .task =
            TeacherTask{.teacher = TeacherKind::trained, .layer = 1, .file = "m", .sha256 = "a"},
        .sizes = {.dModel = 8, .layers = 1, .heads = 2, .mixer = LabMixer::fourier}};
    plan.branches = {LabView::seconds, LabView::steps, LabView::flops};
    plan.rivals = false;
    plan = plannedLab(plan, {{.name = "spectral", .ffn = armNamed("spectral", 8).value()}}).value();

    EXPECT_EQ(plan.branches, (std::vector<LabView>{LabView::flops, LabView::seconds}));
    EXPECT_EQ(plan.arms.size(), 3U); // without a dense one as cheap
    const auto read = readLab(labFileText(plan), "x");
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(*read, plan);
}

TEST(LabFile, TakesNamesInPlaceOfSizesAndFfns)
{
    const auto read = readLab(R"({"flopsmith_lab": 1, "task": {"name": "facts", "facts": 32},
                                  "sizes": "micro", "arms": ["gated", {"name": "wide",
                                  "ffn": {"kind": "dense", "d_ff": 999}}]})",
                              "x");

    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(read->sizes.dModel, 128);
    EXPECT_EQ(std::get<FactsTask>(read->task).facts, 32);
    EXPECT_EQ(get<DenseFfn>(read->arm("wide")->ffn).dFf, 999);
    EXPECT_EQ(read->budget.steps, 500);
    ASSERT_NE(read->arm("none"), nullptr);
}

TEST(LabFile, RefusesInOneSentence)
{
    const auto refusal = [](const std::string& text) {
        const auto read = readLab(text, "x.flopsmith-lab");
        return read ? std::string() : read.error().message;
    };
    const auto with = [&](const std::string& members) {
        return refusal(R"({"flopsmith_lab": 1, "task": {"name": "facts"}, "arms": ["dense"], )"
                       + members + "}");
    };

    for (const std::string& text : {refusal(""),
                                    refusal("[]"),
                                    refusal("{}"),
                                    refusal(R"({"flopsmith_lab": 99})"),
                                    refusal(R"({"flopsmith_lab": 1})"),
                                    refusal(R"({"flopsmith_lab": 1, "task": {"name": "facts"}})"),
                                    refusal(R"({"flopsmith_lab": 1, "task": 7, "arms": []})"),
                                    with(R"("seeds": 0)"),
                                    with(R"("seeds": "many")"),
                                    with(R"("seeds": 1e99)"),
                                    with(R"("budget": {})"),
                                    with(R"("budget": {"steps": 5, "flops": "5"})"),
                                    with(R"("budget": {"steps": -5})"),
                                    with(R"("budget": {"flops": "5e9"})"),
                                    with(R"("budget": {"flops": -5})"),
                                    with(R"("sizes": "huge")"),
                                    with(R"("sizes": {"d_model": 8, "heads": 3})"),
                                    with(R"("sizes": {"d_model": 1000000})"),
                                    with(R"("base_rate": "fast")"),
                                    with(R"("precision": "bf16")"),
                                    with(R"("color": 3)"),
                                    with(R"("evaluate_every": 0)")}) {
        EXPECT_EQ(text.substr(0, 15), "x.flopsmith-lab") << text;
        EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    }
    EXPECT_EQ(with(R"("seeds": 3)"), "");
    const std::string large = "18446744073709551615";
    for (const std::string& number : {large, std::string("-3000000000")}) {
        const std::string wanted =
            ": expected a whole number from -2147483648 to 2147483647, found " + number;
        EXPECT_EQ(with(R"("seeds": )" + number), "x.flopsmith-lab: seeds" + wanted);
        EXPECT_EQ(with(R"("budget": {"steps": )" + number + "}"),
                  "x.flopsmith-lab: budget.steps" + wanted);
    }

    EXPECT_EQ(with(R"("precision": "bf16")"),
              "x.flopsmith-lab: precision: \"bf16\" is unknown; known are float32, float64");
    EXPECT_EQ(with(R"("views": ["steps", "days"])"),
              "x.flopsmith-lab: views[1]: \"days\" is unknown; known are steps, flops, seconds");
    EXPECT_EQ(with(R"("budget": {"flops": "5e9"})"),
              "x.flopsmith-lab: budget.flops: expected a whole number that is not negative, or its "
              "digits in quotes, found the text \"5e9\"");

    const std::string begin = R"({"flopsmith_lab": 1, "task": {"name": "facts"}, "arms": )";
    EXPECT_NE(refusal(begin + R"(["magic"]})").find("magic"), std::string::npos);
    EXPECT_NE(refusal(begin + R"([{"name": "a"}]})").find("arms[0]"), std::string::npos);
    EXPECT_NE(refusal(begin + R"([{"name": "", "ffn": {"kind": "none"}}]})").find("60 bytes"),
              std::string::npos);
    EXPECT_NE(refusal(begin + R"([{"name": "a", "ffn": {"kind": "magic"}}]})"), "");
    EXPECT_NE(refusal(begin + R"(["dense", "dense"]})").find("twice"), std::string::npos);
    EXPECT_NE(refusal(R"({"flopsmith_lab": 1, "task": {"name": "facts", "facts": 0}, "arms": []})")
                  .find("facts"),
              std::string::npos);
    EXPECT_NE(
        refusal(R"({"flopsmith_lab": 1, "task": {"name": "chess"}, "arms": []})").find("chess"),
        std::string::npos);
}

} // namespace
} // namespace flopsmith
