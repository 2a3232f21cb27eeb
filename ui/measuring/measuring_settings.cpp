// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measuring/measuring_settings.h"

#include <QSettings>

namespace flopsmith::ui {
namespace {

const QString kAutoMeasure = QStringLiteral("autoMeasure");
const QString kDevice = QStringLiteral("device");
const QString kComparedDevices = QStringLiteral("comparedDevices");

} // namespace

QString nameOf(const Device& device)
{
    return QString::fromStdString(device.name);
}

bool storedAutoMeasure()
{
    return QSettings().value(kAutoMeasure, false).toBool();
}

bool hasStoredAutoMeasure()
{
    return QSettings().contains(kAutoMeasure);
}

void storeAutoMeasure(bool on)
{
    QSettings().setValue(kAutoMeasure, on);
}

QString storedDevice()
{
    return QSettings().value(kDevice).toString();
}

void storeDevice(const QString& name)
{
    QSettings().setValue(kDevice, name);
}

QStringList storedComparedDevices()
{
    return QSettings().value(kComparedDevices).toStringList();
}

void storeComparedDevices(const QStringList& names)
{
    QSettings().setValue(kComparedDevices, names);
}

} // namespace flopsmith::ui
