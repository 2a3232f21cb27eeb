// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lab/distil/distil.h"

#include "core/ffn/gated.h"
#include "core/lab/run/lab_run.h"
#include "core/lab/task/closed_forms.h"
#include "core/lab/task/task.h"
#include "core/lab/task/trained_teacher.h"
#include "tests/core/lab/temporary_folder.h"

#include <gtest/gtest.h>

#include <cmath>

namespace flopsmith {
namespace {

TEST(Distil, FitsFfnsToACost)
{
    constexpr int kWidth = 64;
    for (const char* name : {"dense", "gated", "low_rank", "random_projection"}) {
        const FfnSpec whole = armNamed(name, kWidth).value();
        const double cost = ffnFlopsPerToken(whole, kWidth);
        const auto fitted = fittedTo(whole, kWidth, cost / 2.0);
        ASSERT_TRUE(fitted.has_value()) << name;
        EXPECT_LE(ffnFlopsPerToken(*fitted, kWidth), cost / 2.0) << name;
        EXPECT_GT(ffnFlopsPerToken(*fitted, kWidth), cost / 4.0) << name;
        EXPECT_FALSE(fittedTo(whole, kWidth, 1.0).has_value()) << name;
    }
    const FfnSpec fixed = armNamed("micro_refine", kWidth).value();
    EXPECT_EQ(fittedTo(fixed, kWidth, 1e9), fixed);
    EXPECT_EQ(fittedTo(armNamed("dense", kWidth).value(),
                       kWidth,
                       ffnFlopsPerToken(DenseFfn{.dFf = 10}, kWidth)),
              FfnSpec(DenseFfn{.dFf = 10}));
}

DistilRequest request(TeacherTask teacher)
{
    return {.plan = {.task = std::move(teacher),
                     .sizes = {.dModel = 12, .layers = 1, .heads = 1},
                     .seeds = 2,
                     .budget = {.kind = BudgetKind::steps, .steps = 60},
                     .baseRate = 1e-2,
                     .tunes = false,
                     .evaluateEvery = 60},
            .families = {"dense", "spectral"},
            .ratios = {1.0, 4.0, 5.0}};
}

TEST(Distil, PlansEachStudentOnce)
{
    const LabPlan plan = distilPlan(request({})).value();

    ASSERT_NE(plan.arm("dense/1"), nullptr);
    EXPECT_EQ(get<DenseFfn>(plan.arm("dense/1")->ffn).dFf, 48);
    EXPECT_LE(get<DenseFfn>(plan.arm("dense/4")->ffn).dFf, 12);
    ASSERT_NE(plan.arm("spectral/1"), nullptr);
    EXPECT_EQ(plan.arm("spectral/4"), nullptr); // it is as cheap already
    EXPECT_NE(plan.arm("linear"), nullptr);
    for (const Arm& arm : plan.arms) {
        EXPECT_NE(arm.role, ArmRole::narrowed) << arm.name;
    }
    DistilRequest wrong = request({});
    wrong.ratios = {0.0};
    EXPECT_NE(distilPlan(wrong).error().message.find("ratios"), std::string::npos);
    wrong = request({});
    wrong.families = {"magic"};
    EXPECT_NE(distilPlan(wrong).error().message.find("magic"), std::string::npos);
    wrong = request({});
    wrong.plan.task = FactsTask{};
    EXPECT_FALSE(distilPlan(wrong).ok());
}

class Distilled : public test::WithFolder
{
protected:
    LabLog complete(const std::string& name, const LabPlan& plan) const
    {
        LabLogFile log = LabLogFile::open(file(name), plan, "m").value();
        const auto end = runLab(log, {.timedSteps = 0}, {});
        EXPECT_TRUE(end.ok()) << end.error().message;
        return readLabLog(file(name)).value();
    }

