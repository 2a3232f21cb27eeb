// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/files/file_saving.h"

#include "ui/document/recent_files.h"
#include "ui/widgets/save_path.h"

#include <QAbstractButton>
#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QMessageBox>

#include <cstdlib>

namespace flopsmith::ui {
namespace {

const QString kSuffix = QStringLiteral("flopsmith");

// A file name derived from the model's name.
QString suggestedName(const Document& document)
{
    QString name = QString::fromStdString(document.model().name);
    for (QChar& character : name) {
        if (!character.isLetterOrNumber() && character != QLatin1Char('-')) {
            character = QLatin1Char('_');
        }
    }
    return name + QLatin1Char('.') + kSuffix;
}

// "3 steps, the last “Set d_model”".
QString unsavedSteps(const QUndoStack& steps)
{
    if (steps.cleanIndex() < 0 || steps.undoText().isEmpty()) {
        return {};
    }
    const int count = std::abs(steps.index() - steps.cleanIndex());
    return FileSaving::tr("Steps since then: %1, the last “%2”.").arg(count).arg(steps.undoText());
}

QMessageBox::StandardButton askAboutChanges(Document& document, QWidget& window)
{
    const QString model = QString::fromStdString(document.model().name);
    QMessageBox box(&window);
    box.setObjectName(QStringLiteral("unsavedChanges"));
    box.setWindowTitle(FileSaving::tr("Unsaved changes"));
    box.setTextFormat(Qt::PlainText); // a model name is not markup
    box.setText(document.file().path().isEmpty()
                    ? FileSaving::tr("“%1” has changes and is in no file yet.").arg(model)
                    : FileSaving::tr("%1 has changes that are not saved.")
                          .arg(QFileInfo(document.file().path()).fileName()));
    box.setInformativeText(unsavedSteps(document.undoStack()));
    box.setStandardButtons(QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
    box.setDefaultButton(QMessageBox::Save);
    for (QAbstractButton* button : box.buttons()) {
        button->setIcon({}); // the style's icons do not match the themes
    }
    return static_cast<QMessageBox::StandardButton>(box.exec());
}

} // namespace

FileSaving::FileSaving(Document& document,
                       MessageBar& messages,
                       QuestionBars& questions,
                       QWidget& window)
    : QObject(&window)
    , m_document(document)
    , m_messages(messages)
    , m_questions(questions)
    , m_window(window)
    , m_conflicts(document, questions, this)
{
    connectConflicts();
    window.installEventFilter(this);
}

void FileSaving::connectConflicts()
{
    connect(&m_conflicts, &FileConflicts::saveAnywayChosen, this, [this] {
        saveTo(m_document.file().path());
    });
    connect(&m_conflicts, &FileConflicts::saveAsChosen, this, [this] { askAndSave(); });
    connect(&m_conflicts, &FileConflicts::reloadFailed, this, [this](const QString& sentence) {
        m_messages.show(MessageBar::Kind::error, sentence);
    });
}

// Network folders do not notify of changes.
bool FileSaving::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::WindowActivate) {
        m_conflicts.check();
    }
    return QObject::eventFilter(watched, event);
}

void FileSaving::tell(QStringList notes)
{
    if (const QString elsewhere = m_conflicts.openElsewhere(); !elsewhere.isEmpty()) {
        notes.prepend(elsewhere);
    }
    if (!notes.isEmpty()) {
        m_messages.show(MessageBar::Kind::note, notes.join(QStringLiteral(" \u00B7 ")));
    }
}

bool FileSaving::save()
{
    Q_EMIT documentNeeded();
    if (m_document.file().path().isEmpty()) {
        return askAndSave();
    }
    return m_conflicts.maySave() && saveTo(m_document.file().path());
}

bool FileSaving::askAndSave()
{
    Q_EMIT documentNeeded();
    const QString start = m_document.file().path().isEmpty()
        ? QDir::home().filePath(suggestedName(m_document))
        : m_document.file().path();
    const QString path =
        askSavePath(m_window, tr("Save the model"), start, tr("Flopsmith models (*.flopsmith)"));
    return !path.isEmpty() && saveTo(path);
}

bool FileSaving::saveTo(const QString& path)
{
    flushJournal();
    const Status saved = m_document.file().saveAs(path);
    if (!saved) {
        m_messages.show(MessageBar::Kind::error, QString::fromStdString(saved.error().message));
        return false;
    }
    m_messages.clear();
    m_conflicts.check();
    addRecentFile(path);
    tell({});
    return true;
}

bool FileSaving::mayLeave()
{
    Q_EMIT documentNeeded();
    if (!m_document.isModified()) {
        return true;
    }
    switch (askAboutChanges(m_document, m_window)) {
    case QMessageBox::Save: return save();
    case QMessageBox::Discard: return true;
    default: return false;
    }
}

void FileSaving::keepJournal(const std::filesystem::path& folder)
{
    m_journalFolder = folder;
    m_conflicts.useFolder(folder.empty() ? folder : folder.parent_path() / "open");
    m_journal = std::make_unique<DocumentJournal>(m_document, folder);
    m_offers = std::make_unique<UnsavedWorkOffers>(
        m_document, *m_journal, m_questions, [this] { return mayLeave(); }, this);
    connect(m_journal.get(), &DocumentJournal::failed, this, [this](const QString& reason) {
        m_messages.show(
            MessageBar::Kind::note,
            tr("No journal of unsaved work is kept, so save from time to time: %1").arg(reason));
    });
    connect(m_offers.get(), &UnsavedWorkOffers::restored, this, [this] {
        m_messages.clear();
        tell({});
    });
}

void FileSaving::offerUnsavedWork()
{
    if (m_offers) {
        m_offers->offer(m_journalFolder);
    }
}

void FileSaving::leave()
{
    if (m_journal) {
        m_journal->close();
    }
}

void FileSaving::flushJournal()
{
    if (m_journal) {
        m_journal->flush();
    }
}

} // namespace flopsmith::ui

#include "moc_file_saving.cpp"
