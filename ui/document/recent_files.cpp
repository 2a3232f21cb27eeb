// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/recent_files.h"

#include <QFileInfo>
#include <QSettings>

namespace flopsmith::ui {
namespace {

const QString kKey = QStringLiteral("recentFiles");

void store(const QStringList& files)
{
    QSettings().setValue(kKey, files);
}

} // namespace

QStringList recentFiles()
{
    return QSettings().value(kKey).toStringList().mid(0, kMaxRecent);
}

void addRecentFile(const QString& path)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    QStringList files = recentFiles();
    files.removeAll(absolute);
    files.prepend(absolute);
    store(files.mid(0, kMaxRecent));
}

void removeRecentFile(const QString& path)
{
    QStringList files = recentFiles();
    files.removeAll(QFileInfo(path).absoluteFilePath());
    store(files);
}

void clearRecentFiles()
{
    store({});
}

} // namespace flopsmith::ui
