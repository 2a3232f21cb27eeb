// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/share/qr_code.h"

#include <QRectF>

QT_BEGIN_NAMESPACE
class QPainter;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// The side of a QR code with its margin in a report, in pixels: its modules are wide enough for a
/// telephone, and a small code is no smaller than it looks well.
double qrSide(const QrCode& code);

/// Paints the code with its margin into a square, as one path.
void paintQrCode(QPainter& painter, const QRectF& square, const QrCode& code);

} // namespace flopsmith::ui
