// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/qr_picture.h"

#include "core/share/qr_code.h"

#include <QBuffer>

namespace flopsmith::ui {

QImage qrImage(const QrCode& code, int modulePixels)
{
    const int side = code.size() + 2 * QrCode::kMargin;
    QImage modules(side, side, QImage::Format_RGB32);
    modules.fill(Qt::white);
    for (int row = 0; row < code.size(); ++row) {
        for (int column = 0; column < code.size(); ++column) {
            if (code.isDark(row, column)) {
                modules.setPixel(column + QrCode::kMargin, row + QrCode::kMargin, qRgb(0, 0, 0));
            }
        }
    }
    return modules.scaled(side * modulePixels, side * modulePixels); // without smoothing
}

QByteArray qrPng(const QrCode& code, int modulePixels)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    qrImage(code, modulePixels).save(&buffer, "PNG");
    return bytes;
}

} // namespace flopsmith::ui
