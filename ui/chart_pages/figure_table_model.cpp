// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart_pages/figure_table_model.h"

#include <algorithm>
#include <utility>

namespace flopsmith::ui {

void FigureTableModel::show(FigureTable table)
{
    const bool sameShape =
        table.header == m_table.header && table.rows.size() == m_table.rows.size();
    if (sameShape) { // keep the selection and the scroll position
        m_table = std::move(table);
        if (!m_table.rows.empty()) {
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        }
        return;
    }
    beginResetModel();
    m_table = std::move(table);
    endResetModel();
}

int FigureTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size());
}

int FigureTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.header.size());
}

QVariant FigureTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid()) {
        return {};
    }
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole) {
        return m_table.rows[static_cast<std::size_t>(index.row())].value(index.column());
    }
    if (role == Qt::TextAlignmentRole) {
        const Qt::Alignment side = isNumeric(index.column()) ? Qt::AlignRight : Qt::AlignLeft;
        return QVariant::fromValue(side | Qt::AlignVCenter);
    }
    return {};
}

QVariant FigureTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::DisplayRole) {
        return m_table.header.value(section);
    }
    if (role == Qt::TextAlignmentRole) {
        const Qt::Alignment side = isNumeric(section) ? Qt::AlignRight : Qt::AlignLeft;
        return QVariant::fromValue(side | Qt::AlignVCenter);
    }
    return {};
}

QString FigureTableModel::longestText(int column) const
{
    QString longest = m_table.header.value(column);
    for (const QStringList& row : m_table.rows) {
        if (row.value(column).size() > longest.size()) {
            longest = row.value(column);
        }
    }
    return longest;
}

// A column is numeric if its first cell that is not empty is a number.
bool FigureTableModel::isNumeric(int column) const
{
    const auto filled =
        std::find_if(m_table.rows.begin(), m_table.rows.end(), [column](const QStringList& row) {
            return !row.value(column).isEmpty();
        });
    bool number = false;
    if (filled != m_table.rows.end()) {
        filled->value(column).toDouble(&number);
    }
    return number;
}

} // namespace flopsmith::ui
