// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace flopsmith::ui {

/// What PartDelegate asks a model for, besides Qt's own roles.
enum PartRole {
    partColourRole = Qt::UserRole + 100, ///< QColor of the part's component, in the first column
    partShareRole, ///< double: of the whole, 0 … 1
    partIndentRole, ///< int: levels, for tables that show a tree
};

/// Rows that stand for parts of a model: a thin edge in the colour of the part's component, and
/// below a share a hairline as long as the share.
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
