// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/share/qr_code.h"

#include <QWidget>

namespace flopsmith::ui {

/// A QR code, painted as large as the widget allows with whole pixels per module.
class QrView : public QWidget
{
    Q_OBJECT

public:
    explicit QrView(QrCode code, QWidget* parent = nullptr);

    const QrCode& code() const { return m_code; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QSize square(int modulePixels) const;

    QrCode m_code;
};

} // namespace flopsmith::ui
