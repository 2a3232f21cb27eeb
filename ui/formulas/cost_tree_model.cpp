// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/formulas/cost_tree_model.h"

#include "core/base/text.h"
#include "core/io/table/part_cell.h"
#include "core/lens/lens_total.h"
#include "ui/theme/part_delegate.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace flopsmith::ui {
namespace {

// The cost of all uses of a part under the lens; nothing if the lens has no figure for parts.
std::optional<Count> figureOf(const CostTree<Count>& tree,
                              int node,
                              LensId id,
                              const std::optional<Count>& whole)
{
    if (node == 0) {
        return whole;
    }
    if (lens(id).isFormula()) {
        return std::nullopt;
    }
    return tree.timesUsed(node) * pricedPart(id, tree, node);
}

} // namespace

std::vector<CostTreeModel::Row> CostTreeModel::rowsOf(const Scenario& scenario,
                                                      const CostTree<Count>& tree,
                                                      LensId id)
{
    const QString unit = fromUtf8(lens(id).unit);
    const std::optional<Count> whole = lensTotal(scenario, id, tree).figure;
    std::vector<Row> rows;
    for (int i = 0; i < tree.size(); ++i) {
        Row row{.name = fromUtf8(partCell(tree, i, scenario.model.name).shown),
                .path = fromUtf8(tree.path(i)),
                .figure = {},
                .exact = {},
                .component = fromUtf8(tree.node(i).component->title),
                .colour = i == 0 ? QColor() : colour(*tree.node(i).component),
                .share = {},
                .parent = tree.node(i).parent};
        if (const std::optional<Count> figure = figureOf(tree, i, id, whole)) {
            const bool blind = i > 0 && isBlindToPart(id, tree, i);
            row.figure = blind ? tr("uncounted") : fromUtf8(siText(toDouble(*figure)));
            row.exact = blind ? tr("The lens sees none of it")
                              : fromUtf8(groupedDigits(*figure)) + QLatin1Char(' ') + unit;
            row.share = whole && *whole > 0 ? toDouble(*figure) / toDouble(*whole) : 0.0;
        }
        if (row.parent >= 0) {
            std::vector<int>& siblings = rows[static_cast<std::size_t>(row.parent)].children;
            row.place = static_cast<int>(siblings.size());
            siblings.push_back(i);
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

bool CostTreeModel::hasShapeOf(const std::vector<Row>& rows) const
{
    return std::equal(
        rows.begin(), rows.end(), m_rows.begin(), m_rows.end(), [](const Row& a, const Row& b) {
            return a.parent == b.parent && a.path == b.path;
        });
}

void CostTreeModel::show(const Scenario& scenario, const CostTree<Count>& tree, LensId id)
{
    std::vector<Row> rows = rowsOf(scenario, tree, id);
    m_unit = fromUtf8(lens(id).unit);
    if (!hasShapeOf(rows)) {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
        return;
    }
    m_rows = std::move(rows);
    Q_EMIT headerDataChanged(Qt::Horizontal, part, figure);
    for (std::size_t i = 0; i < m_rows.size(); ++i) { // one range of children per parent
        if (const std::vector<int>& children = m_rows[i].children; !children.empty()) {
            Q_EMIT dataChanged(createIndex(0, part, static_cast<quintptr>(children.front())),
                               createIndex(static_cast<int>(children.size()) - 1,
                                           figure,
                                           static_cast<quintptr>(children.back())));
        }
    }
    if (!m_rows.empty()) {
        Q_EMIT dataChanged(index(0, part), index(0, figure));
    }
}

QModelIndex CostTreeModel::indexOf(const QString& path, int column) const
{
    const auto found = std::find_if(
        m_rows.begin(), m_rows.end(), [&path](const Row& row) { return row.path == path; });
    if (found == m_rows.end()) {
        return {};
    }
    return createIndex(found->place, column, static_cast<quintptr>(found - m_rows.begin()));
}

void CostTreeModel::setSelected(const QString& path)
{
    const QString before = std::exchange(m_selected, path);
    for (const QModelIndex& changed : {indexOf(before), indexOf(path)}) {
        if (changed.isValid()) {
            Q_EMIT dataChanged(changed, changed, {Qt::AccessibleTextRole});
        }
    }
}

const CostTreeModel::Row& CostTreeModel::row(const QModelIndex& index) const
{
    return m_rows.at(static_cast<std::size_t>(index.internalId()));
}

QModelIndex CostTreeModel::index(int place, int column, const QModelIndex& above) const
{
    if (!hasIndex(place, column, above)) {
        return {};
    }
    const int node = above.isValid() ? row(above).children[static_cast<std::size_t>(place)] : 0;
    return createIndex(place, column, static_cast<quintptr>(node));
}

QModelIndex CostTreeModel::parent(const QModelIndex& index) const
{
    if (!index.isValid() || row(index).parent < 0) {
        return {};
    }
    const int above = row(index).parent;
    return createIndex(
        m_rows[static_cast<std::size_t>(above)].place, part, static_cast<quintptr>(above));
}

int CostTreeModel::rowCount(const QModelIndex& above) const
{
    if (!above.isValid()) {
        return m_rows.empty() ? 0 : 1;
    }
    return above.column() == part ? static_cast<int>(row(above).children.size()) : 0;
}

int CostTreeModel::columnCount(const QModelIndex& /*parent*/) const
{
    return figure + 1;
}

QVariant CostTreeModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid()) {
        return {};
    }
    const Row& here = row(index);
    const bool isFigure = index.column() == figure;
    switch (role) {
    case Qt::DisplayRole: return isFigure ? here.figure : here.name;
    case Qt::ToolTipRole:
        return isFigure           ? here.exact
            : here.path.isEmpty() ? here.name
                                  : here.path + QStringLiteral("\n") + here.component;
    case Qt::AccessibleTextRole: {
        const bool isSelected = !isFigure && !m_selected.isEmpty() && here.path == m_selected;
        return isFigure ? here.exact : isSelected ? tr("%1, selected").arg(here.name) : here.name;
    }
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((isFigure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case pathRole: return here.path;
    case Qt::FontRole: return here.parent < 0 ? QVariant(uiFont(0.0, QFont::DemiBold)) : QVariant();
    case partColourRole: return isFigure || here.parent < 0 ? QVariant() : QVariant(here.colour);
    case partShareRole: return isFigure ? here.share : QVariant();
    default: return {};
    }
}

QVariant CostTreeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::DisplayRole) {
        return section == part ? tr("part") : m_unit;
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue((section == part ? Qt::AlignLeft : Qt::AlignRight)
                                   | Qt::AlignVCenter);
    }
    return {};
}

} // namespace flopsmith::ui

#include "moc_cost_tree_model.cpp"
