// SPDX-License-Identifier: MIT
#include "core/lab/plan/task_spec.h"

// What each task is, and which numbers it takes.
namespace flopsmith {
namespace {

template <class Task>
Field<Task> taskNumber(int Task::*member,
                       std::string_view key,
                       std::string_view help,
                       int low,
                       int high)
{
    return integerField(
        member, {key, "", key, help, ""}, [low, high](const Task&, const FieldContext&) {
            return LegalValues::integers(low, high, low > 0 ? Scale::log2 : Scale::linear);
        });
}

template <class Task>
Field<Task> batchNumber()
{
    return taskNumber(&Task::batch, "batch", "examples of a training step", 1, 4'096);
}

template <class Task>
Field<Task> testNumber()
{
    return taskNumber(&Task::test, "test", "fixed examples of an evaluation", 1, 65'536);
}

template <class Task>
Field<Task> sequenceNumber(int low)
{
    return taskNumber(&Task::sequence, "seq", "tokens of a sequence", low, 4'096);
}

} // namespace

template <>
std::vector<std::string_view> enumNames<TeacherKind>()
{
    return {"dense", "gated", "trained"};
}

const TaskInfo& TeacherTask::info()
{
    static constexpr TaskInfo kInfo{
        .id = "teacher",
        .title = "Teacher and student",
        .definition = "Inputs x ~ N(0, I); an FFN alone learns the outputs of a frozen random FFN, "
                      "each of mean 0 and deviation 1.",
        .tests = "the FFN alone: which share of a random dense map it can express",
        .solved = "R\xC2\xB2 by closed forms; no FFN has 0",
        .score = Score::rSquared,
        .decay = 0.0,
        .beta2 = 0.99};
    return kInfo;
}

const std::vector<Field<TeacherTask>>& TeacherTask::fields()
{
    static const std::vector<Field<TeacherTask>> kFields = {
        taskNumber(&TeacherTask::width, "width", "hidden width; 0: 4 d_model", 0, 65'536),
        choiceField(&TeacherTask::teacher, {"teacher", "", "teacher", "its family", ""}),
        choiceField(&TeacherTask::activation,
                    {"activation", "", "activation", "of the teacher", ""}),
        batchNumber<TeacherTask>(),
        testNumber<TeacherTask>(),
        taskNumber(&TeacherTask::draws, "draws", "inputs that standardise its outputs", 2, 65'536),
        taskNumber(&TeacherTask::layer, "layer", "of a trained model: whose FFN it is", 0, 63),
    };
    return kFields;
}

const TaskInfo& FactsTask::info()
{
    static constexpr TaskInfo kInfo{
        .id = "facts",
        .title = "Facts",
        .definition = "Frozen random keys, each with a random class; logits s\xC2\xB7(x + "
                      "FFN(x))\xC2\xB7U with a frozen U. Only the FFN and s are trained.",
        .tests = "how much an FFN memorises",
        .solved = "99 % where 2 bits per parameter exceed log2 C bits per fact; chance 1 in C"};
    return kInfo;
}

const std::vector<Field<FactsTask>>& FactsTask::fields()
{
    static const std::vector<Field<FactsTask>> kFields = {
        taskNumber(&FactsTask::facts, "facts", "keys to memorise", 1, 65'536),
        taskNumber(&FactsTask::classes, "classes", "classes of the keys", 2, 4'096),
        batchNumber<FactsTask>(),
    };
    return kFields;
}

const TaskInfo& MemoriseTask::info()
{
    static constexpr TaskInfo kInfo{
        .id = "memorise",
        .title = "Memorised pairs",
        .definition = "Each key has a fixed value. Keys and insert tokens in turn; the label of a "
                      "key is its value.",
        .tests = "how much embedding and FFN memorise together",
        .solved = "99 %; chance 1 in (V - 1)/2"};
    return kInfo;
}

const std::vector<Field<MemoriseTask>>& MemoriseTask::fields()
{
    static const std::vector<Field<MemoriseTask>> kFields = {
        taskNumber(&MemoriseTask::vocab, "vocab", "keys, values and the insert token", 5, 65'536),
        sequenceNumber<MemoriseTask>(1),
        batchNumber<MemoriseTask>(),
        testNumber<MemoriseTask>(),
    };
    return kFields;
}

const TaskInfo& ModularAdditionTask::info()
{
    static constexpr TaskInfo kInfo{
        .id = "modadd",
        .title = "Modular addition",
        .definition = "a, b, = gives a + b mod P. Half of all pairs are the batch of every step, "
                      "the others the test.",
        .tests = "non-linearity; attention alone learns a part of it, so compare curves",
        .solved = "99 %; chance 1 in P",
        .decay = 1.0};
    return kInfo;
}

const std::vector<Field<ModularAdditionTask>>& ModularAdditionTask::fields()
{
    static const std::vector<Field<ModularAdditionTask>> kFields = {
        taskNumber(&ModularAdditionTask::modulus, "modulus", "P, numbers to add", 2, 256),
    };
    return kFields;
}

const TaskInfo& TextTask::info()
{
    static constexpr TaskInfo kInfo{
        .id = "text",
        .title = "Text",
        .definition = "Characters of a file, or of the text that is part of the program; each is "
                      "predicted from those before it. The last "
                      "twentieth of each part of the file is the test.",
        .tests = "everything together",
        .solved = "no floor is known; unigram and bigram entropy are drawn",
        .score = Score::nats,
        .beta2 = 0.95,
        .labelsAreLaterInputs = true};
    return kInfo;
}

const std::vector<Field<TextTask>>& TextTask::fields()
{
    static const std::vector<Field<TextTask>> kFields = {
        sequenceNumber<TextTask>(2), batchNumber<TextTask>(), testNumber<TextTask>()};
    return kFields;
}

const TaskInfo& GrammarTask::info()
{
    static constexpr TaskInfo kInfo{
        .id = "grammar",
        .title = "Grammar",
        .definition = "Characters of sentences that a small grammar draws; never repeated.",
        .tests = "everything together, with a known floor",
        .solved = "the entropy of the grammar, which no model can fall below",
        .score = Score::nats,
        .beta2 = 0.95,
        .labelsAreLaterInputs = true};
    return kInfo;
}

const std::vector<Field<GrammarTask>>& GrammarTask::fields()
{
    static const std::vector<Field<GrammarTask>> kFields = {
        sequenceNumber<GrammarTask>(2), batchNumber<GrammarTask>(), testNumber<GrammarTask>()};
    return kFields;
}

const TaskInfo& RecallTask::info()
{
    static constexpr TaskInfo kInfo{
        .id = "mqar",
        .title = "Recall of pairs",
        .definition = "Key and value pairs, then keys again at gaps; the label of a repeated key "
                      "is its value.",
        .tests = "a control: the mixer solves it with any FFN, even none",
        .solved = "99 %; chance 2 in V"};
    return kInfo;
}

const std::vector<Field<RecallTask>>& RecallTask::fields()
{
    static const std::vector<Field<RecallTask>> kFields = {
        taskNumber(&RecallTask::vocab, "vocab", "half keys, half values", 8, 65'536),
        sequenceNumber<RecallTask>(8),
        taskNumber(&RecallTask::pairs, "pairs", "of a key and a value", 1, 1'024),
        batchNumber<RecallTask>(),
        testNumber<RecallTask>(),
    };
    return kFields;
}

const TaskInfo& InductionTask::info()
{
    static constexpr TaskInfo kInfo{
        .id = "induction",
        .title = "Induction",
        .definition = "Random tokens with one trigger in the first half; the last token is the "
                      "trigger again, and its label what followed the first.",
        .tests = "a control: the mixer solves it, with two layers or more",
        .solved = "99 %; chance 1 in V - 1"};
    return kInfo;
}

const std::vector<Field<InductionTask>>& InductionTask::fields()
{
    static const std::vector<Field<InductionTask>> kFields = {
        taskNumber(&InductionTask::vocab, "vocab", "tokens, one of them the trigger", 3, 65'536),
        sequenceNumber<InductionTask>(6),
        batchNumber<InductionTask>(),
        testNumber<InductionTask>(),
    };
    return kFields;
}

const TaskInfo& CopyTask::info()
{
    static constexpr TaskInfo kInfo{
        .id = "copy",
        .title = "Selective copying",
        .definition = "Tokens scattered in noise are repeated in order at the end, where insert "
                      "tokens stand.",
        .tests = "a control of the mixer",
        .solved = "99 %; chance 1 in V - 3"};
    return kInfo;
}

const std::vector<Field<CopyTask>>& CopyTask::fields()
{
    static const std::vector<Field<CopyTask>> kFields = {
        taskNumber(&CopyTask::vocab, "vocab", "with noise and insert token", 5, 65'536),
        sequenceNumber<CopyTask>(2),
        taskNumber(&CopyTask::copied, "copied", "tokens to copy", 1, 1'024),
        batchNumber<CopyTask>(),
        testNumber<CopyTask>(),
    };
    return kFields;
}

const TaskInfo& DyckTask::info()
{
    static constexpr TaskInfo kInfo{
        .id = "dyck",
        .title = "Brackets",
        .definition = "Strings of two kinds of brackets; where the next token closes one, the "
                      "label is which.",
        .tests = "a control of depth",
        .solved = "99 %; chance 50 %",
        .labelsAreLaterInputs = true};
    return kInfo;
}

const std::vector<Field<DyckTask>>& DyckTask::fields()
{
    static const std::vector<Field<DyckTask>> kFields = {
        taskNumber(&DyckTask::depth, "depth", "open brackets at most", 1, 64),
        sequenceNumber<DyckTask>(2),
        batchNumber<DyckTask>(),
        testNumber<DyckTask>(),
    };
    return kFields;
}

const TaskInfo& ParityTask::info()
{
    static constexpr TaskInfo kInfo{
        .id = "parity",
        .title = "Parity",
        .definition = "Zeros and ones; the label of each is the parity of all up to it.",
        .tests = "a control that is known to be hard: it shows failing honestly",
        .solved = "99 % at 16 tokens with two layers or more; chance 50 %"};
    return kInfo;
}

const std::vector<Field<ParityTask>>& ParityTask::fields()
{
    static const std::vector<Field<ParityTask>> kFields = {
        sequenceNumber<ParityTask>(1), batchNumber<ParityTask>(), testNumber<ParityTask>()};
    return kFields;
}

const TaskInfo& RegressionTask::info()
{
    static constexpr TaskInfo kInfo{
        .id = "regression",
        .title = "Regression in context",
        .definition = "Pairs x and y = w\xC2\xB7x in turn, with a new w in each sequence; y is "
                      "predicted at each x. The score is that of the last pair.",
        .tests = "a control of FFN and mixer together",
        .solved = "0.05; a constant has 1, least squares 0",
        .score = Score::squaredError,
        .labelsAreLaterInputs = true};
    return kInfo;
}

const std::vector<Field<RegressionTask>>& RegressionTask::fields()
{
    static const std::vector<Field<RegressionTask>> kFields = {
        integerField(&RegressionTask::side,
                     {"side", "", "side", "side\xC2\xB2/2 pairs; an even number", ""},
                     [](const RegressionTask&, const FieldContext&) {
                         return LegalValues::integers(2, 32, Scale::linear, 2);
                     }),
        taskNumber(&RegressionTask::inputs, "inputs", "numbers of an x", 1, 256),
        batchNumber<RegressionTask>(),
        testNumber<RegressionTask>(),
    };
    return kFields;
}

} // namespace flopsmith
