// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/teach/format/lesson.h"
#include "core/teach/play/lesson_view.h"
#include "core/teach/play/step_texts.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace flopsmith {

/// An option of a choice, counted from 1.
struct ChosenOption
{
    int option = 1;

    bool operator==(const ChosenOption&) const = default;
};

/// One drawn line per curve of the question, points from left to right.
struct DrawnCurves
{
    std::vector<std::vector<CurvePoint>> curves;

    bool operator==(const DrawnCurves&) const = default;
};

/// A prediction, by the kind of the question: choice, number, order, sketch, build.
using Prediction = std::variant<ChosenOption, double, OptionOrder, DrawnCurves, Scenario>;

/// How good a prediction was.
struct PredictionScore
{
    bool isRight = false;
    double points = 0.0; ///< 0 … 1
    /// The distance: |log2| of prediction over answer (number), share of wrong pairs (order), mean
    /// |log10| between the curves (sketch), otherwise 0 or 1.
    double distance = 0.0;

    bool operator==(const PredictionScore&) const = default;
};

/// A drawn curve is right up to this mean distance: a factor of 2.
inline constexpr double kRightSketchDistance = 0.301'029'995'663'981'2;

/// Votes per option of the first or the second vote.
using Tally = std::vector<int>;
inline constexpr int kMaxVotes = 100'000;

/// Plays a lesson: the current step, the predictions, what may be revealed, and the current view.
/// Knows no widgets. A failed call changes nothing.
class LessonPlay
{
public:
    /// The Error names the step whose view is impossible: see viewsOf().
    static Result<LessonPlay> started(Lesson lesson, std::string_view language);

    const Lesson& lesson() const { return m_lesson; }

    /// Of all steps.
    const ShownViews& views() const { return m_views; }
    const std::string& language() const { return m_language; }

    /// Takes another language of the lesson, or the nearest to it.
    void setLanguage(std::string_view language);

    /// Counted from 0.
    int step() const { return m_step; }
    int steps() const { return static_cast<int>(m_lesson.steps.size()); }
    const LessonStep& current() const;
    const LessonStep& stepAt(int step) const;
    bool isAtEnd() const { return m_step + 1 == steps(); }

    /// Goes to the next step, also from a question that is not revealed, which stays open. False at
    /// the end.
    bool next();
    bool back();
    bool goTo(int step);

    /// Discards all predictions and votes, and goes to the first step.
    void restart();

    /// The current view; the revealed view of a question stays until the step is left.
    const LessonView& view() const;

    /// Whether the design's costs are hidden, on the stack and above the page: a question is open,
    /// or the next step asks about the present design before any question about it was answered. A
    /// build question shows the costs.
    bool hidesCosts() const;

    /// The current step's texts with their values: of say or ask, notes, why, an option or label.
    /// Each is computed once in a language.
    Result<std::string> text(const std::string& key) const { return text(key, m_step); }

    /// The same of another step, whose design may be another one.
    Result<std::string> text(const std::string& key, int step) const;

    /// How many texts were computed so far, for tests.
    int computedTexts() const;

    /// Stores a prediction for the current question. An Error after the reveal, for a step without
    /// a question, and if it does not fit the question.
    Status predict(Prediction prediction);

    /// Forgets the prediction of the current question. An Error after the reveal.
    Status withdraw();
    const std::optional<Prediction>& prediction() const;

    /// Vote 0 or 1 of the current question, a number per option of a choice.
    Status setTally(int vote, Tally tally);
    const Tally& tally(int vote) const;

    /// Whether the current step is a question with a prediction or a vote that is not revealed.
    bool canReveal() const;

    /// Who reveals: a person after a prediction, or a lecturer, who does not need one.
    enum class By { person, lecturer };
    Status reveal(By who = By::person);
    bool isRevealed() const;

    /// Whether the current step is revealed and has an explanation.
    bool hasWhy() const;

    /// The answer; an Error before the reveal.
    Result<Value> answer() const;

    /// The true curves of a sketch; an Error before the reveal.
    Result<std::vector<std::vector<CurvePoint>>> curves() const;

    /// For the current question's prediction; empty before the reveal or without a prediction.
    std::optional<PredictionScore> score() const;

    /// Questions that were revealed with a prediction, and the points of all of them.
    struct Total
    {
        int answered = 0;
        int right = 0;
        double points = 0.0;
    };
    Total total() const;

private:
    struct StepState
    {
        std::optional<Prediction> prediction{};
        std::array<Tally, 2> tallies{};
        bool revealed = false;
        std::optional<PredictionScore> score{};
        mutable StepTexts texts{}; ///< known as far as they were asked for
    };

    LessonPlay(Lesson lesson, std::string language);
    const StepState& state() const;
    StepState& state();
    Result<std::string> computedText(const std::string& key, int step) const;
    /// The view of a step before its answer.
    const LessonView& asked(int step) const;
    const LessonView& asked() const { return asked(m_step); }
    bool hasRevealedAbout(const LessonContext& context) const;
    const Ask* question() const { return current().ask(); }

    Lesson m_lesson;
    std::string m_language;
    int m_step = 0;
    std::vector<StepState> m_states;
    ShownViews m_views;
};

/// Points of one drawn line at most.
inline constexpr std::size_t kMaxDrawnPoints = 10'000;

/// Whether a prediction is of the question's kind, names its options and is legal.
Status checkPrediction(const Ask& ask, const Prediction& prediction);

/// The curves of a sketch under the view of its step.
Result<std::vector<std::vector<CurvePoint>>> trueCurves(const Ask& ask,
                                                        const LessonContext& context);

/// The score of a prediction for a question under the view of its step.
Result<PredictionScore> scoreOf(const Ask& ask,
                                const Prediction& prediction,
                                const LessonContext& context);

} // namespace flopsmith
