// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/base/own_lessons.h"

#include "ui/lessons/base/lesson_file.h"

#include <QDir>
#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>

namespace flopsmith::ui {
namespace {

const QString kKey = QStringLiteral("openedLessons");
constexpr int kMaxRecentLessons = 8;
constexpr int kMaxInFolder = 100;

QStringList recentLessons()
{
    return QSettings().value(kKey).toStringList().mid(0, kMaxRecentLessons);
}

QStringList inFolder()
{
    const QDir folder(ownLessonsFolder());
    QStringList paths;
    for (const QString& name : folder.entryList(
             {QLatin1Char('*') + lessonSuffix()}, QDir::Files | QDir::Readable, QDir::Name)) {
        paths << folder.absoluteFilePath(name);
    }
    return paths.mid(0, kMaxInFolder);
}

} // namespace

QString ownLessonsFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation)
        + QStringLiteral("/lessons");
}

std::vector<OwnLesson> ownLessons()
{
    QStringList paths = inFolder();
    for (const QString& path : recentLessons()) {
        if (QFileInfo::exists(path) && !paths.contains(path)) {
            paths << path;
        }
    }
    std::vector<OwnLesson> all;
    for (const QString& path : paths) {
        all.push_back({path, lessonOfFile(path)});
    }
    return all;
}

void addRecentLesson(const QString& path)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    QStringList paths = recentLessons();
    paths.removeAll(absolute);
    paths.prepend(absolute);
    QSettings().setValue(kKey, paths.mid(0, kMaxRecentLessons));
}

} // namespace flopsmith::ui
