// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/file_actions.h"

#include "core/model/presets.h"
#include "ui/document/recent_files.h"
#include "ui/window/layout/standard_keys.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QMenu>
#include <QMessageBox>

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

QString withSuffix(const QString& path)
{
    return QFileInfo(path).suffix().isEmpty() ? path + QLatin1Char('.') + kSuffix : path;
}

// A file name that a model's name suggests.
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

} // namespace

FileActions::FileActions(Document& document, MessageBar& messages, QWidget& window)
    : QObject(&window)
    , m_document(document)
    , m_messages(messages)
    , m_window(window)
{}

void FileActions::fill(QMenu& menu)
{
    connect(
        added(
            menu, QStringLiteral("new"), tr("&New"), standardKeys(QKeySequence::New, tr("Ctrl+N"))),
        &QAction::triggered,
        this,
        &FileActions::startNew);
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
        m_window.addAction(action); // the keys work while the menu is closed
    }
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

bool FileActions::open(const QString& path)
{
    const Result<QStringList> opened = m_document.open(path);
    if (!opened) {
        m_messages.show(MessageBar::Kind::error, QString::fromStdString(opened.error().message));
        return false;
    }
    m_messages.clear();
    if (QFileInfo::exists(path)) {
        addRecentFile(path);
    }
    told(*opened);
    return true;
}

void FileActions::told(const QStringList& notes)
{
    if (!notes.isEmpty()) {
        m_messages.show(MessageBar::Kind::note, notes.join(QStringLiteral(" \u00B7 ")));
    }
}

void FileActions::startNew()
{
    if (mayLeave()) {
        m_document.start({.model = presets().front().make()});
        m_messages.clear();
    }
}

void FileActions::askAndOpen()
{
    if (!mayLeave()) {
        return;
    }
    const QString path = QFileDialog::getOpenFileName(
        &m_window,
        tr("Open a model"),
        QFileInfo(m_document.filePath()).absolutePath(),
        tr("Models (*.flopsmith config.json);;JSON files (*.json);;All files (*)"));
    if (!path.isEmpty()) {
        open(path);
    }
}

void FileActions::openRecent(const QString& path)
{
    if (mayLeave() && !open(path)) {
        removeRecentFile(path);
    }
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
        menu.addAction(tr("none yet"))->setEnabled(false);
        return;
    }
    menu.addSeparator();
    menu.addAction(tr("&Clear list"), this, [] { clearRecentFiles(); });
}

bool FileActions::save()
{
    return m_document.filePath().isEmpty() ? askAndSave() : saveTo(m_document.filePath());
}

bool FileActions::askAndSave()
{
    const QString start = m_document.filePath().isEmpty()
        ? QDir::home().filePath(suggestedName(m_document))
        : m_document.filePath();
    const QString path = QFileDialog::getSaveFileName(
        &m_window, tr("Save the model"), start, tr("Flopsmith models (*.flopsmith)"));
    return !path.isEmpty() && saveTo(withSuffix(path));
}

bool FileActions::saveTo(const QString& path)
{
    const Status saved = m_document.saveAs(path);
    if (!saved) {
        m_messages.show(MessageBar::Kind::error, QString::fromStdString(saved.error().message));
        return false;
    }
    m_messages.clear();
    addRecentFile(path);
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
    if (!m_document.isModified()) {
        return true;
    }
    const auto answer =
        QMessageBox::question(&m_window,
                              tr("Unsaved changes"),
                              tr("“%1” has changes that are not saved.")
                                  .arg(QString::fromStdString(m_document.model().name)),
                              QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel,
                              QMessageBox::Save);
    if (answer == QMessageBox::Save) {
        return save();
    }
    return answer == QMessageBox::Discard;
}

} // namespace flopsmith::ui
