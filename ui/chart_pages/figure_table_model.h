// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/figure.h"

#include <QAbstractTableModel>

namespace flopsmith::ui {

/// The numbers of a chart as a table.
class FigureTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void show(FigureTable table);
    const FigureTable& table() const { return m_table; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// The longest text of a column, its heading included.
    QString longestText(int column) const;

private:
    bool isNumeric(int column) const;

    FigureTable m_table;
};

} // namespace flopsmith::ui
