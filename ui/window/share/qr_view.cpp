// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/share/qr_view.h"

#include "ui/widgets/qr_picture.h"

#include <QPainter>

#include <algorithm>
#include <utility>

namespace flopsmith::ui {
namespace {

constexpr int kMinModule = 2; ///< pixels that a telephone tells apart
constexpr int kLikedSide = 300; ///< of the whole picture

} // namespace

QrView::QrView(QrCode code, QWidget* parent)
    : QWidget(parent)
    , m_code(std::move(code))
{}

QSize QrView::square(int modulePixels) const
{
    const int side = (m_code.size() + 2 * QrCode::kMargin) * modulePixels;
    return {side, side};
}

QSize QrView::sizeHint() const
{
    return square(std::max(kMinModule, kLikedSide / square(1).width()));
}

QSize QrView::minimumSizeHint() const
{
    return square(kMinModule);
}

void QrView::paintEvent(QPaintEvent* /*event*/)
{
    const int module = std::max(1, std::min(width(), height()) / square(1).width());
    const QRect place(QPoint(0, 0), square(module));
    QPainter painter(this);
    painter.drawImage(QRect(rect().center() - place.center(), place.size()),
                      qrImage(m_code, module));
}

} // namespace flopsmith::ui

#include "moc_qr_view.cpp"
