// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace flopsmith::ui {

// The settings of measuring, kept from one start of the window to the next.

/// Whether measuring starts by itself. Off until it is switched on, which the first measuring does
/// too.
bool storedAutoMeasure();
bool hasStoredAutoMeasure();
void storeAutoMeasure(bool on);

/// Name of the device that measures; empty at first.
QString storedDevice();
void storeDevice(const QString& name);

/// Names of the compared devices; none at first.
QStringList storedComparedDevices();
void storeComparedDevices(const QStringList& names);

} // namespace flopsmith::ui
