// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>

namespace flopsmith::ui {

/// Scrolls its content downwards only, wants as much height as the content has at its width, and gets
/// along with less.
class ContentArea : public QScrollArea
{
    Q_OBJECT

public:
    explicit ContentArea(QWidget* parent = nullptr);

    QSize sizeHint() const override;
    bool eventFilter(QObject* watched, QEvent* event) override;

protected:
    void resizeEvent(QResizeEvent* event) override;
};

} // namespace flopsmith::ui
