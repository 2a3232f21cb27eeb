// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/beside/design_column.h"
#include "ui/canvas/beside/stack_spacing.h"
#include "ui/canvas/stack_view.h"

#include <QScrollBar>

#include <algorithm>
#include <utility>

// The column with another design beside the stack.

namespace flopsmith::ui {
namespace {

constexpr double kColumnShare = 0.34; // of the view's width
constexpr int kMinColumn = 110; // pixels
constexpr int kWidestColumn = 300;

} // namespace

void StackView::connectColumn()
{
    connect(m_column, &DesignColumn::rowChosen, this, [this](int row) {
        refresh();
        chooseRow(row);
    });
    connect(m_column, &DesignColumn::scrollWanted, verticalScrollBar(), &QScrollBar::setValue);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, m_column, &DesignColumn::setScroll);
}

void StackView::showBeside(std::optional<BesideDesign> design)
{
    const bool isOther =
        design.has_value() != m_beside.has_value() || (design && design->scenario != *m_beside);
    if (design) {
        m_column->setDesign(design->name);
    }
    if (!isOther) {
        return;
    }
    m_beside = design ? std::optional(std::move(design->scenario)) : std::nullopt;
    m_besidePicture =
        m_beside ? stackPicture(*m_beside, costTree(*m_beside), LensId::exact) : StackPicture{};
    refresh();
    alignColumn();
    m_margin.place(); // the viewport changes its width, and lays out
    layOut();
    rebuildItems(); // rows that gave way stand where they stood
}

int StackView::columnWidth() const
{
    return m_beside
        ? std::clamp(static_cast<int>(kColumnShare * width()), kMinColumn, kWidestColumn)
        : 0;
}

// Whenever the picture or the design has changed.
void StackView::alignColumn()
{
    m_groups.clear();
    if (m_beside) {
        m_groups =
            columnGroups({m_document.scenario(), m_layout.picture}, {*m_beside, m_besidePicture});
    }
}

// Moves the rows apart where the column needs more height than they have.
void StackView::makeWay(StackGeometry& geometry)
{
    if (m_groups.empty()) {
        m_column->setBoxes({}, {});
        return;
    }
    ColumnLayout layout = columnLayout(m_groups,
                                       rowSpans(geometry, m_layout.picture),
                                       geometry.gap,
                                       leastBox(geometry, m_layout.picture));
    giveWay(geometry, m_layout.picture, layout.before);
    std::vector<ColumnBox> boxes;
    for (const ColumnGroup& group : m_groups) {
        boxes.insert(boxes.end(), group.boxes.begin(), group.boxes.end());
    }
    m_column->setBoxes(std::move(boxes), std::move(layout.boxes));
}

} // namespace flopsmith::ui
