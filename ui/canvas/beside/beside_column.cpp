// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/beside/beside_column.h"

#include "ui/canvas/beside/design_column.h"
#include "ui/canvas/beside/stack_spacing.h"

#include <QScrollBar>

#include <algorithm>
#include <utility>

namespace flopsmith::ui {
namespace {

constexpr double kColumnShare = 0.34; // of the view's width
constexpr int kMinColumn = 110; // pixels
constexpr int kWidestColumn = 300;

} // namespace

BesideColumn::BesideColumn(Document& document, StackSurface& surface)
    : m_document(document)
    , m_surface(surface)
    , m_column(new DesignColumn(*surface.viewport(), &surface))
{
    connect(m_column, &DesignColumn::rowChosen, this, [this](int row) {
        m_surface.refresh();
        m_surface.chooseRow(row);
    });
    QScrollBar* bar = surface.verticalScrollBar();
    connect(m_column, &DesignColumn::scrollRequested, bar, &QScrollBar::setValue);
    connect(bar, &QScrollBar::valueChanged, m_column, &DesignColumn::setScroll);
}

void BesideColumn::show(std::optional<BesideDesign> design)
{
    const bool isOther =
        design.has_value() != m_design.has_value() || (design && design->scenario != *m_design);
    if (design) {
        m_column->setDesign(design->name);
    }
    if (!isOther) {
        return;
    }
    m_design = design ? std::optional(std::move(design->scenario)) : std::nullopt;
    m_picture =
        m_design ? stackPicture(*m_design, costTree(*m_design), LensId::exact) : StackPicture{};
    m_surface.refresh();
    align();
    Q_EMIT changed();
}

int BesideColumn::width() const
{
    return m_design
        ? std::clamp(static_cast<int>(kColumnShare * m_surface.width()), kMinColumn, kWidestColumn)
        : 0;
}

void BesideColumn::align()
{
    m_groups.clear();
    if (m_design) {
        m_groups =
            columnGroups({m_document.scenario(), m_surface.picture()}, {*m_design, m_picture});
    }
}

void BesideColumn::makeWay(StackGeometry& geometry)
{
    if (m_groups.empty()) {
        m_column->setBoxes({}, {});
        return;
    }
    const StackPicture& picture = m_surface.picture();
    ColumnLayout layout = columnLayout(
        m_groups, rowSpans(geometry, picture), geometry.gap, leastBox(geometry, picture));
    giveWay(geometry, picture, layout.before);
    std::vector<ColumnBox> boxes;
    for (const ColumnGroup& group : m_groups) {
        boxes.insert(boxes.end(), group.boxes.begin(), group.boxes.end());
    }
    m_column->setBoxes(std::move(boxes), std::move(layout.boxes));
}

} // namespace flopsmith::ui

#include "moc_beside_column.cpp"
