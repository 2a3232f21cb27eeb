// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/files/file_opening.h"

#include "core/io/reading.h"
#include "core/model/presets.h"
#include "core/share/share_code.h"
#include "core/share/shared_page.h"
#include "ui/document/recent_files.h"
#include "ui/theme/utf8.h"

#include <QFile>
#include <QFileDialog>
#include <QFileInfo>

namespace flopsmith::ui {
namespace {

// Where a document comes from that a share code opened.
QString originOf(const SharedDesign& design)
{
    for (const Preset& preset : presets()) {
        if (preset.id == design.preset) {
            return FileOpening::tr(
                       "Opened from a share code, made from the preset %1. The design is "
                       "in no file yet.")
                .arg(fromUtf8(preset.title));
        }
    }
    return FileOpening::tr("Opened from a share code. The design is in no file yet.");
}

NamedKind kindOf(const QString& path)
{
    return namedKind(QFile::encodeName(path).toStdString());
}

} // namespace

FileOpening::FileOpening(Document& document,
                         FileSaving& saving,
                         MessageBar& messages,
                         QWidget& window)
    : QObject(&window)
    , m_document(document)
    , m_saving(saving)
    , m_messages(messages)
    , m_window(window)
{}

void FileOpening::showError(const QString& sentence)
{
    m_messages.show(MessageBar::Kind::error, sentence);
}

bool FileOpening::openCode(const QString& code)
{
    const Result<SharedDesign> design = parsedShareCode(code.toStdString(), Illegal::repair);
    if (!design) {
        showError(QString::fromStdString(design.error().message));
        return false;
    }
    start(*design);
    return true;
}

void FileOpening::start(const SharedDesign& design)
{
    m_document.setLens(design.project.lens);
    m_document.start(design.project);
    showOpened();
    if (const std::string_view page = pageOfView(design.page); !page.empty()) {
        Q_EMIT pageRequested(fromUtf8(page));
    }
    QStringList notes{originOf(design)};
    for (const std::string& note : design.notes) {
        notes << QString::fromStdString(note);
    }
    m_saving.tell(notes);
}

bool FileOpening::replacesDesign(const QString& path)
{
    const NamedKind kind = kindOf(path);
    return kind != NamedKind::lesson && kind != NamedKind::lab;
}

bool FileOpening::isReadable(const QString& path)
{
    const NamedKind kind = kindOf(path);
    if (kind != NamedKind::model && kind != NamedKind::shareCode) {
        return true;
    }
    const Result<Loaded> read = openedModel(QFile::encodeName(path).toStdString(), Illegal::repair);
    if (!read) {
        showError(QString::fromStdString(read.error().message));
    }
    return read.ok();
}

bool FileOpening::open(const QString& path)
{
    const NamedKind kind = kindOf(path);
    if (kind == NamedKind::shareCode) {
        return openCode(path);
    }
    const auto opener = m_openers.find(kind);
    return opener == m_openers.end() ? openModel(path) : opener->second(path);
}

bool FileOpening::openModel(const QString& path)
{
    const Result<QStringList> opened = m_document.file().open(path);
    if (!opened) {
        showError(QString::fromStdString(opened.error().message));
        return false;
    }
    showOpened();
    if (QFileInfo::exists(path)) {
        addRecentFile(path);
    }
    m_saving.tell(*opened);
    return true;
}

void FileOpening::showOpened()
{
    m_messages.clear();
    Q_EMIT designOpened();
}

void FileOpening::openLast()
{
    QStringList files = recentFiles();
    files.removeIf([](const QString& path) { return kindOf(path) == NamedKind::lesson; });
    if (files.isEmpty()) {
        m_messages.show(MessageBar::Kind::note, tr("No file was opened or saved yet."));
    } else {
        open(files.front());
    }
}

bool FileOpening::startWith(const Scenario& scenario)
{
    if (!m_saving.mayLeave()) {
        return false;
    }
    m_document.start(scenario);
    showOpened();
    return true;
}

Result<bool> FileOpening::openText(const QString& text)
{
    if (text.trimmed().isEmpty()) {
        return Error{tr("The clipboard holds no text.").toStdString()};
    }
    if (isShareCode(text.toStdString())) {
        FLOPSMITH_TRY(const SharedDesign design,
                      parsedShareCode(text.toStdString(), Illegal::repair));
        if (!m_saving.mayLeave()) {
            return false;
        }
        start(design);
        return true;
    }
    FLOPSMITH_TRY(
        const Loaded loaded,
        modelOfText(text.toStdString(), tr("the clipboard").toStdString(), Illegal::repair));
    if (!m_saving.mayLeave()) {
        return false;
    }
    if (loaded.from == LoadedFrom::project) {
        m_document.setLens(loaded.project.lens);
    }
    m_document.start(loaded.project);
    showOpened();
    QStringList notes;
    for (const std::string& note : loaded.notes) {
        notes << QString::fromStdString(note);
    }
    m_saving.tell(notes);
    return true;
}

bool FileOpening::askAndOpen()
{
    const QString path =
        QFileDialog::getOpenFileName(&m_window,
                                     tr("Open a model"),
                                     QFileInfo(m_document.file().path()).absolutePath(),
                                     tr("Models and exercises (*.flopsmith *.flopsmith-exercise "
                                        "*.flopsmith-answer config.json);;Labs (*.flopsmith-lab "
                                        "*.jsonl);;JSON files (*.json);;All files (*)"));
    return !path.isEmpty() && openRecent(path);
}

bool FileOpening::openRecent(const QString& path)
{
    const bool isThere = isReadable(path); // what is not is no reason to ask about changes
    if (isThere && replacesDesign(path) && !m_saving.mayLeave()) {
        return false;
    }
    if (!isThere || !open(path)) {
        removeRecentFile(path);
    }
    return true;
}

} // namespace flopsmith::ui

#include "moc_file_opening.cpp"
