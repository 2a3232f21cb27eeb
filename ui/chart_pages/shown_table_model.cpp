// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart_pages/shown_table_model.h"

#include "core/base/text.h"
#include "core/io/table/table_text.h"
#include "ui/theme/part_delegate.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8.h"
#include "ui/widgets/table/figure_texts.h"

#include <QStringList>

#include <algorithm>
#include <utility>

namespace flopsmith::ui {
namespace {

constexpr const char* kKindColumn = "kind"; // of a row of blocks

// The colour for added, removed or changed blocks; empty for unchanged ones.
QVariant kindColour(const Table& table, const std::vector<Cell>& row)
{
    const Theme& theme = systemTheme();
    const bool hasKind = !table.columns.empty() && table.columns.front().key == kKindColumn;
    const std::string kind = hasKind ? exactText(row.front()) : std::string();
    return kind == "added"  ? QVariant(theme.positive)
        : kind == "removed" ? QVariant(theme.negative)
        : kind == "changed" ? QVariant(theme.warning)
                            : QVariant();
}

QVariant sideOf(const Column& column)
{
    const Qt::Alignment side = column.align == Align::left ? Qt::AlignLeft : Qt::AlignRight;
    return QVariant::fromValue(side | Qt::AlignVCenter);
}

QString allDigits(const Cell& cell)
{
    const auto* count = std::get_if<Count>(&cell.value);
    return fromUtf8(count != nullptr ? groupedDigits(*count) : exactText(cell));
}

} // namespace

void ShownTableModel::show(ChartTable shown)
{
    const bool sameShape =
        hasSameColumns(shown.table, m_table) && shown.table.rows.size() == m_table.rows.size();
    const bool sameHeads = shown.table.columns == m_table.columns;
    if (!sameShape) {
        beginResetModel();
    }
    m_table = std::move(shown.table);
    m_marks = std::move(shown.marks);
    m_fractions = longestFractions(m_table);
    if (!sameShape) {
        endResetModel();
        return;
    }
    if (!sameHeads) { // other units
        Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    }
    if (!m_table.rows.empty()) { // keep the selection and the scroll position
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    }
}

void ShownTableModel::show(Table table)
{
    show(ChartTable{.table = std::move(table)});
}

QStringList ShownTableModel::fractions(const QModelIndex& index) const
{
    const auto column = static_cast<std::size_t>(index.column());
    const bool areFigures = m_table.columns[column].align == Align::right;
    return areFigures ? alignedFraction(m_fractions[column],
                                        m_table.rows[static_cast<std::size_t>(index.row())][column])
                      : QStringList();
}

QVariant ShownTableModel::mark(int row) const
{
    const auto place = static_cast<std::size_t>(row);
    const bool hasMark = place < m_marks.size() && m_marks[place] != nullptr;
    return hasMark ? QVariant(colour(*m_marks[place])) : QVariant();
}

// A row without a component among rows that have one.
bool ShownTableModel::isSum(int row) const
{
    return !mark(row).isValid()
        && std::any_of(
            m_marks.begin(), m_marks.end(), [](const Component* each) { return each != nullptr; });
}

int ShownTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size());
}

int ShownTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.columns.size());
}

QVariant ShownTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid()) {
        return {};
    }
    const std::vector<Cell>& row = m_table.rows[static_cast<std::size_t>(index.row())];
    const Cell& cell = row[static_cast<std::size_t>(index.column())];
    switch (role) {
    case Qt::DisplayRole: return fromUtf8(cell.shown);
    case Qt::ToolTipRole: return allDigits(cell);
    case Qt::FontRole: return isSum(index.row()) ? uiFont(0.0, QFont::DemiBold) : QVariant();
    case partIndentRole: return cell.indent;
    case partColourRole: return index.column() == 0 ? mark(index.row()) : QVariant();
    case partFractionRole: return fractions(index);
    case Qt::ForegroundRole: return kindColour(m_table, row);
    case Qt::TextAlignmentRole:
        return sideOf(m_table.columns[static_cast<std::size_t>(index.column())]);
    default: return {};
    }
}

QVariant ShownTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) {
        return {};
    }
    const Column& column = m_table.columns[static_cast<std::size_t>(section)];
    switch (role) {
    case Qt::DisplayRole: return titleAboveUnit(m_table, column);
    case Qt::AccessibleTextRole:
    case Qt::ToolTipRole: return fromUtf8(headText(column));
    case Qt::TextAlignmentRole: return sideOf(column);
    default: return {};
    }
}

} // namespace flopsmith::ui

#include "moc_shown_table_model.cpp"
