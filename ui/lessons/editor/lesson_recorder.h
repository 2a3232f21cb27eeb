// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teach/play/lesson_view.h"

#include <QObject>
#include <QString>

#include <optional>

namespace flopsmith::ui {

class LessonDraft;
class RecordingStage;

/// Records actions on a stage as the view, the revealed view or the example of the draft's current
/// step. While it is on, the stage shows that step.
class LessonRecorder : public QObject
{
    Q_OBJECT

public:
    enum class Target {
        show, ///< the step's view
        reveal, ///< the view of its question after the answer
        example, ///< the design that meets the predicate of a build question
    };

    LessonRecorder(LessonDraft& draft, RecordingStage& stage, QObject* parent = nullptr);

    bool isOn() const { return m_on; }
    void setOn(bool on);

    /// The recorded target; a step without such a part records its view.
    Target target() const;
    void setTarget(Target target);

    /// Actions that cannot be recorded, or why the step cannot be shown; empty: none.
    const QString& notRecorded() const { return m_notRecorded; }

Q_SIGNALS:
    void onChanged(bool on);
    void notRecordedChanged();

private:
    bool canRecord(Target target) const;
    void follow();
    void show(const LessonView& view);
    void take();
    void setNotRecorded(const QString& sentence);
    static LessonView baseOf(const ShownViews& views, int step, Target target);

    LessonDraft& m_draft;
    RecordingStage& m_stage;
    Target m_target = Target::show;
    bool m_on = false;
    bool m_taking = false; ///< the draft changes because of the stage
    std::optional<LessonView> m_shown; ///< as the lesson has it, without what could not be recorded
    QString m_notRecorded;
};

} // namespace flopsmith::ui
