// SPDX-License-Identifier: MIT
#include "core/exercise/exercise_play.h"

#include "core/base/printable.h"
#include "core/exercise/rounded_number.h"
#include "core/teach/play/lesson_text.h"

#include <algorithm>

namespace flopsmith {
namespace {

// At most `maxBytes` bytes, cut between characters.
std::string shortened(std::string text, std::size_t maxBytes)
{
    if (text.size() > maxBytes) {
        const auto isInside = [&text](std::size_t at) {
            return (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
        };
        while (maxBytes > 0 && isInside(maxBytes)) {
            --maxBytes;
        }
        text.resize(maxBytes);
    }
    return text;
}

bool isBlank(std::string_view text)
{
    return text.find_first_not_of(" \t") == std::string_view::npos;
}

} // namespace

ExercisePlay::ExercisePlay(ExerciseMarker marker, std::string_view language)
    : m_marker(std::move(marker))
    , m_language(m_marker.exercise().languageFor(language))
    , m_design(m_marker.start().scenario)
    , m_marks(m_marker.marks(m_design, m_numbers))
{
    forgetTries();
}

void ExercisePlay::forgetTries()
{
    m_tries.clear();
    m_wereRight.clear();
    for (const CheckMark& mark : m_marks) {
        m_wereRight.push_back(mark.isRight());
    }
}

void ExercisePlay::setLanguage(std::string_view language)
{
    m_language = exercise().languageFor(language);
}

std::string ExercisePlay::text(const std::string& key) const
{
    if (key.empty()) {
        return {};
    }
    const auto whole = textWithValues(exercise().text(m_language, key),
                                      m_marker.contextOf(m_marker.start().scenario),
                                      nullptr,
                                      m_language);
    return whole ? *whole : whole.error().message;
}

void ExercisePlay::setDesign(const Scenario& design)
{
    m_design = design;
    m_marks = m_marker.marks(m_design, m_numbers);
}

void ExercisePlay::countTry()
{
    for (std::size_t i = 0; i < m_marks.size(); ++i) {
        const ExerciseCheck& check = exercise().checks[i];
        if (!check.number && !m_wereRight[i]) {
            addTry(check.id);
        }
        m_wereRight[i] = m_marks[i].isRight();
    }
}

void ExercisePlay::addTry(const std::string& check)
{
    int& tries = m_tries[check];
    tries = std::min(tries + 1, kMaxTries);
}

Status ExercisePlay::enterNumber(const std::string& check, std::string_view typed)
{
    if (isBlank(typed)) {
        m_numbers.erase(check);
        setDesign(m_design);
        return Done{};
    }
    FLOPSMITH_TRY(const double number, typedNumber(typed));
    const auto before = m_numbers.find(check);
    if (before == m_numbers.end() || before->second != number) {
        m_numbers[check] = number;
        addTry(check);
    }
    setDesign(m_design);
    return Done{};
}

int ExercisePlay::tries(const std::string& check) const
{
    const auto found = m_tries.find(check);
    return found == m_tries.end() ? 0 : found->second;
}

bool ExercisePlay::isWrongAfterTry(std::size_t check) const
{
    return m_marks[check].state == CheckMark::State::wrong
        && tries(exercise().checks[check].id) > 0;
}

bool ExercisePlay::showsHint(std::size_t check) const
{
    const ExerciseCheck& asked = exercise().checks[check];
    return !asked.hint.empty() && !m_marks[check].isRight() && tries(asked.id) >= asked.hintAfter;
}

bool ExercisePlay::showsWrong(std::size_t check) const
{
    return !exercise().checks[check].wrong.empty() && isWrongAfterTry(check);
}

ExerciseAnswer ExercisePlay::answer(const Project& design,
                                    std::string_view student,
                                    std::string_view words) const
{
    constexpr std::size_t kMaxStudent = 200;
    return {.exercise = exercise().id,
            .digest = m_marker.digest(),
            .student = shortened(printable(student), kMaxStudent),
            .design = design,
            .numbers = m_numbers,
            .tries = m_tries,
            .words = shortened(printableLines(words), kMaxAnswerWords)};
}

Status ExercisePlay::resume(const ExerciseAnswer& answer)
{
    FLOPSMITH_RETURN_IF_ERROR(isAnswerTo(m_marker, answer));
    m_numbers = answer.numbers;
    setDesign(answer.design.scenario);
    forgetTries();
    m_tries = answer.tries;
    return Done{};
}

void ExercisePlay::restart()
{
    m_numbers.clear();
    setDesign(m_marker.start().scenario);
    forgetTries();
}

} // namespace flopsmith
