// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace flopsmith::ui {

/// The roles of PartDelegate, besides Qt's own.
enum PartRole {
    partColourRole = Qt::UserRole + 100, ///< QColor of the part's component, in the first column
    partShareRole, ///< double: of the whole, 0 … 1
    partIndentRole, ///< int: levels, for tables that show a tree
    partFractionRole, ///< QStringList: the longest fraction of the column, and the cell's own, which
    ///< are at the right; so the decimal points of a column stand below each other
};

/// Draws rows of parts: a thin edge in the colour of the part's component, and below a share a thin
/// line of proportional length. Figures are aligned by their decimal points.
class PartDelegate : public QStyledItemDelegate
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
