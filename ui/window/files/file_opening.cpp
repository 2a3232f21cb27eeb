// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/files/file_opening.h"

#include "core/base/printable.h"
#include "core/io/reading.h"
#include "core/model/presets.h"
#include "core/share/share_code.h"
#include "core/share/shared_page.h"
#include "ui/document/recent_files.h"
#include "ui/theme/utf8.h"
#include "ui/widgets/open_path.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>

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

// A file's name may have blanks, another name has none.
bool mayBeName(const QString& text)
{
    constexpr qsizetype kLongestName = 4096;
    const bool hasBlank =
        std::any_of(text.begin(), text.end(), [](QChar letter) { return letter.isSpace(); });
    return !text.isEmpty() && text.size() <= kLongestName && (!hasBlank || QFileInfo::exists(text));
}

QString whyNoDesign(const QString& text, const QString& source)
{
    constexpr std::size_t kShown = 40; // letters
    return text.isEmpty()
        ? FileOpening::tr("%1: there is no text").arg(source)
        : FileOpening::tr("%1: a text that is no design, \u201C%2\u201D; the text of a config.json "
                          "or of a .flopsmith file, a share code or a path opens")
              .arg(source, fromUtf8(flopsmith::elided(printable(text.toStdString()), kShown)));
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

void FileOpening::openBy(NamedKind kind, const Opener& opener, const Reader& reader)
{
    m_openers[kind] = opener;
    if (reader) {
        m_readers[kind] = reader;
    }
}

Status FileOpening::checked(const QString& path) const
{
    const NamedKind kind = kindOf(path);
    if (const auto reader = m_readers.find(kind); reader != m_readers.end()) {
        return reader->second(path);
    }
    if (m_openers.contains(kind)) {
        return Done{};
    }
    const Result<Loaded> read = openedModel(QFile::encodeName(path).toStdString(), Illegal::repair);
    return read ? Status(Done{}) : Status(read.error());
}

bool FileOpening::isReadable(const QString& path)
{
    const Status read = checked(path);
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
    if (kind == NamedKind::text) {
        const Result<Loaded> loaded =
            openedModel(QFile::encodeName(path).toStdString(), Illegal::repair);
        if (!loaded) {
            showError(QString::fromStdString(loaded.error().message));
            return false;
        }
        start(*loaded);
        return true;
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

void FileOpening::start(const Loaded& loaded)
{
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
}

Result<bool> FileOpening::openText(const QString& text, const QString& source)
{
    const std::string name = pastedName(text.toStdString());
    const QString path = QString::fromStdString(name);
    switch (kindOf(path)) {
    case NamedKind::shareCode: {
        FLOPSMITH_TRY(const SharedDesign design, parsedShareCode(name, Illegal::repair));
        if (!m_saving.mayLeave()) {
            return false;
        }
        start(design);
        return true;
    }
    case NamedKind::text: {
        FLOPSMITH_TRY(const Loaded loaded,
                      modelOfText(name, source.toStdString(), Illegal::repair));
        if (!m_saving.mayLeave()) {
            return false;
        }
        start(loaded);
        return true;
    }
    default: break;
    }
    if (!mayBeName(path)) {
        return Error{whyNoDesign(path, source).toStdString()};
    }
    FLOPSMITH_RETURN_IF_ERROR(checked(path));
    return (!replacesDesign(path) || m_saving.mayLeave()) && open(path);
}

bool FileOpening::askAndOpen()
{
    const QString path = askOpenPath(m_window,
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
