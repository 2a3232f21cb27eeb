// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/files/file_actions.h"

#include "core/model/presets.h"
#include "ui/document/edits/model_edit.h"
#include "ui/document/recent_files.h"
#include "ui/widgets/layout/standard_keys.h"
#include "ui/window/settings/window_settings.h"

#include <QAbstractButton>
#include <QDir>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QMenu>
#include <QMessageBox>

#include <cstdlib>

namespace flopsmith::ui {
namespace {

const QString kSuffix = QStringLiteral("flopsmith");

QAction* added(QMenu& menu,
               const QString& name,
               const QString& text,
               const QList<QKeySequence>& keys = {})
{
    QAction* action = menu.addAction(text);
    action->setObjectName(QStringLiteral("file.") + name);
    action->setShortcuts(keys);
    return action;
}

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
    return FileActions::tr("Steps since then: %1, the last “%2”.").arg(count).arg(steps.undoText());
}

QMessageBox::StandardButton askAboutChanges(Document& document, QWidget& window)
{
    const QString model = QString::fromStdString(document.model().name);
    QMessageBox box(&window);
    box.setObjectName(QStringLiteral("unsavedChanges"));
    box.setWindowTitle(FileActions::tr("Unsaved changes"));
    box.setTextFormat(Qt::PlainText); // a model name is not markup
    box.setText(document.file().path().isEmpty()
                    ? FileActions::tr("“%1” has changes and is in no file yet.").arg(model)
                    : FileActions::tr("%1 has changes that are not saved.")
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

FileActions::FileActions(Document& document,
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

void FileActions::connectConflicts()
{
    connect(&m_conflicts, &FileConflicts::saveAnywayChosen, this, [this] {
        saveTo(m_document.file().path());
    });
    connect(&m_conflicts, &FileConflicts::saveAsChosen, this, [this] { askAndSave(); });
    connect(&m_conflicts, &FileConflicts::reloadFailed, this, &FileActions::showError);
}

// Network folders do not notify of changes.
bool FileActions::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::WindowActivate) {
        m_conflicts.check();
    }
    return QObject::eventFilter(watched, event);
}

void FileActions::fill(QMenu& menu)
{
    connect(
        added(
            menu, QStringLiteral("new"), tr("&New"), standardKeys(QKeySequence::New, tr("Ctrl+N"))),
        &QAction::triggered,
        this,
        [this] {
            startWith({newModel(), {}});
        });
    connect(added(menu, QStringLiteral("start"), tr("Start pa&ge …"), {tr("Ctrl+Shift+N")}),
            &QAction::triggered,
            this,
            &FileActions::startPageRequested);
    connect(added(menu,
                  QStringLiteral("open"),
                  tr("&Open …"),
                  standardKeys(QKeySequence::Open, tr("Ctrl+O"))),
            &QAction::triggered,
            this,
            &FileActions::askAndOpen);
    QMenu* recent = menu.addMenu(tr("Open &recent"));
    recent->setObjectName(QStringLiteral("file.recent"));
    recent->setAccessibleName(tr("Recent files"));
    connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecent(*recent); });
    addOpenLast(menu);
    menu.addSeparator();
    connect(added(menu,
                  QStringLiteral("save"),
                  tr("&Save"),
                  standardKeys(QKeySequence::Save, tr("Ctrl+S"))),
            &QAction::triggered,
            this,
            [this] { save(); });
    connect(added(menu,
                  QStringLiteral("saveAs"),
                  tr("Save &as …"),
                  standardKeys(QKeySequence::SaveAs, tr("Ctrl+Shift+S"))),
            &QAction::triggered,
            this,
            [this] { askAndSave(); });
    connect(added(menu, QStringLiteral("rename"), tr("Rena&me model …"), {Qt::Key_F2}),
            &QAction::triggered,
            this,
            &FileActions::rename);
    for (QAction* action : menu.actions()) {
        m_window.addAction(action); // so that the shortcuts work while the menu is closed
    }
}

void FileActions::addOpenLast(QMenu& menu)
{
    QAction* action = added(menu, QStringLiteral("openLast"), tr("Open the last file at s&tart"));
    action->setCheckable(true);
    action->setChecked(storedOpenLast());
    connect(action, &QAction::toggled, this, &storeOpenLast);
}

void FileActions::addQuit(QMenu& menu)
{
    menu.addSeparator();
    connect(added(menu,
                  QStringLiteral("quit"),
                  tr("&Quit"),
                  standardKeys(QKeySequence::Quit, tr("Ctrl+Q"))),
            &QAction::triggered,
            &m_window,
            &QWidget::close);
    m_window.addAction(menu.actions().back());
}

void FileActions::told(QStringList notes)
{
    if (const QString elsewhere = m_conflicts.openElsewhere(); !elsewhere.isEmpty()) {
        notes.prepend(elsewhere);
    }
    if (!notes.isEmpty()) {
        m_messages.show(MessageBar::Kind::note, notes.join(QStringLiteral(" \u00B7 ")));
    }
}

void FileActions::showError(const QString& sentence)
{
    m_messages.show(MessageBar::Kind::error, sentence);
}

bool FileActions::save()
{
    Q_EMIT documentNeeded();
    if (m_document.file().path().isEmpty()) {
        return askAndSave();
    }
    return m_conflicts.maySave() && saveTo(m_document.file().path());
}

bool FileActions::askAndSave()
{
    Q_EMIT documentNeeded();
    const QString start = m_document.file().path().isEmpty()
        ? QDir::home().filePath(suggestedName(m_document))
        : m_document.file().path();
    QFileDialog dialog(&m_window,
                       tr("Save the model"),
                       QFileInfo(start).absolutePath(),
                       tr("Flopsmith models (*.flopsmith)"));
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(kSuffix); // so that the dialog asks about overwriting the right file
    dialog.selectFile(QFileInfo(start).fileName());
    return dialog.exec() == QDialog::Accepted && saveTo(dialog.selectedFiles().front());
}

bool FileActions::saveTo(const QString& path)
{
    flushJournal();
    const Status saved = m_document.file().saveAs(path);
    if (!saved) {
        showError(QString::fromStdString(saved.error().message));
        return false;
    }
    m_messages.clear();
    m_conflicts.check();
    addRecentFile(path);
    told({});
    return true;
}

void FileActions::rename()
{
    auto* dialog = new QInputDialog(&m_window);
    dialog->setObjectName(QStringLiteral("rename"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Rename model"));
    dialog->setLabelText(tr("Name of the model"));
    dialog->setTextValue(QString::fromStdString(m_document.model().name));
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& name) {
        if (!name.trimmed().isEmpty()) {
            renameModel(m_document, name.trimmed());
        }
    });
    dialog->open();
}

bool FileActions::mayLeave()
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

void FileActions::keepJournal(const std::filesystem::path& folder)
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
        told({});
    });
}

void FileActions::offerUnsavedWork()
{
    if (m_offers) {
        m_offers->offer(m_journalFolder);
    }
}

void FileActions::leave()
{
    if (m_journal) {
        m_journal->close();
    }
}

void FileActions::flushJournal()
{
    if (m_journal) {
        m_journal->flush();
    }
}

} // namespace flopsmith::ui

#include "moc_file_actions.cpp"
