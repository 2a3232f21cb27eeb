// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/editor/lesson_draft.h"

#include "core/base/text_file.h"
#include "core/teach/author/lesson_editing.h"
#include "core/teach/format/lesson_reading.h"

#include <QFile>
#include <QUndoCommand>

#include <algorithm>
#include <utility>

namespace flopsmith::ui {

// Swaps whole lessons, so that one command serves every kind of change.
class LessonDraft::SwapCommand : public QUndoCommand
{
public:
    SwapCommand(LessonDraft& draft, const QString& text, Lesson after, int stepAfter, QString field)
        : QUndoCommand(text)
        , m_draft(draft)
        , m_before(draft.m_lesson)
        , m_stepBefore(draft.m_step)
        , m_after(std::move(after))
        , m_stepAfter(stepAfter)
        , m_field(std::move(field))
    {}

    void undo() override { m_draft.show(m_before, m_stepBefore); }
    void redo() override { m_draft.show(m_after, m_stepAfter); }
    int id() const override { return m_field.isEmpty() ? -1 : 1; }

    bool mergeWith(const QUndoCommand* other) override
    {
        const auto* next = static_cast<const SwapCommand*>(other);
        if (next->m_field != m_field) {
            return false;
        }
        m_after = next->m_after;
        setObsolete(m_after == m_before);
        return true;
    }

private:
    LessonDraft& m_draft;
    Lesson m_before;
    int m_stepBefore;
    Lesson m_after;
    int m_stepAfter;
    QString m_field; ///< being typed in; empty: nothing is merged
};

LessonDraft::LessonDraft(QObject* parent)
    : QObject(parent)
    , m_lesson(newLesson("my-lesson"))
    , m_step(0)
{
    connect(&m_undoStack, &QUndoStack::cleanChanged, this, &LessonDraft::fileChanged);
}

LessonDraft::~LessonDraft()
{
    m_undoStack.disconnect(this);
}

const LessonStep* LessonDraft::currentStep() const
{
    return m_step < 0 ? nullptr : &m_lesson.steps[static_cast<std::size_t>(m_step)];
}

void LessonDraft::goTo(int step)
{
    const int last = static_cast<int>(m_lesson.steps.size()) - 1;
    const int there = last < 0 ? -1 : std::clamp(step, 0, last);
    if (std::exchange(m_step, there) != there) {
        Q_EMIT stepChanged();
    }
}

void LessonDraft::apply(const QString& text, const Edit& edit, const QString& field)
{
    Lesson after = m_lesson;
    edit(after);
    if (after != m_lesson) {
        const QString merged =
            field.isEmpty() ? field : QString::number(m_step) + QLatin1Char('/') + field;
        m_undoStack.push(new SwapCommand(*this, text, std::move(after), m_step, merged));
    }
}

void LessonDraft::applyAndGoTo(const QString& text, int step, const Edit& edit)
{
    Lesson after = m_lesson;
    edit(after);
    if (after != m_lesson) {
        m_undoStack.push(new SwapCommand(*this, text, std::move(after), step, {}));
    }
}

void LessonDraft::show(const Lesson& lesson, int step)
{
    m_lesson = lesson;
    const int last = static_cast<int>(m_lesson.steps.size()) - 1;
    const int there = last < 0 ? -1 : std::clamp(step, 0, last);
    const bool moved = std::exchange(m_step, there) != there;
    Q_EMIT lessonChanged();
    if (moved) {
        Q_EMIT stepChanged();
    }
}

void LessonDraft::start(const Lesson& lesson)
{
    dropFile();
    m_undoStack.clear();
    m_step = -1;
    show(lesson, 0);
    Q_EMIT fileChanged();
}

Status LessonDraft::open(const QString& path)
{
    FLOPSMITH_TRY(const Lesson lesson, lessonOfFile(path, Unfinished::keep));
    start(lesson);
    setFile(path);
    return Done{};
}

Status LessonDraft::saveAs(const QString& path)
{
    FLOPSMITH_RETURN_IF_ERROR(
        writeFile(QFile::encodeName(path).toStdString(), lessonJson(m_lesson)));
    setFile(path);
    m_undoStack.setClean();
    return Done{};
}

void LessonDraft::checkFile()
{
    if (m_file) {
        m_file->check();
    }
}

// Its own signal may have led here.
void LessonDraft::dropFile()
{
    if (LessonFile* file = m_file.release()) {
        file->disconnect(this);
        file->deleteLater();
    }
}

void LessonDraft::setFile(const QString& path)
{
    dropFile();
    m_file = std::make_unique<LessonFile>(path);
    connect(m_file.get(), &LessonFile::changed, this, &LessonDraft::fileTouched);
    Q_EMIT fileChanged();
}

} // namespace flopsmith::ui

#include "moc_lesson_draft.cpp"
