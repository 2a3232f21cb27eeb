// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart_pages/shown_table_model.h"

#include "core/io/table/table_text.h"
#include "ui/theme/theme.h"

#include <QApplication>

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

bool isNumeric(const FigureTable& figure, int column)
{
    const auto filled =
        std::find_if(figure.rows.begin(), figure.rows.end(), [column](const QStringList& row) {
            return !row.value(column).isEmpty();
        });
    bool number = false;
    if (filled != figure.rows.end()) {
        filled->value(column).toDouble(&number);
    }
    return number;
}

} // namespace

Table textTable(const FigureTable& figure)
{
    Table table;
    const int columns = static_cast<int>(figure.header.size());
    for (int column = 0; column < columns; ++column) {
        table.columns.push_back({.title = figure.header[column].toStdString(),
                                 .align = isNumeric(figure, column) ? Align::right : Align::left});
    }
    for (const QStringList& row : figure.rows) {
        table.rows.emplace_back();
        for (int column = 0; column < columns; ++column) {
            table.rows.back().push_back(Cell::text(row.value(column).toStdString()));
        }
    }
    return table;
}

void ShownTableModel::show(Table table)
{
    const bool sameShape =
        table.columns == m_table.columns && table.rows.size() == m_table.rows.size();
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

QString ShownTableModel::longestText(int column) const
{
    const auto place = static_cast<std::size_t>(column);
    QString longest = QString::fromStdString(m_table.columns[place].title);
    for (const std::vector<Cell>& row : m_table.rows) {
        if (const QString text = QString::fromStdString(row[place].shown);
            text.size() > longest.size()) {
            longest = text;
        }
    }
    return longest;
}

QString ShownTableModel::text(const std::vector<int>& rows) const
{
    QStringList head;
    for (const Column& column : m_table.columns) {
        head << QString::fromStdString(column.title);
    }
    QString text = head.join(QLatin1Char('\t')) + QLatin1Char('\n');
    for (const int row : rows) {
        QStringList cells;
        for (const Cell& cell : m_table.rows.at(static_cast<std::size_t>(row))) {
            cells << QString::fromStdString(exactText(cell));
        }
        text += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    }
    return text;
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
    case Qt::DisplayRole:
        return QString(4 * cell.indent, QLatin1Char(' ')) + QString::fromStdString(cell.shown);
    case Qt::ToolTipRole: return QString::fromStdString(exactText(cell));
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
    if (role == Qt::DisplayRole) {
        return QString::fromStdString(column.title);
    }
    return role == Qt::TextAlignmentRole ? sideOf(column) : QVariant();
}

} // namespace flopsmith::ui

#include "moc_shown_table_model.cpp"
