// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tables/cost_table_model.h"

#include "core/base/text.h"
#include "core/io/table/common_units.h"
#include "core/io/table/table_text.h"
#include "ui/theme/part_delegate.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8.h"
#include "ui/widgets/table/figure_texts.h"

#include <algorithm>
#include <string>
#include <utility>

namespace flopsmith::ui {
namespace {

bool sameShape(const Table& a, const Table& b)
{
    return hasSameColumns(a, b)
        && std::equal(
               a.rows.begin(),
               a.rows.end(),
               b.rows.begin(),
               b.rows.end(),
               [](const auto& one, const auto& other) { return one.front() == other.front(); });
}

} // namespace

bool precedes(const Cell& a, const Cell& b)
{
    const auto* textA = std::get_if<std::string>(&a.value);
    const auto* textB = std::get_if<std::string>(&b.value);
    if (textA != nullptr && textB != nullptr) {
        return *textA < *textB;
    }
    return a.value < b.value; // empty cells, texts, counts, numbers; within a kind by value
}

void CostTableModel::show(Table table, std::vector<QColor> colours)
{
    m_fractions = longestFractions(table);
    if (!sameShape(table, m_table)) {
        beginResetModel();
        m_table = std::move(table);
        m_colours = std::move(colours);
        endResetModel();
        return;
    }
    const bool sameHeads = table.columns == m_table.columns;
    m_table = std::move(table);
    m_colours = std::move(colours);
    if (!sameHeads) { // other units
        Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    }
    if (!m_table.rows.empty()) {
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    }
}

void CostTableModel::setShowsPaths(bool paths)
{
    if (m_showsPaths == paths) {
        return;
    }
    m_showsPaths = paths;
    if (!m_table.rows.empty()) {
        Q_EMIT dataChanged(
            index(0, 0), index(rowCount() - 1, 0), {Qt::DisplayRole, partIndentRole});
    }
}

const Cell& CostTableModel::cell(int row, int column) const
{
    return m_table.rows.at(static_cast<std::size_t>(row)).at(static_cast<std::size_t>(column));
}

QString CostTableModel::path(int row) const
{
    return fromUtf8(flopsmith::exactText(cell(row, 0)));
}

int CostTableModel::rowOf(const QString& path) const
{
    for (int row = 0; row < rowCount(); ++row) {
        if (this->path(row) == path) {
            return row;
        }
    }
    return -1;
}

void CostTableModel::setSelected(const QString& path)
{
    const QString before = std::exchange(m_selected, path);
    for (const int row : {rowOf(before), rowOf(path)}) {
        if (row >= 0) {
            Q_EMIT dataChanged(index(row, 0), index(row, 0), {Qt::AccessibleTextRole});
        }
    }
}

const Column& CostTableModel::column(int section) const
{
    return m_table.columns.at(static_cast<std::size_t>(section));
}

int CostTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size());
}

int CostTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.columns.size());
}

QString CostTableModel::shownText(const QModelIndex& index) const
{
    const bool isPath = index.column() == 0 && index.row() > 0 && m_showsPaths;
    return isPath ? path(index.row()) : fromUtf8(cell(index.row(), index.column()).shown);
}

// "80 912 345 088 FLOPs", "0.3699…", "blocks[0]/ffn".
QString CostTableModel::exactText(const QModelIndex& index) const
{
    const Cell& here = cell(index.row(), index.column());
    const auto* count = std::get_if<Count>(&here.value);
    if (count == nullptr) {
        return fromUtf8(flopsmith::exactText(here));
    }
    const std::string& key = column(index.column()).key;
    const bool areBytes = key == "bytes" || key == "saved_activation_bytes";
    return fromUtf8(groupedDigits(*count)) + QLatin1Char(' ')
        + (areBytes ? tr("bytes") : fromUtf8(column(index.column()).title));
}

QStringList CostTableModel::fractions(const QModelIndex& index) const
{
    return index.column() == 0
        ? QStringList()
        : alignedFraction(m_fractions.at(static_cast<std::size_t>(index.column())),
                          cell(index.row(), index.column()));
}

QString CostTableModel::accessibleText(const QModelIndex& index) const
{
    const QString text = exactText(index);
    const bool isSelected =
        index.column() == 0 && !m_selected.isEmpty() && path(index.row()) == m_selected;
    return isSelected ? tr("%1, selected").arg(text) : text;
}

QVariant CostTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid()) {
        return {};
    }
    const bool isPart = index.column() == 0;
    switch (role) {
    case Qt::DisplayRole: return shownText(index);
    case Qt::ToolTipRole: return exactText(index);
    case Qt::AccessibleTextRole: return accessibleText(index);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((isPart ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::FontRole:
        return index.row() == 0 ? QVariant(uiFont(0.0, QFont::DemiBold)) : QVariant();
    case partIndentRole: return isPart && !m_showsPaths ? cell(index.row(), 0).indent : 0;
    case partColourRole:
        return isPart ? QVariant(m_colours.at(static_cast<std::size_t>(index.row()))) : QVariant();
    case partFractionRole: return fractions(index);
    case partShareRole: {
        if (cell(index.row(), index.column()).quantity != Quantity::share) {
            return {};
        }
        const auto* share = std::get_if<double>(&cell(index.row(), index.column()).value);
        return share != nullptr ? QVariant(*share) : QVariant();
    }
    default: return {};
    }
}

QVariant CostTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) {
        return {};
    }
    switch (role) {
    case Qt::DisplayRole: return titleAboveUnit(m_table, column(section));
    case Qt::AccessibleTextRole: return fromUtf8(headText(column(section)));
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((section == 0 ? Qt::AlignLeft : Qt::AlignRight)
                                   | Qt::AlignVCenter);
    case Qt::InitialSortOrderRole: // the largest cost first
        return QVariant::fromValue(section == 0 ? Qt::AscendingOrder : Qt::DescendingOrder);
    default: return {};
    }
}

} // namespace flopsmith::ui

#include "moc_cost_table_model.cpp"
