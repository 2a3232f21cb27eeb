// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

namespace flopsmith::ui {

/// The line below the parameters that matter most: how many more there are, and which. A click shows
/// them, another one hides them.
class MoreLine : public QAbstractButton
{
    Q_OBJECT

public:
    explicit MoreLine(QWidget* parent);

    /// The labels of the parameters that are folded; empty labels and open: none are.
    void show(const QStringList& folded, bool isOpen);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace flopsmith::ui
