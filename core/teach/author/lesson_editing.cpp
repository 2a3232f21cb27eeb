// SPDX-License-Identifier: MIT
#include "core/teach/author/lesson_editing.h"

#include "core/base/printable.h"
#include "core/teach/author/lesson_recording.h"
#include "core/teach/expression/expression.h"
#include "core/teach/play/lesson_view.h"

#include <algorithm>
#include <utility>

namespace flopsmith {
namespace {

LessonStep& stepOf(Lesson& lesson, int step)
{
    return lesson.steps.at(static_cast<std::size_t>(step));
}

Ask& askOf(Lesson& lesson, int step)
{
    return std::get<Ask>(stepOf(lesson, step).content);
}

bool isUsed(const Lesson& lesson, const std::string& key)
{
    const auto uses = [&key](const LessonStep& step) {
        const std::vector<std::string> keys = textKeys(step);
        return std::find(keys.begin(), keys.end(), key) != keys.end();
    };
    return key == "title" || key == "summary"
        || std::any_of(lesson.steps.begin(), lesson.steps.end(), uses);
}

bool hasText(const Lesson& lesson, const std::string& key)
{
    return std::any_of(lesson.texts.begin(), lesson.texts.end(), [&key](const auto& language) {
        return language.second.contains(key);
    });
}

// "say-3": a key that no step and no language uses.
std::string freshKey(const Lesson& lesson,
                     const std::string& stem,
                     const std::vector<std::string>& taken = {})
{
    for (int number = 1;; ++number) {
        std::string key = stem + "-" + std::to_string(number);
        if (!isUsed(lesson, key) && !hasText(lesson, key)
            && std::find(taken.begin(), taken.end(), key) == taken.end()) {
            return key;
        }
    }
}

void dropUnusedTexts(Lesson& lesson, const std::vector<std::string>& keys)
{
    for (const std::string& key : keys) {
        if (!isUsed(lesson, key)) {
            for (auto& language : lesson.texts) {
                language.second.erase(key);
            }
        }
    }
}

// A key of its own with the same texts, for each use in the step.
class TextCopier
{
public:
    explicit TextCopier(Lesson& lesson)
        : m_lesson(lesson)
    {}

    void copy(std::string& key)
    {
        if (key.empty()) {
            return;
        }
        const std::string fresh = freshKey(m_lesson, key.substr(0, key.rfind('-')), m_taken);
        m_taken.push_back(fresh);
        for (auto& language : m_lesson.texts) {
            if (const auto text = language.second.find(key); text != language.second.end()) {
                const std::string copied = text->second;
                language.second[fresh] = copied;
            }
        }
        key = fresh;
    }

private:
    Lesson& m_lesson;
    std::vector<std::string> m_taken;
};

void copyTexts(Lesson& lesson, LessonStep& step)
{
    TextCopier copier(lesson);
    copier.copy(step.notes);
    copier.copy(step.why);
    if (Say* say = std::get_if<Say>(&step.content)) {
        copier.copy(say->text);
        return;
    }
    Ask& ask = std::get<Ask>(step.content);
    copier.copy(ask.text);
    for (std::string& option : ask.options) {
        copier.copy(option);
    }
    for (SketchCurve& curve : ask.curves) {
        copier.copy(curve.label);
    }
}

/// The steps' views before an edit, to restore them after it.
class KeptViews
{
public:
    explicit KeptViews(const Lesson& lesson)
        : m_views(shownViews(lesson))
    {}

