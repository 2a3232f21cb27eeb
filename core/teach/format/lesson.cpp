// SPDX-License-Identifier: MIT
#include "core/teach/format/lesson.h"

#include "core/base/printable.h"

#include <algorithm>

namespace flopsmith {

bool isLessonLanguage(std::string_view language)
{
    constexpr std::size_t kMaxName = 16;
    return !language.empty() && language.size() <= kMaxName && language != "comment"
        && isPrintable(language);
}

bool isLessonId(std::string_view id)
{
    return !id.empty()
        && id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string_view::npos;
}

template <>
std::vector<std::string_view> enumNames<QuestionKind>()
{
    return {"choice", "number", "order", "sketch", "build"};
}

std::vector<std::string> textKeys(const LessonStep& step)
{
    std::vector<std::string> keys{step.notes, step.why};
    if (const Say* say = step.say()) {
        keys.push_back(say->text);
    }
    if (const Ask* ask = step.ask()) {
        keys.push_back(ask->text);
        keys.insert(keys.end(), ask->options.begin(), ask->options.end());
        for (const SketchCurve& curve : ask->curves) {
            keys.push_back(curve.label);
        }
    }
    std::erase(keys, std::string());
    return keys;
}

std::string nearestLanguage(const std::map<std::string, LessonTexts>& texts,
                            std::string_view wanted)
{
    const std::string_view alone = wanted.substr(0, wanted.find_first_of("_-"));
    for (const std::string_view language : {wanted, alone, std::string_view("en")}) {
        if (const auto found = texts.find(std::string(language)); found != texts.end()) {
            return found->first;
        }
    }
    return texts.empty() ? std::string() : texts.begin()->first;
}

const std::string& textIn(const std::map<std::string, LessonTexts>& texts,
                          const std::string& language,
                          const std::string& key)
{
    static const std::string kNone;
    const auto spoken = texts.find(language);
    if (spoken == texts.end()) {
        return kNone;
    }
    const auto found = spoken->second.find(key);
    return found == spoken->second.end() ? kNone : found->second;
}

std::string Lesson::languageFor(std::string_view wanted) const
{
    return nearestLanguage(texts, wanted);
}

const std::string& Lesson::text(const std::string& language, const std::string& key) const
{
    return textIn(texts, language, key);
}

const std::vector<LessonPage>& lessonPages()
{
    using Kind = LessonPageKind;
    static const std::vector<LessonPage> kPages{
        {Kind::stack, "stack", "Stack of blocks"},
        {Kind::inside, "inside", "Inside of a block"},
        {Kind::share, "share", "Share"},
        {Kind::scaling, "scaling", "Scaling"},
        {Kind::runTime, "run_time", "Run time"},
        {Kind::memory, "memory", "Memory"},
        {Kind::roofline, "roofline", "Roofline"},
        {Kind::mislead, "mislead", "Where FLOPs mislead"},
        {Kind::waterfall, "waterfall", "Waterfall"},
        {Kind::designSpace, "design_space", "Design space"},
        {Kind::compare, "compare", "Compare"},
        {Kind::formulas, "formulas", "Formulas"},
        {Kind::tables, "tables", "Table"},
        {Kind::folklore, "folklore", "Folklore"},
        {Kind::claims, "claims", "Claims"},
    };
    return kPages;
}

std::optional<LessonPageKind> lessonPageNamed(std::string_view id)
{
    const auto& pages = lessonPages();
    const auto found = std::find_if(
        pages.begin(), pages.end(), [id](const LessonPage& page) { return page.id == id; });
    return found == pages.end() ? std::nullopt : std::optional(found->kind);
}

bool isLessonPage(std::string_view id)
{
    return lessonPageNamed(id).has_value();
}

} // namespace flopsmith
