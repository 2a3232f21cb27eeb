// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/table/table.h"

#include <QAbstractTableModel>
#include <QColor>
#include <QStringList>

#include <vector>

namespace flopsmith::ui {

/// The cost table as a Qt model: cells show the short text, tool tips all digits. In the order of
/// the tree the first column is indented; sorted or filtered, it shows full paths, because a name
/// alone would be ambiguous.
class CostTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    /// `colours` has one colour per row, invalid for rows without a component. Tables of equal
    /// shape do not reset the model.
    void show(Table table, std::vector<QColor> colours);
    const Table& table() const { return m_table; }

    void setShowsPaths(bool paths);
    bool showsPaths() const { return m_showsPaths; }

    const Cell& cell(int row, int column) const;
    /// "blocks[0]/ffn"; "model" for the whole model.
    QString path(int row) const;

    /// The row with the path, or -1.
    int rowOf(const QString& path) const;

    /// The row of this path is the selected operation; screen readers announce it.
    void setSelected(const QString& path);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString shownText(const QModelIndex& index) const;
    QString exactText(const QModelIndex& index) const;
    QStringList fractions(const QModelIndex& index) const;
    QString accessibleText(const QModelIndex& index) const;
    const Column& column(int section) const;

    Table m_table;
    std::vector<QColor> m_colours;
    std::vector<QString> m_fractions; ///< by column, the longest
    QString m_selected; ///< path; empty: no selection
    bool m_showsPaths = false;
};

/// Whether a cell sorts before another: numbers by exact value, texts alphabetically, empty cells
/// first.
bool precedes(const Cell& a, const Cell& b);

} // namespace flopsmith::ui