    /// Lets the step show the view that step `was` had before the edit, if a lesson can express it.
    void keep(Lesson& lesson, int step, int was) const
    {
        if (m_views.problem || step >= static_cast<int>(lesson.steps.size())) {
            return;
        }
        const ShownViews now = shownViews(lesson);
        if (static_cast<int>(now.steps.size()) < step) {
            return;
        }
        const LessonView& before =
            step == 0 ? now.start : now.steps[static_cast<std::size_t>(step) - 1].before;
        RecordedChange change =
            recordedChange(before, m_views.steps[static_cast<std::size_t>(was)].before);
        if (change.notRecorded.empty()) {
            stepOf(lesson, step).show = std::move(change.shown);
        }
    }

private:
    ShownViews m_views;
};

void addTextKeys(Lesson& lesson, Ask& ask)
{
    ask.text = freshKey(lesson, "question");
    if (ask.kind == QuestionKind::choice || ask.kind == QuestionKind::order) {
        ask.options = {freshKey(lesson, "option")};
        ask.options.push_back(freshKey(lesson, "option", ask.options));
    }
    if (ask.kind == QuestionKind::sketch) {
        ask.curves = {{freshKey(lesson, "curve"), ""}};
        ask.axis = {"seq", 128, 8192};
    }
    if (ask.kind == QuestionKind::number) {
        ask.from = 1e6;
        ask.to = 1e12;
    }
}

} // namespace

Lesson newLesson(const std::string& id)
{
    Lesson lesson{.id = id,
                  .minutes = 5,
                  .texts = {{"en", {{"title", "New lesson"}, {"summary", "What it shows."}}}},
                  .start = {.page = "share", .model = "gpt2", .lens = "matmul"}};
    insertStep(lesson, 0, std::nullopt);
    setStepText(lesson, 0, StepText::text, "en", "GPT-2 takes {total():si}FLOPs.");
    return lesson;
}

void insertStep(Lesson& lesson, int at, std::optional<QuestionKind> kind)
{
    if (lesson.steps.size() >= kMaxLessonSteps) {
        return;
    }
    LessonStep step{.content = Say{freshKey(lesson, "say")}};
    if (kind) {
        Ask ask{.kind = *kind, .text = {}};
        addTextKeys(lesson, ask);
        step.content = std::move(ask);
    }
    lesson.steps.insert(lesson.steps.begin() + at, std::move(step));
}

void duplicateStep(Lesson& lesson, int step)
{
    if (lesson.steps.size() >= kMaxLessonSteps) {
        return;
    }
    LessonStep copy = stepOf(lesson, step);
    copyTexts(lesson, copy);
    copy.show = {};
    lesson.steps.insert(lesson.steps.begin() + step + 1, std::move(copy));
}

void removeStep(Lesson& lesson, int step)
{
    const KeptViews kept(lesson);
    const std::vector<std::string> keys = textKeys(stepOf(lesson, step));
    lesson.steps.erase(lesson.steps.begin() + step);
    dropUnusedTexts(lesson, keys);
    kept.keep(lesson, step, step + 1);
}

void moveStep(Lesson& lesson, int from, int to)
{
    if (from == to) {
        return;
    }
    const KeptViews kept(lesson);
    const auto first = lesson.steps.begin();
    if (from < to) {
        std::rotate(first + from, first + from + 1, first + to + 1);
    } else {
        std::rotate(first + to, first + from, first + from + 1);
    }
    // Only these three have another step before them than they had.
    if (from < to) {
        kept.keep(lesson, from, from + 1);
        kept.keep(lesson, to, from);
        kept.keep(lesson, to + 1, to + 1);
    } else {
        kept.keep(lesson, to, from);
        kept.keep(lesson, to + 1, to);
        kept.keep(lesson, from + 1, from + 1);
    }
}

void setText(Lesson& lesson,
             const std::string& language,
             const std::string& key,
             std::string_view text)
{
    std::string kept = printableLines(text);
    while (kept.size() > kMaxLessonText) {
        std::size_t end = kMaxLessonText;
        while (end > 0 && (static_cast<unsigned char>(kept[end]) & 0xC0U) == 0x80U) {
            --end; // not within a character
        }
        kept.resize(end);
    }
    if (kept.empty()) {
        lesson.texts[language].erase(key);
    } else {
        lesson.texts[language][key] = std::move(kept);
    }
}

const std::string& textKey(const LessonStep& step, StepText which)
{
    switch (which) {
    case StepText::notes: return step.notes;
    case StepText::why: return step.why;
    case StepText::text: break;
    }
    return step.say() != nullptr ? step.say()->text : step.ask()->text;
}

void setStepText(Lesson& lesson,
                 int step,
                 StepText which,
                 const std::string& language,
                 std::string_view text)
{
    const std::string key = textKey(stepOf(lesson, step), which);
    if (which == StepText::text || !key.empty()) {
        setText(lesson, language, key, text);
    }
    if (which == StepText::text) {
        return;
    }
    std::string& own =
        which == StepText::notes ? stepOf(lesson, step).notes : stepOf(lesson, step).why;
    if (key.empty() && !text.empty()) {
        own = freshKey(lesson, which == StepText::notes ? "notes" : "why");
        setText(lesson, language, own, text);
    } else if (!key.empty() && !hasText(lesson, key)) {
        own.clear();
    }
}

void addOption(Lesson& lesson, int step)
{
    Ask& ask = askOf(lesson, step);
    const std::size_t maxOptions =
        ask.kind == QuestionKind::choice ? kMaxLessonChoices : kMaxLessonOrdered;
    if (ask.options.size() < maxOptions) {
        ask.options.push_back(freshKey(lesson, "option"));
    }
}

void removeOption(Lesson& lesson, int step, int option)
{
    std::vector<std::string>& options = askOf(lesson, step).options;
    const std::string key = options.at(static_cast<std::size_t>(option));
    options.erase(options.begin() + option);
    dropUnusedTexts(lesson, {key});
}

void addCurve(Lesson& lesson, int step)
{
    Ask& ask = askOf(lesson, step);
    if (ask.curves.size() < kMaxLessonCurves) {
        ask.curves.push_back({freshKey(lesson, "curve"), ""});
    }
}

void removeCurve(Lesson& lesson, int step, int curve)
{
    std::vector<SketchCurve>& curves = askOf(lesson, step).curves;
    const std::string key = curves.at(static_cast<std::size_t>(curve)).label;
    curves.erase(curves.begin() + curve);
    dropUnusedTexts(lesson, {key});
}

Status addLanguage(Lesson& lesson, const std::string& language)
{
    if (!isLessonLanguage(language)) {
        return Error{"\"" + excerpt(language)
                     + "\" is no name of a language, such as \"en\" or \"de\""};
    }
    if (lesson.texts.contains(language)) {
        return Error{"the lesson has texts in \"" + language + "\" already"};
    }
    if (lesson.texts.size() >= kMaxLessonLanguages) {
        return Error{"a lesson has at most " + std::to_string(kMaxLessonLanguages) + " languages"};
    }
    lesson.texts[language];
    return Done{};
}

void removeLanguage(Lesson& lesson, const std::string& language)
{
    if (lesson.texts.size() > 1) {
        lesson.texts.erase(language);
    }
}

Result<std::string> answerText(const Lesson& lesson, const ShownViews& views, int step)
{
    const Ask* ask = lesson.steps.at(static_cast<std::size_t>(step)).ask();
    if (ask == nullptr) {
        return Error{"this step asks nothing"};
    }
    if (static_cast<int>(views.steps.size()) <= step) {
        return *views.problem;
    }
    LessonView view = views.steps[static_cast<std::size_t>(step)].before;
    if (ask->kind == QuestionKind::build) {
        const Result<LessonView> example = viewAfter(view, ask->example);
        if (!example) {
            return Error{"example: " + example.error().message};
        }
        view = *example;
    }
    const Result<Value> value = evaluate(ask->answer.expression, view.context);
    return value ? Result<std::string>(goldenText(*value)) : value.error();
}

Status takeGoldens(Lesson& lesson, int step)
{
    LessonStep changed = stepOf(lesson, step);
    const ShownViews shown = shownViews(lesson);
    if (static_cast<int>(shown.steps.size()) <= step) {
        return *shown.problem;
    }
    const LessonContext& context = shown.steps[static_cast<std::size_t>(step)].before.context;
    for (LessonAnswer& golden : changed.goldens) {
        FLOPSMITH_TRY(const Value value, evaluate(golden.expression, context));
        golden.golden = goldenText(value);
    }
    if (Ask* ask = std::get_if<Ask>(&changed.content)) {
        FLOPSMITH_TRY(const std::string text, answerText(lesson, shown, step));
        ask->answer.golden = text;
    }
    stepOf(lesson, step) = std::move(changed);
    return Done{};
}

} // namespace flopsmith
