// SPDX-License-Identifier: MIT
#include "core/teach/play/lesson_play.h"

#include "core/teach/play/lesson_text.h"

#include <algorithm>

namespace flopsmith {
namespace {

Error noQuestion()
{
    return {"this step asks nothing"};
}

Error notRevealed()
{
    return {"the answer is not revealed yet"};
}

} // namespace

LessonPlay::LessonPlay(Lesson lesson, std::string language)
    : m_lesson(std::move(lesson))
    , m_language(std::move(language))
    , m_states(m_lesson.steps.size())
{}

Result<LessonPlay> LessonPlay::started(Lesson lesson, std::string_view language)
{
    if (lesson.steps.empty()) {
        return Error{"the lesson has no steps"};
    }
    std::string spoken = lesson.languageFor(language);
    LessonPlay play(std::move(lesson), std::move(spoken));
    play.m_views = shownViews(play.m_lesson);
    if (play.m_views.problem) {
        return play.m_views.placedProblem();
    }
    return play;
}

void LessonPlay::setLanguage(std::string_view language)
{
    std::string spoken = m_lesson.languageFor(language);
    if (spoken == m_language) {
        return;
    }
    m_language = std::move(spoken);
    for (StepState& each : m_states) {
        each.texts.clear();
    }
}

const LessonStep& LessonPlay::current() const
{
    return stepAt(m_step);
}

const LessonStep& LessonPlay::stepAt(int step) const
{
    return m_lesson.steps.at(static_cast<std::size_t>(step));
}

const LessonPlay::StepState& LessonPlay::state() const
{
    return m_states[static_cast<std::size_t>(m_step)];
}

LessonPlay::StepState& LessonPlay::state()
{
    return m_states[static_cast<std::size_t>(m_step)];
}

bool LessonPlay::next()
{
    return goTo(m_step + 1);
}

bool LessonPlay::back()
{
    return goTo(m_step - 1);
}

bool LessonPlay::goTo(int step)
{
    if (step < 0 || step >= steps()) {
        return false;
    }
    m_step = step;
    return true;
}

void LessonPlay::restart()
{
    m_step = 0;
    m_states.assign(m_lesson.steps.size(), StepState{});
}

const LessonView& LessonPlay::view() const
{
    const StepViews& views = m_views.steps[static_cast<std::size_t>(m_step)];
    return isRevealed() ? views.after : views.before;
}

const LessonView& LessonPlay::asked(int step) const
{
    return m_views.steps[static_cast<std::size_t>(step)].before;
}

bool LessonPlay::hidesCosts() const
{
    if (const Ask* ask = question()) {
        return !isRevealed() && ask->kind != QuestionKind::build;
    }
    const auto isQuestion = [](const LessonStep& step) { return step.ask() != nullptr; };
    const auto next =
        std::find_if(m_lesson.steps.begin() + m_step, m_lesson.steps.end(), isQuestion);
    if (next == m_lesson.steps.end() || next->ask()->kind == QuestionKind::build) {
        return false;
    }
    const auto place = static_cast<std::size_t>(next - m_lesson.steps.begin());
    const LessonContext& shown = asked().context;
    return !m_states[place].revealed && m_views.steps[place].before.context == shown
        && !hasRevealedAbout(shown);
}

bool LessonPlay::hasRevealedAbout(const LessonContext& context) const
{
    for (std::size_t i = 0; i < m_states.size(); ++i) {
        if (m_states[i].revealed && m_views.steps[i].before.context == context) {
            return true;
        }
    }
    return false;
}

Result<std::string> LessonPlay::text(const std::string& key, int step) const
{
    const StepState& state = m_states.at(static_cast<std::size_t>(step));
    return state.texts.text(key, [this, &key, step] { return computedText(key, step); });
}

Result<std::string> LessonPlay::computedText(const std::string& key, int step) const
{
    const std::string& text = m_lesson.text(m_language, key);
    if (text.empty()) {
        return Error{"there is no text \"" + key + "\" in the language " + m_language};
    }
    return textWithValues(text, asked(step).context, nullptr, m_language);
}

int LessonPlay::computedTexts() const
{
    int computed = 0;
    for (const StepState& each : m_states) {
        computed += each.texts.computed();
    }
    return computed;
}

Status LessonPlay::predict(Prediction prediction)
{
    if (question() == nullptr) {
        return noQuestion();
    }
    if (isRevealed()) {
        return Error{"the answer is revealed; a prediction comes before"};
    }
    FLOPSMITH_RETURN_IF_ERROR(checkPrediction(*question(), prediction));
    state().prediction = std::move(prediction);
    return Done{};
}

Status LessonPlay::withdraw()
{
    if (isRevealed()) {
        return Error{"the answer is revealed; a prediction comes before"};
    }
    state().prediction.reset();
    return Done{};
}

const std::optional<Prediction>& LessonPlay::prediction() const
{
    return state().prediction;
}

Status LessonPlay::setTally(int vote, Tally tally)
{
    if (question() == nullptr || question()->kind != QuestionKind::choice) {
        return Error{"only a choice is voted on"};
    }
    if (vote < 0 || vote > 1) {
        return Error{"there are two votes"};
    }
    const auto isPossible = [](int votes) { return votes >= 0 && votes <= kMaxVotes; };
    if (tally.size() != question()->options.size()
        || !std::all_of(tally.begin(), tally.end(), isPossible)) {
        return Error{"a tally has a number from 0 to " + std::to_string(kMaxVotes)
                     + " for each of the " + std::to_string(question()->options.size())
                     + " options"};
    }
    state().tallies[static_cast<std::size_t>(vote)] = std::move(tally);
    return Done{};
}

const Tally& LessonPlay::tally(int vote) const
{
    return state().tallies.at(static_cast<std::size_t>(vote));
}

bool LessonPlay::canReveal() const
{
    const auto hasVotes = [](const Tally& tally) {
        return std::any_of(tally.begin(), tally.end(), [](int votes) { return votes > 0; });
    };
    const auto& tallies = state().tallies;
    return question() != nullptr && !isRevealed()
        && (state().prediction || std::any_of(tallies.begin(), tallies.end(), hasVotes));
}

Status LessonPlay::reveal(By who)
{
    if (question() == nullptr) {
        return noQuestion();
    }
    if (isRevealed()) {
        return Done{};
    }
    if (who == By::person && !canReveal()) {
        return Error{"predict first; then the answer can be revealed"};
    }
    if (state().prediction) {
        FLOPSMITH_TRY(const PredictionScore score,
                      scoreOf(*question(), *state().prediction, asked().context));
        state().score = score;
    }
    state().revealed = true;
    return Done{};
}

bool LessonPlay::isRevealed() const
{
    return state().revealed;
}

bool LessonPlay::hasWhy() const
{
    return isRevealed() && !current().why.empty();
}

Result<Value> LessonPlay::answer() const
{
    if (question() == nullptr) {
        return noQuestion();
    }
    if (!isRevealed()) {
        return notRevealed();
    }
    if (question()->kind != QuestionKind::build) {
        return evaluate(question()->answer.expression, asked().context);
    }
    const Result<LessonView> example = viewAfter(asked(), question()->example);
    return example ? evaluate(question()->answer.expression, example->context) : example.error();
}

Result<std::vector<std::vector<CurvePoint>>> LessonPlay::curves() const
{
    if (question() == nullptr || question()->kind != QuestionKind::sketch) {
        return Error{"this step asks for no sketch"};
    }
    if (!isRevealed()) {
        return notRevealed();
    }
    return trueCurves(*question(), asked().context);
}

std::optional<PredictionScore> LessonPlay::score() const
{
    return state().score;
}

LessonPlay::Total LessonPlay::total() const
{
    Total total;
    for (const StepState& each : m_states) {
        if (each.score) {
            ++total.answered;
            total.right += each.score->isRight ? 1 : 0;
            total.points += each.score->points;
        }
    }
    return total;
}

} // namespace flopsmith
