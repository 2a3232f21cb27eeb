// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QImage>

namespace flopsmith {
class QrCode;
}

namespace flopsmith::ui {

/// The code with its light margin, black on white in every theme because readers expect that, with
/// this many pixels for the side of a module.
QImage qrImage(const QrCode& code, int modulePixels);

/// The same as a PNG file.
QByteArray qrPng(const QrCode& code, int modulePixels);

} // namespace flopsmith::ui
