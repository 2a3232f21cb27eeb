// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file_suffix.h"
#include "core/teach/author/lesson_editing.h"
#include "ui/lessons/base/lesson_file.h"
#include "ui/lessons/base/own_lessons.h"
#include "ui/lessons/editor/lesson_editor.h"

#include <QAbstractButton>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

// How the editor opens and saves lessons.

namespace flopsmith::ui {
namespace {

const std::string kNoId = "my-lesson";

// "where-flops-go" from "Where FLOPs go.flopsmith-lesson".
std::string idAfterFile(const QString& path)
{
    QString id = QFileInfo(path).fileName();
    id.chop(hasSuffix(id.toStdString(), kLessonSuffix) ? lessonSuffix().size() : 0);
    std::string made;
    for (const QChar character : id.toLower()) {
        const char letter = character.toLatin1();
        const bool isFit = (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9');
        made += isFit ? letter : '-';
    }
    const bool isEmpty = made.find_first_not_of('-') == std::string::npos;
    constexpr std::size_t kLongestId = 100;
    return isEmpty ? kNoId : made.substr(0, kLongestId);
}

} // namespace

bool LessonEditor::startNew()
{
    if (!mayLeave()) {
        return false;
    }
    m_recorder.setOn(false);
    m_draft.start(newLesson(kNoId));
    say({});
    m_reload->hide();
    return true;
}

bool LessonEditor::open(const QString& path)
{
    if (!mayLeave()) {
        return false;
    }
    m_recorder.setOn(false);
    const Status opened = m_draft.open(path);
    say(opened ? QString() : QString::fromStdString(opened.error().message));
    m_reload->hide();
    return opened.ok();
}

bool LessonEditor::saveTo(const QString& path)
{
    if (m_draft.lesson().id == kNoId && idAfterFile(path) != kNoId) {
        m_draft.apply(tr("Name the lesson"),
                      [&path](Lesson& lesson) { lesson.id = idAfterFile(path); });
    }
    const Status saved = m_draft.saveAs(path);
    say(saved ? QString() : QString::fromStdString(saved.error().message));
    if (saved) {
        m_reload->hide();
        Q_EMIT this->saved(m_draft.path());
    }
    return saved.ok();
}

bool LessonEditor::save()
{
    return m_draft.path().isEmpty() ? askAndSave() : saveTo(m_draft.path());
}

bool LessonEditor::askAndSave()
{
    const QString folder = ownLessonsFolder();
    if (m_draft.path().isEmpty()) {
        QDir().mkpath(folder); // the dialog starts elsewhere where that is not possible
    }
    QFileDialog dialog(this,
                       tr("Save the lesson"),
                       m_draft.path().isEmpty() ? folder : QFileInfo(m_draft.path()).absolutePath(),
                       tr("Lessons (*%1)").arg(lessonSuffix()));
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(lessonSuffix().mid(1));
    dialog.selectFile(m_draft.path().isEmpty()
                          ? QString::fromStdString(m_draft.lesson().id) + lessonSuffix()
                          : QFileInfo(m_draft.path()).fileName());
    return dialog.exec() == QDialog::Accepted && saveTo(dialog.selectedFiles().front());
}

bool LessonEditor::mayLeave()
{
    if (!m_draft.isModified()) {
        return true;
    }
    QMessageBox box(this);
    box.setObjectName(QStringLiteral("unsavedLesson"));
    box.setWindowTitle(tr("Unsaved changes"));
    box.setTextFormat(Qt::PlainText);
    box.setText(
        m_draft.path().isEmpty()
            ? tr("The lesson has changes and is in no file yet.")
            : tr("%1 has changes that are not saved.").arg(QFileInfo(m_draft.path()).fileName()));
    box.setStandardButtons(QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
    box.setDefaultButton(QMessageBox::Save);
    for (QAbstractButton* button : box.buttons()) {
        button->setIcon({}); // the style's icons do not match the themes
    }
    switch (box.exec()) {
    case QMessageBox::Save: return save();
    case QMessageBox::Discard: return true;
    default: return false;
    }
}

// Without unsaved changes the file is simply read again.
void LessonEditor::takeTouchedFile()
{
    if (!m_draft.isModified() && QFileInfo::exists(m_draft.path())) {
        reload();
        return;
    }
    const QString file = QFileInfo(m_draft.path()).fileName();
    const bool isThere = QFileInfo::exists(m_draft.path());
    say(isThere ? tr("Another program has changed %1. Saving overwrites that; reloading drops "
                     "your changes.")
                      .arg(file)
                : tr("%1 was moved or removed. Saving writes it again.").arg(file));
    m_reload->setVisible(isThere);
}

void LessonEditor::reload()
{
    const int step = m_draft.step();
    const QString path = m_draft.path();
    const Status opened = m_draft.open(path);
    say(opened ? QString() : QString::fromStdString(opened.error().message));
    if (opened) {
        m_draft.goTo(step);
        m_reload->hide();
    }
}

} // namespace flopsmith::ui
