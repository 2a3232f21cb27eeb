// SPDX-License-Identifier: MIT
#include "core/teach/play/lesson_printing.h"

#include "core/base/text.h"
#include "core/teach/play/lesson_play.h"
#include "core/teach/play/localized_number.h"

namespace flopsmith {
namespace {

/// Appends lines to a text until a text of the lesson cannot be computed.
class LessonPrinter
{
public:
    explicit LessonPrinter(LessonPlay play)
        : m_play(std::move(play))
    {}

    Result<std::string> printed()
    {
        line("", "title");
        line("", "summary");
        do {
            printStep();
        } while (m_problem.empty() && m_play.next());
        return m_problem.empty() ? Result<std::string>(m_text) : Error{m_problem};
    }

private:
    void fail(const std::string& sentence)
    {
        if (m_problem.empty()) {
            m_problem = "step " + std::to_string(m_play.step() + 1) + ": " + sentence;
        }
    }

    void line(const std::string& mark, const std::string& key)
    {
        if (key.empty()) {
            return;
        }
        const Result<std::string> text = m_play.text(key);
        if (!text) {
            fail("text \"" + key + "\": " + text.error().message);
            return;
        }
        m_text += mark + *text + "\n";
    }

    std::string spoken(double number) const
    {
        return localizedNumber(numberText(number), m_play.language());
    }

    void printView()
    {
        const LessonView& view = m_play.view();
        m_text += "  [" + view.page + "] " + view.context.scenario.model.name + ", "
            + view.context.scenario.tokensText() + ", lens "
            + std::string(lens(view.context.lens).name)
            + (view.select.empty() ? "" : ", selected " + view.select)
            + (view.frozen.empty() ? "" : ", ghosts " + std::to_string(view.frozen.size())) + "\n";
    }

    void printStep()
    {
        m_text += "\n" + std::to_string(m_play.step() + 1) + ".\n";
        printView();
        if (const Say* say = m_play.current().say()) {
            line("  ", say->text);
            line("  lecturer: ", m_play.current().notes);
            printLab();
            return;
        }
        const Ask& ask = *m_play.current().ask();
        m_text += "  (" + std::string(enumName(ask.kind)) + ")\n";
        line("  ", ask.text);
        printChoices(ask);
        line("  lecturer: ", m_play.current().notes);
        printAnswer(ask);
    }

    void printChoices(const Ask& ask)
    {
        int number = 0;
        for (const std::string& option : ask.options) {
            line("    " + std::to_string(++number) + " ", option);
        }
        for (const SketchCurve& curve : ask.curves) {
            line("    curve: ", curve.label);
        }
        if (ask.kind == QuestionKind::number) {
            m_text += "    " + spoken(ask.from) + " \xE2\x80\xA6 " + spoken(ask.to)
                + (ask.unit.empty() ? "" : " " + ask.unit) + ", right within a factor "
                + spoken(ask.factor) + "\n";
        }
    }

    void printAnswer(const Ask& ask)
    {
        if (const Status revealed = m_play.reveal(LessonPlay::By::lecturer); !revealed) {
            fail(revealed.error().message);
            return;
        }
        const Result<Value> answer = m_play.answer();
        if (!answer) {
            fail(ask.answer.expression + ": " + answer.error().message);
            return;
        }
        m_text += "  answer: " + goldenText(*answer) + "\n";
        printView();
        line("  why: ", m_play.current().why);
        printLab();
    }

    void printLab()
    {
        const std::optional<LessonLab>& lab = m_play.current().lab;
        if (!lab) {
            return;
        }
        std::string arms;
        for (const std::string& arm : lab->arms) {
            arms += (arms.empty() ? "" : ",") + arm;
        }
        m_text += "  lab: flopsmith lab run --task " + lab->task + " --arms " + arms + "\n";
    }

    LessonPlay m_play;
    std::string m_text;
    std::string m_problem;
};

} // namespace

Result<std::string> printedLesson(const Lesson& lesson, std::string_view language)
{
    Result<LessonPlay> play = LessonPlay::started(lesson, language);
    return play ? LessonPrinter(std::move(*play)).printed() : Result<std::string>(play.error());
}

} // namespace flopsmith
