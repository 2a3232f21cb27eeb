// SPDX-License-Identifier: MIT
#include "core/lab/plan/task_spec.h"

#include "core/base/printable.h"

#include <charconv>
#include <system_error>
#include <type_traits>

namespace flopsmith {
namespace {

// What cannot be said of one number alone.
Status fitsTogether(const RecallTask& task)
{
    const int most = task.vocab / 2 - 1;
    if (task.pairs > most) {
        return Error{"pairs: " + std::to_string(task.pairs) + " keys do not fit into half of "
                     + std::to_string(task.vocab) + " tokens; at most " + std::to_string(most)};
    }
    if (4 * task.pairs > task.sequence) {
        return Error{"pairs: " + std::to_string(task.pairs) + " pairs and their queries need "
                     + std::to_string(4 * task.pairs) + " tokens; a sequence has "
                     + std::to_string(task.sequence)};
    }
    return Done{};
}

Status fitsTogether(const CopyTask& task)
{
    if (2 * task.copied > task.sequence) {
        return Error{"copied: " + std::to_string(task.copied) + " tokens and their copies need "
                     + std::to_string(2 * task.copied) + " places; a sequence has "
                     + std::to_string(task.sequence)};
    }
    return Done{};
}

Status fitsTogether(const TeacherTask& task)
{
    if (task.teacher == TeacherKind::trained && task.file.empty()) {
        return Error{"teacher: a trained one needs the file of a model that a lab kept; see "
                     "flopsmith lab distil --teacher FILE"};
    }
    return Done{};
}

template <class Task>
Status fitsTogether(const Task& /*task*/)
{
    return Done{};
}

template <class Task>
const Field<Task>* fieldOf(std::string_view key)
{
    for (const Field<Task>& field : Task::fields()) {
        if (field.text.key == key) {
            return &field;
        }
    }
    return nullptr;
}

template <class Task>
std::string keysOf()
{
    std::string keys;
    for (const Field<Task>& field : Task::fields()) {
        keys += (keys.empty() ? "" : ", ") + std::string(field.text.key);
    }
    return keys;
}

// The text as a value of the field's kind.
Result<FieldValue> valueOfText(std::string_view text, const FieldValue& like)
{
    if (std::holds_alternative<std::string>(like)) {
        return FieldValue(std::string(text));
    }
    std::int64_t number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc() || end != text.data() + text.size()) {
        return Error{"\"" + excerpt(text) + "\" is no whole number"};
    }
    return FieldValue(number);
}

} // namespace

std::string_view scoreName(Score score)
{
    switch (score) {
    case Score::rSquared: return "R\xC2\xB2";
    case Score::accuracy: return "accuracy";
    case Score::nats: return "nats per character";
    case Score::squaredError: return "squared error";
    }
    return "";
}

bool isMoreBetter(Score score)
{
    return score == Score::rSquared || score == Score::accuracy;
}

const std::vector<TaskSpec>& taskPrototypes()
{
    static const std::vector<TaskSpec> kTasks = {TeacherTask{},
                                                 FactsTask{},
                                                 MemoriseTask{},
                                                 ModularAdditionTask{},
                                                 TextTask{},
                                                 GrammarTask{},
                                                 RecallTask{},
                                                 InductionTask{},
                                                 CopyTask{},
                                                 DyckTask{},
                                                 ParityTask{},
                                                 RegressionTask{}};
    return kTasks;
}

const TaskInfo& info(const TaskSpec& task)
{
    return std::visit([](const auto& spec) -> const TaskInfo& { return spec.info(); }, task);
}

Result<TaskSpec> taskNamed(std::string_view id)
{
    std::string known;
    for (const TaskSpec& task : taskPrototypes()) {
        if (info(task).id == id) {
            return task;
        }
        known += (known.empty() ? "" : ", ") + std::string(info(task).id);
    }
    return Error{"There is no task \"" + excerpt(id) + "\"; known are " + known};
}

Status setTaskNumber(TaskSpec& task, int dModel, std::string_view key, std::string_view value)
{
    return std::visit(
        [&](auto& spec) -> Status {
            using Spec = std::decay_t<decltype(spec)>;
            const Field<Spec>* field = fieldOf<Spec>(key);
            if (field == nullptr) {
                return Error{std::string(Spec::info().id) + " has no \"" + excerpt(key)
                             + "\"; it has " + keysOf<Spec>()};
            }
            const Result<FieldValue> parsed = valueOfText(value, field->value(spec));
            if (!parsed) {
                return Error{std::string(key) + ": " + parsed.error().message};
            }
            const LegalValues legal = field->legal(spec, FieldContext{dModel});
            if (!legal.contains(*parsed)) {
                return Error{std::string(key) + ": " + excerpt(value) + " is not legal; it must be "
                             + legal.text()};
            }
            field->assign(spec, *parsed);
            return Done{};
        },
        task);
}

Status validatedTask(const TaskSpec& task, int dModel)
{
    return std::visit(
        [&](const auto& spec) -> Status {
            for (const auto& field : spec.fields()) {
                const LegalValues legal = field.legal(spec, FieldContext{dModel});
                const FieldValue value = field.value(spec);
                if (!legal.contains(value)) {
                    return Error{std::string(field.text.key) + ": " + valueText(value)
                                 + " is not legal; it must be " + legal.text()};
                }
            }
            return fitsTogether(spec);
        },
        task);
}

std::int64_t tokensPerStep(const TaskSpec& task)
{
    return std::visit(
        [](const auto& spec) -> std::int64_t {
            using Spec = std::decay_t<decltype(spec)>;
            if constexpr (std::is_same_v<Spec, ModularAdditionTask>) {
                const std::int64_t pairs = std::int64_t{spec.modulus} * spec.modulus;
                return 3 * ((pairs + 1) / 2); // a, b, = of half of all pairs
            } else if constexpr (std::is_same_v<Spec, RegressionTask>) {
                return std::int64_t{spec.batch} * spec.side * spec.side;
            } else if constexpr (requires { spec.sequence; }) {
                return std::int64_t{spec.batch} * spec.sequence;
            } else {
                return spec.batch;
            }
        },
        task);
}

std::string numbersText(const TaskSpec& task)
{
    return std::visit(
        [](const auto& spec) {
            std::string text;
            for (const auto& field : spec.fields()) {
                text += (text.empty() ? "" : " ") + std::string(field.text.key) + "="
                    + valueText(field.value(spec));
            }
            return text;
        },
        task);
}

} // namespace flopsmith
