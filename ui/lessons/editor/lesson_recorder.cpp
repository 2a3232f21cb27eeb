// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/editor/lesson_recorder.h"

#include "core/teach/author/lesson_recording.h"
#include "ui/lessons/editor/lesson_draft.h"
#include "ui/lessons/editor/recording_stage.h"

#include <QScopedValueRollback>
#include <QStringList>

#include <utility>

namespace flopsmith::ui {
namespace {

// Of an example only the design matters.
LessonView designIn(LessonView view, const LessonView& shown)
{
    view.context.scenario = shown.context.scenario;
    return view;
}

Shown& partOf(LessonStep& step, LessonRecorder::Target target)
{
    switch (target) {
    case LessonRecorder::Target::reveal: return step.reveal;
    case LessonRecorder::Target::example: return std::get<Ask>(step.content).example;
    case LessonRecorder::Target::show: break;
    }
    return step.show;
}

} // namespace

LessonRecorder::LessonRecorder(LessonDraft& draft, RecordingStage& stage, QObject* parent)
    : QObject(parent)
    , m_draft(draft)
    , m_stage(stage)
{
    connect(&stage, &RecordingStage::viewChanged, this, &LessonRecorder::take);
    connect(&stage, &RecordingStage::ended, this, [this] {
        m_on = false;
        setNotRecorded({});
        Q_EMIT onChanged(false);
    });
    connect(&draft, &LessonDraft::lessonChanged, this, &LessonRecorder::follow);
    connect(&draft, &LessonDraft::stepChanged, this, &LessonRecorder::follow);
}

void LessonRecorder::setOn(bool on)
{
    if (on == m_on) {
        return;
    }
    m_on = on;
    m_shown.reset();
    setNotRecorded({});
    if (on) {
        m_stage.begin();
        follow();
    } else {
        m_stage.end();
    }
    Q_EMIT onChanged(on);
}

bool LessonRecorder::canRecord(Target target) const
{
    const LessonStep* step = m_draft.currentStep();
    const Ask* ask = step == nullptr ? nullptr : step->ask();
    switch (target) {
    case Target::show: return true;
    case Target::reveal: return ask != nullptr;
    case Target::example: return ask != nullptr && ask->kind == QuestionKind::build;
    }
    return false;
}

LessonRecorder::Target LessonRecorder::target() const
{
    return canRecord(m_target) ? m_target : Target::show;
}

void LessonRecorder::setTarget(Target target)
{
    m_target = target;
    follow();
}

// The view on which a recorded change is based.
LessonView LessonRecorder::baseOf(const ShownViews& views, int step, Target target)
{
    const auto index = static_cast<std::size_t>(step);
    if (target != Target::show) {
        return views.steps[index].before;
    }
    return step == 0 ? views.start : views.steps[index - 1].before;
}

void LessonRecorder::follow()
{
    if (!m_on || m_taking || m_draft.step() < 0) {
        return;
    }
    const ShownViews views = shownViews(m_draft.lesson());
    const int step = m_draft.step();
    const Target recorded = target();
    if (static_cast<int>(views.steps.size()) <= step) {
        setNotRecorded(tr("Step %1 cannot be shown: %2.")
                           .arg(views.problemStep())
                           .arg(QString::fromStdString(views.problem->message)));
        if (recorded == Target::show && static_cast<int>(views.steps.size()) == step) {
            show(baseOf(views, step, recorded)); // so that it can be recorded again
        }
        return;
    }
    const StepViews& shown = views.steps[static_cast<std::size_t>(step)];
    LessonView view = recorded == Target::reveal ? shown.after : shown.before;
    setNotRecorded({});
    if (recorded == Target::example) {
        const Result<LessonView> example =
            viewAfter(shown.before, m_draft.currentStep()->ask()->example);
        if (example) {
            view = *example;
        } else {
            setNotRecorded(tr("The example cannot be shown: %1")
                               .arg(QString::fromStdString(example.error().message)));
        }
    }
    show(view);
}

// Typing a text does not change the view.
void LessonRecorder::show(const LessonView& view)
{
    if (m_shown != view) {
        m_shown = view;
        m_stage.show(view);
    }
}

void LessonRecorder::take()
{
    const int step = m_draft.step();
    if (!m_on || step < 0) {
        return;
    }
    const ShownViews views = shownViews(m_draft.lesson());
    const Target recorded = target();
    const int needed = recorded == Target::show ? step : step + 1;
    if (static_cast<int>(views.steps.size()) < needed || !views.startIsShown) {
        return; // notRecorded() says why
    }
    const LessonView base = baseOf(views, step, recorded);
    const LessonView done =
        recorded == Target::example ? designIn(base, m_stage.view()) : m_stage.view();
    RecordedChange change = recordedChange(base, done);
    QStringList notRecorded;
    for (const std::string& sentence : change.notRecorded) {
        notRecorded << QString::fromStdString(sentence);
    }
    setNotRecorded(notRecorded.isEmpty()
                       ? QString()
                       : tr("Not recorded: %1.").arg(notRecorded.join(QStringLiteral("; "))));
    if (recorded == Target::example) {
        change.shown.select.reset();
    }
    if (const Result<LessonView> played = viewAfter(base, change.shown)) {
        m_shown = *played;
    }
    const QScopedValueRollback<bool> taking(m_taking, true);
    m_draft.apply(
        tr("Record step %1").arg(step + 1),
        [&](Lesson& lesson) {
            partOf(lesson.steps[static_cast<std::size_t>(step)], recorded) = change.shown;
        },
        QStringLiteral("record"));
}

void LessonRecorder::setNotRecorded(const QString& sentence)
{
    if (std::exchange(m_notRecorded, sentence) != sentence) {
        Q_EMIT notRecordedChanged();
    }
}

} // namespace flopsmith::ui

#include "moc_lesson_recorder.cpp"
