// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/base/result.h"
#include "core/layer/activation.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace flopsmith {

/// How a task is scored.
enum class Score {
    rSquared, ///< 1 − mean squared error over variance
    accuracy, ///< share of the labelled positions that are right
    nats, ///< cross-entropy per character
    squaredError,
};

/// "R²", "accuracy", "nats per character", "squared error".
std::string_view scoreName(Score score);

/// Of R² and accuracy more is better.
bool isMoreBetter(Score score);

/// A score to compare arms with: what some predictor reaches, or the best that there can be.
struct ReferenceScore
{
    std::string name; ///< "grammar's entropy"
    double value = 0.0; ///< in the unit of the task's score

    bool operator==(const ReferenceScore&) const = default;
};

/// The description of a task.
struct TaskInfo
{
    std::string_view id; ///< "facts"
    std::string_view title;
    std::string_view definition; ///< one or two sentences
    std::string_view tests; ///< what about an FFN it tests, or what it controls
    std::string_view solved; ///< when it counts as solved, and what chance gives
    Score score = Score::accuracy;
    double decay = 0.1; ///< of AdamW
    double beta2 = 0.98;
    bool labelsAreLaterInputs = false; ///< a mixer that sees all tokens would read them
};

enum class TeacherKind {
    dense, ///< random
    gated, ///< random
    trained, ///< the FFN of a saved model, with its own inputs
};

template <>
std::vector<std::string_view> enumNames<TeacherKind>();

// Each task's numbers. `batch` are examples of a step, `test` fixed examples of an evaluation;
// examples are rows for FFNs that are trained alone, and sequences for models.

struct TeacherTask
{
    int width = 0; ///< f of the teacher; 0: 4·d
    TeacherKind teacher = TeacherKind::dense;
    Activation activation = Activation::geluTanh;
    int batch = 256;
    int test = 4'096;
    int draws = 8'192; ///< from which the mean and the deviation of its outputs are taken
    int layer = 0; ///< of a trained one: whose FFN
    std::string file{}; ///< of a trained one
    std::string sha256{}; ///< of its bytes; empty: not known yet

    bool operator==(const TeacherTask&) const = default;
    int widthFor(int dModel) const { return width > 0 ? width : 4 * dModel; }
    static const TaskInfo& info();
    static const std::vector<Field<TeacherTask>>& fields();
};

struct FactsTask
{
    int facts = 2'048; ///< N
    int classes = 64; ///< C
    int batch = 256;

    bool operator==(const FactsTask&) const = default;
    static const TaskInfo& info();
    static const std::vector<Field<FactsTask>>& fields();
};

struct MemoriseTask
{
    int vocab = 256; ///< keys, as many values, and the insert token
    int sequence = 32;
    int batch = 32;
    int test = 256;

    bool operator==(const MemoriseTask&) const = default;
    int keys() const { return (vocab - 1) / 2; }
    static const TaskInfo& info();
    static const std::vector<Field<MemoriseTask>>& fields();
};

struct ModularAdditionTask
{
    int modulus = 53; ///< P

    bool operator==(const ModularAdditionTask&) const = default;
    static const TaskInfo& info();
    static const std::vector<Field<ModularAdditionTask>>& fields();
};

struct TextTask
{
    std::string file; ///< of UTF-8 text; empty: shippedText()
    std::string sha256; ///< of its bytes; empty: not known yet
    int sequence = 64;
    int batch = 32;
    int test = 256;

    bool operator==(const TextTask&) const = default;
    static const TaskInfo& info();
    static const std::vector<Field<TextTask>>& fields();
};

struct GrammarTask
{
    int sequence = 64;
    int batch = 32;
    int test = 256;

    bool operator==(const GrammarTask&) const = default;
    static const TaskInfo& info();
    static const std::vector<Field<GrammarTask>>& fields();
};

struct RecallTask
{
    int vocab = 256; ///< V
    int sequence = 64; ///< S
    int pairs = 4; ///< K
    int batch = 32;
    int test = 256;

    bool operator==(const RecallTask&) const = default;
    static const TaskInfo& info();
    static const std::vector<Field<RecallTask>>& fields();
};

struct InductionTask
{
    int vocab = 16;
    int sequence = 64;
    int batch = 32;
    int test = 256;

    bool operator==(const InductionTask&) const = default;
    static const TaskInfo& info();
    static const std::vector<Field<InductionTask>>& fields();
};

struct CopyTask
{
    int vocab = 16;
    int sequence = 128;
    int copied = 16;
    int batch = 32;
    int test = 256;

    bool operator==(const CopyTask&) const = default;
    static const TaskInfo& info();
    static const std::vector<Field<CopyTask>>& fields();
};

struct DyckTask
{
    int depth = 4;
    int sequence = 64;
    int batch = 32;
    int test = 256;

    bool operator==(const DyckTask&) const = default;
    static const TaskInfo& info();
    static const std::vector<Field<DyckTask>>& fields();
};

struct ParityTask
{
    int sequence = 16;
    int batch = 64;
    int test = 256;

    bool operator==(const ParityTask&) const = default;
    static const TaskInfo& info();
    static const std::vector<Field<ParityTask>>& fields();
};

struct RegressionTask
{
    int side = 6; ///< side² tokens: x and y of side²/2 pairs in turn
    int inputs = 8; ///< numbers of an x
    int batch = 32;
    int test = 256;

    bool operator==(const RegressionTask&) const = default;
    int pairs() const { return side * side / 2; }
    static const TaskInfo& info();
    static const std::vector<Field<RegressionTask>>& fields();
};

using TaskSpec = std::variant<TeacherTask,
                              FactsTask,
                              MemoriseTask,
                              ModularAdditionTask,
                              TextTask,
                              GrammarTask,
                              RecallTask,
                              InductionTask,
                              CopyTask,
                              DyckTask,
                              ParityTask,
                              RegressionTask>;

/// One of each with its defaults.
const std::vector<TaskSpec>& taskPrototypes();

const TaskInfo& info(const TaskSpec& task);

/// By its id; an Error names all ids.
Result<TaskSpec> taskNamed(std::string_view id);

/// Sets "batch=64"; an Error names the keys or the legal values.
Status setTaskNumber(TaskSpec& task, int dModel, std::string_view key, std::string_view value);

/// Done if every number is legal for models of this width and they fit each other, else a sentence
/// with the number and what would be right.
Status validatedTask(const TaskSpec& task, int dModel);

/// Tokens, or rows of an FFN alone, in a batch.
std::int64_t tokensPerStep(const TaskSpec& task);

/// "batch=256 test=4096": all numbers.
std::string numbersText(const TaskSpec& task);

} // namespace flopsmith
