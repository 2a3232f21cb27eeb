// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/qr_painting.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace flopsmith::ui {
namespace {

constexpr double kModulePixels = 1.3; ///< of 96 to the inch: 0.34 mm
constexpr double kSmallestSide = 72.0; ///< 19 mm, which every telephone reads

int modulesOf(const QrCode& code)
{
    return code.size() + 2 * QrCode::kMargin;
}

} // namespace

double qrSide(const QrCode& code)
{
    return std::max(kSmallestSide, kModulePixels * modulesOf(code));
}

void paintQrCode(QPainter& painter, const QRectF& square, const QrCode& code)
{
    const double module = square.width() / modulesOf(code);
    QPainterPath dark;
    for (int row = 0; row < code.size(); ++row) {
        for (int column = 0; column < code.size(); ++column) {
            const int begin = column;
            while (column < code.size() && code.isDark(row, column)) {
                ++column;
            }
            if (column > begin) { // dark neighbours are one rectangle
                dark.addRect(square.left() + (begin + QrCode::kMargin) * module,
                             square.top() + (row + QrCode::kMargin) * module,
                             (column - begin) * module,
                             module);
            }
        }
    }
    painter.fillRect(square, Qt::white);
    painter.fillPath(dark, Qt::black);
}

} // namespace flopsmith::ui
