// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/device/device.h"

#include <QString>
#include <QStringList>

namespace flopsmith::ui {

// The settings of measuring, kept from one start of the window to the next.

/// Whether measuring starts by itself. Off until it is switched on, which the first measuring does
/// too.
bool storedAutoMeasure();
bool hasStoredAutoMeasure();
void storeAutoMeasure(bool on);

/// The name by which the settings keep a device.
QString nameOf(const Device& device);

/// Name of the device that measures; empty at first.
QString storedDevice();
void storeDevice(const QString& name);

/// Names of the compared devices; none at first.
QStringList storedComparedDevices();
void storeComparedDevices(const QStringList& names);

} // namespace flopsmith::ui