    // A saved model of text, of the dense arm.
    std::string savedModel() const
    {
        LabPlan plan{.task = GrammarTask{.sequence = 8, .batch = 4, .test = 8},
                     .sizes = {.dModel = 12, .layers = 2, .heads = 2},
                     .seeds = 1,
                     .budget = {.kind = BudgetKind::steps, .steps = 4},
                     .tunes = false};
        plan = plannedLab(plan, {{.name = "dense", .ffn = DenseFfn{.dFf = 20}}}).value();
        complete("text.jsonl", plan);
        return modelPath(file("text.jsonl"), {.arm = "dense", .seed = 1});
    }
};

TEST_F(Distilled, StandBesideWhatTheoryPredicts)
{
    const LabPlan plan = distilPlan(request({.batch = 64, .test = 1'024, .draws = 2'048})).value();
    const auto students = studentResults(complete("log.jsonl", plan)).value();

    ASSERT_EQ(students.size(), plan.arms.size());
    for (std::size_t i = 1; i < students.size(); ++i) {
        EXPECT_GE(students[i].cheaper, students[i - 1].cheaper);
    }
    EXPECT_EQ(students.front().family, "dense");
    EXPECT_EQ(students.front().ratio, "1");
    EXPECT_EQ(students.front().cheaper, 1.0);
    EXPECT_EQ(students.front().predicted, 1.0);
    EXPECT_EQ(students.front().score.count, 2);
    EXPECT_EQ(students.back().family, "none");
    EXPECT_NEAR(students.back().score.mean, 0.0, 0.02);
    for (const StudentResult& each : students) {
        if (each.family == "linear") {
            EXPECT_EQ(each.predicted, linearShare(Activation::geluTanh));
        }
    }
}

TEST_F(Distilled, LearnFromGatedTeachers)
{
    DistilRequest gated =
        request({.teacher = TeacherKind::gated, .activation = Activation::silu, .batch = 64});
    gated.families = {"gated"};
    gated.ratios = {1.0};
    const LabPlan plan = distilPlan(gated).value();
    EXPECT_EQ(get<GatedFfn>(plan.arm("gated/1")->ffn).dFf, 48);
    const auto students = studentResults(complete("log.jsonl", plan)).value();

    EXPECT_FALSE(students.front().predicted.has_value());
    EXPECT_GT(students.front().score.mean, 0.05);
}

TEST_F(Distilled, LearnFromTheFfnOfASavedModel)
{
    const TeacherTask teacher{.teacher = TeacherKind::trained,
                              .batch = 32,
                              .test = 64,
                              .draws = 512,
                              .layer = 1,
                              .file = savedModel()};
    const TrainedTeacher trained = trainedTeacher(teacher, 12, 3, referenceEngine<float>()).value();
    EXPECT_EQ(trained.ffn, FfnSpec(DenseFfn{.dFf = 20}));
    EXPECT_EQ(trained.weights.size(), weights(trained.ffn, 12).size());
    ASSERT_EQ(trained.testInputs.size(), 8U * 8U * 12U);
    double squares = 0.0; // what a norm with weights near 1 leaves
    for (const float value : trained.testInputs) {
        squares += double{value} * value;
    }
    EXPECT_NEAR(squares / static_cast<double>(trained.testInputs.size()), 1.0, 0.1);

    const auto task = makeTask(teacher, 12, 3).value();
    const TrainingBatch<float> batch = task->training(1);
    std::vector<float> row(batch.inputs.features.begin(), batch.inputs.features.begin() + 12);
    bool isKnown = false; // every row is one that the model's FFN reads
    for (auto from = trained.inputs.begin(); from != trained.inputs.end(); from += 12) {
        isKnown = isKnown || std::equal(row.begin(), row.end(), from);
    }
    EXPECT_TRUE(isKnown);

    const LabPlan plan = distilPlan(request(teacher)).value();
    const auto students = studentResults(complete("log.jsonl", plan)).value();
    EXPECT_EQ(students.front().cheaper, 1.0);
    EXPECT_GT(students.front().score.mean, students.back().score.mean);
}

TEST_F(Distilled, RefuseTeachersThatAreNone)
{
    const auto refusal = [](const TeacherTask& teacher, int dModel) {
        const auto task = makeTask(teacher, dModel, 1);
        return task ? std::string() : task.error().message;
    };
    TeacherTask teacher{.teacher = TeacherKind::trained};
    EXPECT_NE(refusal(teacher, 12).find("needs the file"), std::string::npos);
    teacher.file = file("nowhere");
    EXPECT_NE(refusal(teacher, 12).find("nowhere"), std::string::npos);
    teacher.file = written("text.txt", "no model");
    EXPECT_NE(refusal(teacher, 12).find("text.txt"), std::string::npos);
    teacher.file = savedModel();
    EXPECT_NE(refusal(teacher, 16).find("12 wide"), std::string::npos);
    teacher.layer = 7;
    EXPECT_NE(refusal(teacher, 12).find("blocks[7]"), std::string::npos);
    teacher.layer = 0;
    teacher.sha256 = std::string(64, '0');
    EXPECT_NE(refusal(teacher, 12).find("has changed"), std::string::npos);
    teacher.sha256 = fileHash(teacher.file).value();
    EXPECT_EQ(refusal(teacher, 12), "");
}

} // namespace
} // namespace flopsmith
