// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/base/lesson_file.h"

#include "core/base/content_hash.h"
#include "core/base/file_suffix.h"
#include "core/base/text_file.h"
#include "ui/theme/utf8.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <utility>

namespace flopsmith::ui {
namespace {

// Long enough for a program that writes the file in several steps.
constexpr int kSettleMilliseconds = 200;

Result<std::string> textAt(const QString& path)
{
    return textOfFile(QFile::encodeName(path).toStdString());
}

} // namespace

QString lessonSuffix()
{
    return fromUtf8(kLessonSuffix);
}

Result<Lesson> lessonOfFile(const QString& path, Unfinished unfinished)
{
    FLOPSMITH_TRY(const std::string text, textAt(path));
    return readLesson(text, QFileInfo(path).fileName().toStdString(), unfinished);
}

LessonFile::LessonFile(const QString& path, QObject* parent)
    : QObject(parent)
    , m_path(QFileInfo(path).absoluteFilePath())
    , m_known(content())
{
    m_settling.setSingleShot(true);
    m_settling.setInterval(kSettleMilliseconds);
    connect(&m_settling, &QTimer::timeout, this, &LessonFile::check);
    const auto touched = [this] { m_settling.start(); };
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, touched);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, touched);
    follow();
}

std::string LessonFile::content() const
{
    const Result<std::string> text = textAt(m_path);
    return text ? hashText(contentHash(*text)) : std::string();
}

void LessonFile::takeAsKnown()
{
    m_known = content();
    follow();
}

void LessonFile::check()
{
    follow();
    std::string now = content();
    if (std::exchange(m_known, now) != now) {
        Q_EMIT changed();
    }
}

// A file that is replaced is no longer watched, so both are added again at every check.
void LessonFile::follow()
{
    QStringList wanted;
    const QFileInfo file(m_path);
    if (file.dir().exists()) {
        wanted << file.absolutePath();
        if (file.isFile()) {
            wanted << file.absoluteFilePath();
        }
    }
    for (const QString& path : m_watcher.files() + m_watcher.directories()) {
        if (!wanted.removeOne(path)) {
            m_watcher.removePath(path);
        }
    }
    if (!wanted.isEmpty()) {
        m_watcher.addPaths(wanted);
    }
}

} // namespace flopsmith::ui

#include "moc_lesson_file.cpp"
