// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lab/task/task.h"

#include "tests/core/lab/temporary_folder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

namespace flopsmith {
namespace {

constexpr int kWidth = 12;

std::unique_ptr<Task> taskFor(const TaskSpec& spec, std::uint64_t seed = 1)
{
    auto task = makeTask(spec, kWidth, seed);
    EXPECT_TRUE(task.ok()) << task.error().message;
    return std::move(*task);
}

bool areEqual(const TrainingBatch<float>& a, const TrainingBatch<float>& b)
{
    return a.inputs.tokens == b.inputs.tokens && a.inputs.features == b.inputs.features
        && a.targets.labels == b.targets.labels && a.targets.values == b.targets.values
        && a.targets.places == b.targets.places;
}

// One sequence of a batch.
LabelledSequence sequenceOf(const Task& task, const TrainingBatch<float>& batch, int i)
{
    const int length = task.shape().sequence;
    const auto tokens = batch.inputs.tokens.begin() + std::ptrdiff_t(i) * length;
    const auto labels = batch.targets.labels.begin() + std::ptrdiff_t(i) * length;
    return {.tokens = {tokens, tokens + length}, .labels = {labels, labels + length}};
}

std::vector<TaskSpec> tasksWithoutFile()
{
    std::vector<TaskSpec> tasks;
    for (const TaskSpec& task : taskPrototypes()) {
        if (!std::holds_alternative<TextTask>(task)) {
            tasks.push_back(task);
        }
    }
    return tasks;
}

TEST(Tasks, FollowFromSeedAndStepAlone)
{
    for (const TaskSpec& spec : tasksWithoutFile()) {
        const auto one = taskFor(spec, 3);
        const auto same = taskFor(spec, 3);
        const auto other = taskFor(spec, 4);

        EXPECT_TRUE(areEqual(one->training(7), same->training(7))) << info(spec).id;
        EXPECT_FALSE(areEqual(one->training(7), other->training(7))) << info(spec).id;
        EXPECT_TRUE(areEqual(one->test().front(), same->test().front())) << info(spec).id;
        if (!std::holds_alternative<ModularAdditionTask>(spec)) {
            EXPECT_FALSE(areEqual(one->training(7), one->training(8))) << info(spec).id;
            EXPECT_FALSE(areEqual(one->training(1), one->test().front())) << info(spec).id;
        }
    }
}

TEST(Tasks, HaveBatchesOfTheirShape)
{
    for (const TaskSpec& spec : tasksWithoutFile()) {
        const auto task = taskFor(spec);
        const TaskShape shape = task->shape();
        std::vector<TrainingBatch<float>> batches = task->test();
        batches.push_back(task->training(1));
        for (const TrainingBatch<float>& batch : batches) {
            const auto rows = static_cast<std::size_t>(shape.batch) * shape.sequence;
            if (shape.learns == Learns::tokens) {
                EXPECT_EQ(batch.inputs.tokens.size(), rows) << info(spec).id;
                EXPECT_EQ(batch.targets.labels.size(), rows) << info(spec).id;
                for (const int token : batch.inputs.tokens) {
                    EXPECT_TRUE(token >= 0 && token < shape.vocab) << info(spec).id;
                }
            } else if (shape.learns == Learns::images) {
                EXPECT_EQ(batch.inputs.features.size(), rows * shape.channels);
            } else {
                EXPECT_EQ(batch.inputs.features.size(), rows * kWidth) << info(spec).id;
            }
            for (const int label : batch.targets.labels) {
                EXPECT_GE(label, kNoLabel) << info(spec).id;
            }
        }
        EXPECT_FALSE(task->references().empty()) << info(spec).id;
        EXPECT_EQ(tokensPerStep(spec), std::int64_t{shape.batch} * shape.sequence) << info(spec).id;
    }
}

TEST(Tasks, RecallsWhatStoodBehindAKey)
{
    const RecallTask spec;
    const auto task = taskFor(spec);
    const TrainingBatch<float> batch = task->training(1);
    for (int i = 0; i < spec.batch; ++i) {
        const LabelledSequence sequence = sequenceOf(*task, batch, i);
        std::map<int, int> values;
        for (int pair = 0; pair < spec.pairs; ++pair) {
            values[sequence.tokens[2 * pair]] = sequence.tokens[2 * pair + 1];
        }
        EXPECT_EQ(values.size(), 4U);
        std::set<int> asked;
        for (std::size_t place = 0; place < sequence.tokens.size(); ++place) {
            if (sequence.labels[place] != kNoLabel) {
                EXPECT_GE(place, 8U);
                EXPECT_EQ(values.at(sequence.tokens[place]), sequence.labels[place]);
                asked.insert(sequence.tokens[place]);
            } else if (place >= 8) {
                EXPECT_EQ(sequence.tokens[place], 0);
            }
        }
        EXPECT_EQ(asked.size(), 4U);
    }
}

TEST(Tasks, MemoriseFixedValuesOfKeys)
{
    const MemoriseTask spec{.vocab = 9, .sequence = 7, .batch = 4, .test = 6};
    const auto task = taskFor(spec);
    std::vector<TrainingBatch<float>> batches = task->test();
    for (int step = 1; step <= 20; ++step) {
        batches.push_back(task->training(step));
    }
    std::map<int, int> values;
    for (const TrainingBatch<float>& batch : batches) {
        for (std::size_t i = 0; i < batch.inputs.tokens.size(); ++i) {
            const int label = batch.targets.labels[i];
            if (i % 7 % 2 == 1) {
                EXPECT_EQ(batch.inputs.tokens[i], 8);
                EXPECT_EQ(label, kNoLabel);
            } else if (label != kNoLabel) {
                EXPECT_TRUE(label >= 4 && label < 8) << label;
                EXPECT_EQ(values.try_emplace(batch.inputs.tokens[i], label).first->second, label);
            }
        }
    }
    EXPECT_EQ(values.size(), 4U);
    EXPECT_EQ(values.rbegin()->first, 3);
    EXPECT_EQ(task->references().front().value, 0.25);
}

TEST(Tasks, InducesWhatFollowedTheTrigger)
{
    const InductionTask spec;
    const auto task = taskFor(spec);
    const TrainingBatch<float> batch = task->training(1);
    for (int i = 0; i < spec.batch; ++i) {
        const LabelledSequence sequence = sequenceOf(*task, batch, i);
        const auto trigger =
            std::find(sequence.tokens.begin(), sequence.tokens.end(), spec.vocab - 1);
        EXPECT_LT(trigger - sequence.tokens.begin(), spec.sequence / 2);
        EXPECT_EQ(*(trigger + 1), sequence.labels.back());
        EXPECT_EQ(std::count(sequence.tokens.begin(), sequence.tokens.end(), spec.vocab - 1), 2);
        EXPECT_EQ(sequence.tokens.back(), spec.vocab - 1);
    }
}

TEST(Tasks, CopiesInOrder)
{
    const CopyTask spec;
    const auto task = taskFor(spec);
    const LabelledSequence sequence = sequenceOf(*task, task->training(1), 3);
    std::vector<int> found;
    std::vector<int> labels;
    for (std::size_t place = 0; place < sequence.tokens.size(); ++place) {
        if (sequence.tokens[place] < spec.vocab - 2) {
            found.push_back(sequence.tokens[place]);
        }
        if (sequence.labels[place] != kNoLabel) {
            EXPECT_EQ(sequence.tokens[place], spec.vocab - 1);
            labels.push_back(sequence.labels[place]);
        }
    }
    EXPECT_EQ(found.size(), 16U);
    EXPECT_EQ(found, labels);
}

TEST(Tasks, BalancesBrackets)
{
    const DyckTask spec;
    const auto task = taskFor(spec);
    const TrainingBatch<float> batch = task->training(1);
    for (int i = 0; i < spec.batch; ++i) {
        const LabelledSequence sequence = sequenceOf(*task, batch, i);
        std::vector<int> open;
        for (std::size_t place = 0; place < sequence.tokens.size(); ++place) {
            const int token = sequence.tokens[place];
            const bool closes = token >= 2;
            if (place > 0) {
                EXPECT_EQ(sequence.labels[place - 1], closes ? token : kNoLabel);
            }
            if (closes) {
                ASSERT_FALSE(open.empty());
                EXPECT_EQ(open.back() + 2, token);
                open.pop_back();
            } else {
                open.push_back(token);
                EXPECT_LE(std::ssize(open), spec.depth);
            }
        }
    }
}

// One string in two closes nothing here.
TEST(Tasks, AlwaysHaveALabelToLearn)
{
    const auto task = taskFor(DyckTask{.sequence = 2, .batch = 1, .test = 20});
    std::vector<TrainingBatch<float>> batches = task->test();
    EXPECT_EQ(batches.size(), 20U);
    for (int step = 1; step <= 20; ++step) {
        batches.push_back(task->training(step));
    }
    for (const TrainingBatch<float>& batch : batches) {
        EXPECT_NE(batch.targets.labels.front(), kNoLabel);
    }
}

TEST(Tasks, DrawAgainOnlyWithoutALabel)
{
    const auto task = taskFor(DyckTask{.sequence = 2, .batch = 1});
    int kept = 0;
    for (int step = 1; step <= 20; ++step) {
        Random random = taskStream(1, TaskStream::training, step);
        const auto opened = static_cast<int>(random.integer(0, 1));
        if (random.integer(0, 1) == 1) {
            EXPECT_EQ(task->training(step).inputs.tokens, (std::vector<int>{opened, opened + 2}));
            ++kept;
        }
    }
    EXPECT_GT(kept, 0);
}

// The labels of all tokens but the last that has one are the inputs behind them.
TEST(Tasks, SayWhereLaterInputsAreLabels)
{
    for (const TaskSpec& spec : taskPrototypes()) {
        const auto task = taskFor(spec);
        if (task->shape().learns != Learns::tokens) {
            continue;
        }
        const TrainingBatch<float> batch = task->training(1);
        int labels = 0;
        int shown = 0;
        for (int i = 0; i < task->shape().batch; ++i) {
            const LabelledSequence sequence = sequenceOf(*task, batch, i);
            for (std::size_t place = 0; place + 1 < sequence.tokens.size(); ++place) {
                labels += sequence.labels[place] != kNoLabel ? 1 : 0;
                shown += sequence.labels[place] == sequence.tokens[place + 1] ? 1 : 0;
            }
        }
        EXPECT_EQ(labels > 0 && shown == labels, info(spec).labelsAreLaterInputs) << info(spec).id;
    }
    EXPECT_TRUE(RegressionTask::info().labelsAreLaterInputs);
}

TEST(Tasks, LabelsParities)
{
    const auto task = taskFor(ParityTask{});
    const LabelledSequence sequence = sequenceOf(*task, task->training(1), 5);
    int parity = 0;
    for (std::size_t place = 0; place < sequence.tokens.size(); ++place) {
        parity = (parity + sequence.tokens[place]) % 2;
        EXPECT_EQ(sequence.labels[place], parity);
    }
}

TEST(Tasks, SplitsAllSumsIntoTrainingAndTest)
{
    const auto task = taskFor(ModularAdditionTask{.modulus = 5});
    std::map<std::pair<int, int>, int> sums;
    std::vector<TrainingBatch<float>> batches = task->test();
    ASSERT_EQ(batches.size(), 1U);
    batches.push_back(task->training(1));
    EXPECT_EQ(task->shape().batch, 13);
    for (const TrainingBatch<float>& batch : batches) {
        for (int i = 0; i < task->shape().batch; ++i) {
            const LabelledSequence sequence = sequenceOf(*task, batch, i);
            if (sequence.labels[2] != kNoLabel) {
                const bool isNew = sums.emplace(std::pair(sequence.tokens[0], sequence.tokens[1]),
                                                sequence.labels[2])
                                       .second;
                EXPECT_TRUE(isNew);
                EXPECT_EQ(sequence.labels[2], (sequence.tokens[0] + sequence.tokens[1]) % 5);
            }
        }
    }
    EXPECT_EQ(sums.size(), 25U);
}

TEST(Tasks, ShowsAnswersOfRegressionBehindTheirQuestions)
{
    const RegressionTask spec;
    const auto task = taskFor(spec);
    const TrainingBatch<float> batch = task->training(1);
    ASSERT_EQ(batch.targets.places.size(), static_cast<std::size_t>(spec.batch) * 18);
    double squares = 0.0;
    for (std::size_t i = 0; i < batch.targets.places.size(); ++i) {
        EXPECT_EQ(batch.targets.places[i] % kWidth, 0U);
        const std::size_t row = batch.targets.places[i] / kWidth;
        const std::size_t image = row / 36;
        const std::size_t answer = (image * 9 + 8) * 36 + row % 36 + 1;
        EXPECT_EQ(batch.inputs.features[answer], batch.targets.values[i]);
        squares += double{batch.targets.values[i]} * batch.targets.values[i];
    }
    EXPECT_NEAR(squares / static_cast<double>(batch.targets.places.size()), 1.0, 0.4);
    EXPECT_EQ(task->test().front().targets.places.size(), 32U);
}

TEST(Tasks, AskForEveryFact)
{
    const auto task = taskFor(FactsTask{.facts = 10, .classes = 3, .batch = 4});
    std::map<std::vector<float>, int> labels;
    const auto keyOf = [](const TrainingBatch<float>& batch, std::size_t i) {
        const auto begin = batch.inputs.features.begin() + std::ptrdiff_t(i) * kWidth;
        return std::vector<float>(begin, begin + kWidth);
    };
    for (const TrainingBatch<float>& batch : task->test()) {
        for (std::size_t i = 0; i < 4; ++i) {
            if (batch.targets.labels[i] != kNoLabel) {
                labels[keyOf(batch, i)] = batch.targets.labels[i];
            }
        }
    }
    EXPECT_EQ(labels.size(), 10U);
    for (int step = 1; step <= 5; ++step) {
        const TrainingBatch<float> batch = task->training(step);
        for (std::size_t i = 0; i < 4; ++i) {
            EXPECT_EQ(labels.at(keyOf(batch, i)), batch.targets.labels[i]);
        }
    }
    EXPECT_EQ(task->classes().size(), 3U * kWidth);
}

TEST(Tasks, StandardisesTheTeacher)
{
    for (const TeacherKind kind : {TeacherKind::dense, TeacherKind::gated}) {
        const auto task =
            taskFor(TeacherTask{.teacher = kind, .batch = 256, .test = 2'048, .draws = 4'096});
        double sum = 0.0;
        double squares = 0.0;
        double count = 0.0;
        for (const TrainingBatch<float>& batch : task->test()) {
            for (const float value : batch.targets.values) {
                sum += value;
                squares += double{value} * value;
                count += 1.0;
            }
        }
        EXPECT_EQ(count, 2'048.0 * kWidth);
        EXPECT_NEAR(sum / count, 0.0, 0.05);
        EXPECT_NEAR(squares / count, 1.0, 0.1);
    }
}

TEST(Tasks, RefuseNumbersInOneSentence)
{
    const auto refusal = [](const TaskSpec& spec) {
        const auto task = makeTask(spec, kWidth, 1);
        return task ? std::string() : task.error().message;
    };

    EXPECT_NE(refusal(TeacherTask{.batch = 0}).find("batch"), std::string::npos);
    EXPECT_NE(refusal(RecallTask{.vocab = 8}).find("at most 3"), std::string::npos);
    EXPECT_NE(refusal(RecallTask{.sequence = 12}).find("16 tokens"), std::string::npos);
    EXPECT_NE(refusal(CopyTask{.sequence = 20}).find("32 places"), std::string::npos);
    EXPECT_NE(refusal(RegressionTask{.side = 5}).find("side"), std::string::npos);

    TaskSpec task = RecallTask{};
    EXPECT_TRUE(setTaskNumber(task, kWidth, "pairs", "2").ok());
    EXPECT_EQ(std::get<RecallTask>(task).pairs, 2);
    EXPECT_FALSE(setTaskNumber(task, kWidth, "pairs", "two").ok());
    EXPECT_FALSE(setTaskNumber(task, kWidth, "pairs", "0").ok());
    EXPECT_FALSE(setTaskNumber(task, kWidth, "couples", "2").ok());
    EXPECT_FALSE(taskNamed("chess").ok());
    task = TeacherTask{};
    EXPECT_TRUE(setTaskNumber(task, kWidth, "activation", "relu").ok());
    EXPECT_FALSE(setTaskNumber(task, kWidth, "activation", "tanh").ok());
}

} // namespace
} // namespace flopsmith
