// SPDX-License-Identifier: MIT
#include "core/teach/lesson.h"

#include <algorithm>

namespace flopsmith {

std::string_view questionKindName(QuestionKind kind)
{
    switch (kind) {
    case QuestionKind::choice: return "choice";
    case QuestionKind::number: return "number";
    case QuestionKind::order: return "order";
    case QuestionKind::sketch: return "sketch";
    case QuestionKind::build: return "build";
    }
    return "";
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
    static const std::vector<LessonPage> kPages{
        {"stack", "Stack of blocks"},
        {"inside", "Inside of a block"},
        {"share", "Share"},
        {"scaling", "Scaling"},
        {"run_time", "Run time"},
        {"memory", "Memory"},
        {"roofline", "Roofline"},
        {"mislead", "Where FLOPs mislead"},
        {"waterfall", "Waterfall"},
        {"design_space", "Design space"},
        {"compare", "Compare"},
        {"formulas", "Formulas"},
        {"tables", "Table"},
        {"folklore", "Folklore"},
        {"claims", "Claims"},
    };
    return kPages;
}

bool isLessonPage(std::string_view id)
{
    const auto& pages = lessonPages();
    return std::any_of(
        pages.begin(), pages.end(), [id](const LessonPage& page) { return page.id == id; });
}

} // namespace flopsmith
