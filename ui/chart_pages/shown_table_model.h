// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/table/table.h"
#include "ui/charts/base/figure.h"

#include <QAbstractTableModel>

#include <vector>

namespace flopsmith::ui {

/// The numbers of a chart as a table of texts. A column is at the right if its first cell that is
/// not empty is a number.
Table textTable(const FigureTable& figure);

/// A table as people read it, with all digits in the tool tips. Rows of added, removed or changed
/// blocks have the colour of the change.
class ShownTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void show(Table table);
    const Table& table() const { return m_table; }

    /// The longest text of a column, its heading included.
    QString longestText(int column) const;

    /// The rows as text with tabs and all digits, below their heading.
    QString text(const std::vector<int>& rows) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    Table m_table;
};

} // namespace flopsmith::ui
