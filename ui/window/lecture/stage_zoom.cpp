// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/lecture/stage_zoom.h"

#include "core/present/stack/stack_zoom.h"
#include "ui/canvas/stack_view.h"
#include "ui/window/stack/stack_pages.h"

#include <QApplication>
#include <QPointer>
#include <QScrollBar>

#include <utility>

namespace flopsmith::ui {
namespace {

void showModel(StackView& stack)
{
    stack.zoom().toFit();
    if (stack.zoom().factor() < kPartsZoom) { // an audience reads no bars without names
        stack.zoom().set(kPartsZoom);
        stack.verticalScrollBar()->setValue(0);
    }
}

// The focus stays with the lesson's question.
void turn(StackPages& stack)
{
    const QPointer<QWidget> focus = QApplication::focusWidget();
    if (stack.isInside()) {
        stack.closeInside();
    } else {
        stack.openInside();
    }
    if (focus != nullptr && !stack.isAncestorOf(focus)) {
        focus->setFocus();
    }
}

} // namespace

void StageZoom::set(std::string zoom)
{
    m_zoom = std::move(zoom);
    m_applied = 0.0;
}

void StageZoom::apply(StackPages& stack)
{
    if (stack.isInside() != (m_zoom == "inside")) {
        turn(stack);
    }
    if (m_zoom == "inside") {
        return;
    }
    if (m_zoom == "selection") {
        stack.stack().zoom().toSelection();
    } else {
        showModel(stack.stack());
    }
    m_applied = stack.stack().zoom().factor();
}

void StageZoom::keep(StackPages& stack)
{
    if (m_zoom != "inside" && stack.stack().zoom().factor() == m_applied) {
        apply(stack);
    }
}

} // namespace flopsmith::ui
