// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tables/cost_table_order.h"

#include "ui/tables/cost_table_model.h"

#include <algorithm>

namespace flopsmith::ui {

CostTableOrder::CostTableOrder(CostTableModel& model, QObject* parent)
    : QSortFilterProxyModel(parent)
    , m_model(model)
{
    setSourceModel(&model);
    setDynamicSortFilter(true);
}

void CostTableOrder::setFilter(const QString& words)
{
    m_words = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    invalidateFilter();
    namesFollow();
}

void CostTableOrder::sort(int column, Qt::SortOrder order)
{
    QSortFilterProxyModel::sort(column, order);
    if (columnCount() > 0) {
        Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    }
    namesFollow();
}

QVariant CostTableOrder::headerData(int section, Qt::Orientation orientation, int role) const
{
    const QVariant title = m_model.headerData(section, orientation, role);
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal || section != sortColumn()) {
        return title;
    }
    const bool descending = sortOrder() == Qt::DescendingOrder;
    QStringList lines = title.toString().split(QLatin1Char('\n'));
    lines.front() += descending ? QStringLiteral(" ↓") : QStringLiteral(" ↑");
    return lines.join(QLatin1Char('\n'));
}

// In any order but the tree's, a name needs its path.
void CostTableOrder::namesFollow()
{
    m_model.setShowsPaths(sortColumn() >= 0 || !m_words.isEmpty());
}

bool CostTableOrder::filterAcceptsRow(int row, const QModelIndex& /*parent*/) const
{
    const QString path = m_model.path(row);
    return std::all_of(m_words.begin(), m_words.end(), [&path](const QString& word) {
        return path.contains(word, Qt::CaseInsensitive);
    });
}

bool CostTableOrder::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    return precedes(m_model.cell(left.row(), left.column()),
                    m_model.cell(right.row(), right.column()));
}

} // namespace flopsmith::ui

#include "moc_cost_table_order.cpp"
