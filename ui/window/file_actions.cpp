// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/file_actions.h"

#include "core/exercise/exercise_answer.h"
#include "core/exercise/exercise_reading.h"
#include "core/io/reading.h"
#include "core/model/presets.h"
#include "core/share/open_model.h"
#include "core/share/share_code.h"
#include "core/share/shared_page.h"
#include "ui/document/recent_files.h"
#include "ui/lessons/lesson_file.h"
#include "ui/theme/utf8.h"
#include "ui/widgets/layout/standard_keys.h"
#include "ui/window/window_settings.h"

#include <QAbstractButton>
#include <QDir>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QMenu>
#include <QMessageBox>

#include <algorithm>
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

// Where a document comes from that a share code opened.
QString originOf(const SharedDesign& design)
{
    for (const Preset& preset : presets()) {
        if (preset.id == design.preset) {
            return FileActions::tr(
                       "Opened from a share code, made from the preset %1. The design is "
                       "in no file yet.")
                .arg(fromUtf8(preset.title));
        }
    }
    return FileActions::tr("Opened from a share code. The design is in no file yet.");
}

QMessageBox::StandardButton askAboutChanges(Document& document, QWidget& window)
{
    const QString model = QString::fromStdString(document.model().name);
    QMessageBox box(&window);
    box.setObjectName(QStringLiteral("unsavedChanges"));
    box.setWindowTitle(FileActions::tr("Unsaved changes"));
    box.setTextFormat(Qt::PlainText); // a model name is not markup
    box.setText(document.filePath().isEmpty()
                    ? FileActions::tr("“%1” has changes and is in no file yet.").arg(model)
                    : FileActions::tr("%1 has changes that are not saved.")
                          .arg(QFileInfo(document.filePath()).fileName()));
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
        saveTo(m_document.filePath());
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
        [this] { startWith(newModel()); });
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

bool FileActions::openCode(const QString& code)
{
    const Result<SharedDesign> design = parsedShareCode(code.toStdString(), Illegal::repair);
    if (!design) {
        showError(QString::fromStdString(design.error().message));
        return false;
    }
    start(*design);
    return true;
}

void FileActions::start(const SharedDesign& design)
{
    m_document.setLens(design.project.lens);
    m_document.start(design.project);
    m_messages.clear();
    if (const std::string_view page = pageOfView(design.page); !page.empty()) {
        Q_EMIT pageWanted(fromUtf8(page));
    }
    QStringList notes{originOf(design)};
    for (const std::string& note : design.notes) {
        notes << QString::fromStdString(note);
    }
    told(notes);
}

bool FileActions::open(const QString& path)
{
    if (namesShareCode(path.toStdString())) {
        return openCode(path);
    }
    const bool isOfExercise =
        path.endsWith(fromUtf8(kExerciseSuffix)) || path.endsWith(fromUtf8(kAnswerSuffix));
    if (m_openExercise && isOfExercise) {
        return openExercise(path);
    }
    if (isLessonPath(path)) {
        Q_EMIT lessonWanted(path);
        return true;
    }
    const Result<QStringList> opened = m_document.open(path);
    if (!opened) {
        showError(QString::fromStdString(opened.error().message));
        return false;
    }
    m_messages.clear();
    if (QFileInfo::exists(path)) {
        addRecentFile(path);
    }
    told(*opened);
    return true;
}

bool FileActions::openExercise(const QString& path)
{
    const bool opened = m_openExercise(path);
    if (opened) {
        addRecentFile(path);
    }
    return opened;
}

void FileActions::openLast()
{
    QStringList files = recentFiles();
    files.erase(std::remove_if(files.begin(), files.end(), isLessonPath), files.end());
    if (files.isEmpty()) {
        m_messages.show(MessageBar::Kind::note, tr("No file was opened or saved yet."));
    } else {
        open(files.front());
    }
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

bool FileActions::startWith(const Model& model)
{
    if (!mayLeave()) {
        return false;
    }
    m_document.start({.model = model});
    m_messages.clear();
    return true;
}

Result<bool> FileActions::openText(const QString& text)
{
    if (text.trimmed().isEmpty()) {
        return Error{tr("The clipboard holds no text.").toStdString()};
    }
    if (isShareCode(text.toStdString())) {
        const Result<SharedDesign> design = parsedShareCode(text.toStdString(), Illegal::repair);
        if (!design) {
            return design.error();
        }
        if (!mayLeave()) {
            return false;
        }
        start(*design);
        return true;
    }
    const Result<Loaded> loaded =
        modelOfText(text.toStdString(), tr("the clipboard").toStdString(), Illegal::repair);
    if (!loaded) {
        return loaded.error();
    }
    if (!mayLeave()) {
        return false;
    }
    if (loaded->from == LoadedFrom::project) {
        m_document.setLens(loaded->project.lens);
    }
    m_document.start(loaded->project);
    m_messages.clear();
    QStringList notes;
    for (const std::string& note : loaded->notes) {
        notes << QString::fromStdString(note);
    }
    told(notes);
    return true;
}

bool FileActions::askAndOpen()
{
    if (!mayLeave()) {
        return false;
    }
    const QString path = QFileDialog::getOpenFileName(
        &m_window,
        tr("Open a model"),
        QFileInfo(m_document.filePath()).absolutePath(),
        tr("Models and exercises (*.flopsmith *.flopsmith-exercise "
           "*.flopsmith-answer config.json);;JSON files (*.json);;All files (*)"));
    if (!path.isEmpty()) {
        open(path);
    }
    return !path.isEmpty();
}

bool FileActions::openRecent(const QString& path)
{
    if (!isLessonPath(path) && !mayLeave()) {
        return false;
    }
    if (!open(path)) {
        removeRecentFile(path);
    }
    return true;
}

void FileActions::fillRecent(QMenu& menu)
{
    menu.clear();
    for (const QString& path : recentFiles()) {
        menu.addAction(
            QDir::toNativeSeparators(path).replace(QLatin1Char('&'), QLatin1String("&&")),
            this,
            [this, path] { openRecent(path); });
    }
    if (menu.isEmpty()) {
        QAction* none = menu.addAction(tr("none yet"));
        none->setEnabled(false);
        none->setProperty("disabledReason", tr("No file was opened or saved yet."));
        return;
    }
    menu.addSeparator();
    menu.addAction(tr("&Clear list"), this, [] { clearRecentFiles(); });
}

bool FileActions::save()
{
    Q_EMIT documentNeeded();
    if (m_document.filePath().isEmpty()) {
        return askAndSave();
    }
    return m_conflicts.maySave() && saveTo(m_document.filePath());
}

bool FileActions::askAndSave()
{
    Q_EMIT documentNeeded();
    const QString start = m_document.filePath().isEmpty()
        ? QDir::home().filePath(suggestedName(m_document))
        : m_document.filePath();
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
    const Status saved = m_document.saveAs(path);
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
            m_document.rename(name.trimmed());
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
