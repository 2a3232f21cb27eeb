// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/recent_labs.h"

#include "core/lab/log/lab_log.h"
#include "ui/charts/base/drawing.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QLocale>
#include <QSettings>

namespace flopsmith::ui {
namespace {

constexpr const char* kRecentKey = "lab/recent";
constexpr qint64 kMaxHeader = 1 << 20; ///< bytes of a log's first line

QStringList storedLabs()
{
    return QSettings().value(QLatin1String(kRecentKey)).toStringList().mid(0, kMaxRecentLabs);
}

QString chosenArmsText(const LabPlan& plan)
{
    QStringList names;
    for (const Arm& arm : plan.chosenArms()) {
        names << toQt(arm.name);
    }
    return names.join(QStringLiteral(", "));
}

} // namespace

QStringList recentLabs()
{
    QStringList labs = storedLabs();
    labs.removeIf([](const QString& path) { return !QFileInfo::exists(path); });
    return labs;
}

void addRecentLab(const QString& path)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    QStringList labs = storedLabs();
    if (!labs.isEmpty() && labs.front() == absolute) {
        return;
    }
    labs.removeAll(absolute);
    labs.prepend(absolute);
    QSettings().setValue(QLatin1String(kRecentKey), labs.mid(0, kMaxRecentLabs));
}

QString lastLab()
{
    const QStringList labs = storedLabs();
    return !labs.isEmpty() && QFileInfo::exists(labs.front()) ? labs.front() : QString();
}

QString labTitle(const QString& path)
{
    QFile file(path);
    const QByteArray header =
        file.open(QIODevice::ReadOnly) ? file.readLine(kMaxHeader) : QByteArray();
    const Result<LabLog> log = parsedLabLog(header.toStdString(), path.toStdString());
    if (!log) {
        return QFileInfo(path).fileName();
    }
    const QString time =
        QLocale().toString(QFileInfo(path).lastModified(), QStringLiteral("d MMM yyyy hh:mm"));
    return QCoreApplication::translate("LabPage", "%1: %2 (%3)")
        .arg(toQt(info(log->plan.task).title), chosenArmsText(log->plan), time);
}

} // namespace flopsmith::ui
