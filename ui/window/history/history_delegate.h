// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace flopsmith::ui {

/// Draws a row of HistoryModel on two lines: the step behind a mark, filled at the model now and
/// hollow elsewhere, and below what the step changed. Undone steps are grey. A bookmark is a star
/// below the mark.
class HistoryDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter,
               const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace flopsmith::ui
