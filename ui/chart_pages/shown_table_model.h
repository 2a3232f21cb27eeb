// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/table/chart_table.h"

#include <QAbstractTableModel>

#include <vector>

namespace flopsmith::ui {

/// A table as people read it, with all digits in the tool tips; below a title stands its unit. Rows
/// have the colour of their component, sums are bold; those of added, removed or changed blocks that of the change.
class ShownTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void show(ChartTable shown);
    void show(Table table);
    const Table& table() const { return m_table; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QStringList fractions(const QModelIndex& index) const;
    QVariant mark(int row) const;
    bool isSum(int row) const;

    Table m_table;
    std::vector<const Component*> m_marks; ///< by row; empty: none has one
    std::vector<QString> m_fractions; ///< by column, the longest
};

} // namespace flopsmith::ui
