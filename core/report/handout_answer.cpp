// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/handout_answer.h"

#include "core/report/frame_words.h"
#include "core/report/report_text.h"
#include "core/teach/expression/expression.h"
#include "core/teach/play/lesson_text.h"

#include <algorithm>
#include <cstddef>

namespace flopsmith {
namespace {

std::string markOf(int option)
{
    return optionMark(static_cast<std::size_t>(std::max(option, 1) - 1));
}

std::string marksOf(const OptionOrder& order)
{
    std::string marks;
    for (const int option : order.options) {
        marks += (marks.empty() ? "" : ", ") + markOf(option);
    }
    return marks;
}

std::string valueText(const Value& value, std::string_view format, std::string_view language)
{
    const Result<std::string> text = formattedValue(value, format, language);
    return text ? *text : goldenText(value);
}

std::string answerText(const Ask& ask,
                       const Value& value,
                       const std::vector<std::string>& options,
                       std::string_view language)
{
    if (const auto* order = std::get_if<OptionOrder>(&value)) {
        return marksOf(*order);
    }
    const auto* count = std::get_if<Count>(&value);
    if (ask.kind == QuestionKind::choice && count != nullptr && *count >= 1
        && *count <= static_cast<Count>(options.size())) {
        const auto chosen = static_cast<int>(*count);
        return markOf(chosen) + ", " + options[static_cast<std::size_t>(chosen - 1)];
    }
    return valueText(value, "", language);
}

} // namespace

Result<HandoutAnswer> handoutAnswer(const Ask& ask,
                                    const std::vector<std::string>& options,
                                    const LessonView& view,
                                    std::string_view language)
{
    const std::string& expression = ask.answer.expression;
    if (ask.kind == QuestionKind::build) {
        // A predicate may be defined only for designs that meet it, such as the example.
        const Result<LessonView> example = viewAfter(view, ask.example);
        const Result<Value> met =
            example ? evaluate(expression, example->context) : Result<Value>(example.error());
        return met ? Result<HandoutAnswer>(
                   HandoutAnswer{std::string(frameWordsIn(language).anyDesign), expression})
                   : met.error();
    }
    FLOPSMITH_TRY(const Value value, evaluate(expression, view.context));
    return HandoutAnswer{answerText(ask, value, options, language),
                         expression + " = " + valueText(value, "exact", language)};
}

Result<std::string> derivationText(const std::string& expression,
                                   const LessonView& view,
                                   std::string_view language)
{
    const Result<Value> value = evaluate(expression, view.context);
    return value ? Result<std::string>(expression + " = " + valueText(*value, "exact", language))
                 : value.error();
}

} // namespace flopsmith
