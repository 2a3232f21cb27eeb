// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/stack/stack_pages.h"

#include "ui/canvas/inside/inside_canvas.h"
#include "ui/canvas/inside/inside_page.h"
#include "ui/canvas/stack_view.h"

#include <QAction>
#include <QApplication>

namespace flopsmith::ui {

StackPages::StackPages(Document& document, QWidget* parent)
    : QStackedWidget(parent)
    , m_document(document)
    , m_stack(new StackView(document, this))
    , m_inside(new InsidePage(document, this))
{
    setObjectName(QStringLiteral("stackPages"));
    setAccessibleName(tr("Stack of blocks or the inside of one"));
    addWidget(m_stack);
    addWidget(m_inside);
    connect(
        &m_stack->actionsOfStack().inside(), &QAction::triggered, this, &StackPages::openInside);
    connect(m_inside, &InsidePage::left, this, &StackPages::closeInside);
    connect(m_stack, &StackView::findStarts, this, [this] {
        if (isInside()) {
            closeInside(); // what is found are rows of the stack
        }
    });
    connect(m_stack, &StackView::noteChanged, this, &StackPages::showNote);
    connect(m_inside, &InsidePage::noteChanged, this, &StackPages::showNote);
    connect(&document, &Document::selectionChanged, this, &StackPages::leaveIfNoBlocks);
}

bool StackPages::isInside() const
{
    return currentWidget() == m_inside;
}

void StackPages::openInside()
{
    if (m_document.selection().isRun()) {
        setCurrentWidget(m_inside);
        m_inside->canvas().setFocus();
        showNote();
    }
}

void StackPages::closeInside()
{
    setCurrentWidget(m_stack);
    m_stack->setFocus();
    showNote();
}

void StackPages::refresh()
{
    m_stack->refresh();
    m_inside->canvas().refresh();
}

// The person may be at work in another panel: then the focus stays there.
void StackPages::leaveIfNoBlocks()
{
    if (!isInside() || m_document.selection().isRun()) {
        return;
    }
    if (m_inside->isAncestorOf(QApplication::focusWidget())) {
        closeInside();
    } else {
        setCurrentWidget(m_stack);
        showNote();
    }
}

void StackPages::showNote()
{
    Q_EMIT noteChanged(isInside() ? m_inside->note() : m_stack->zoom().note());
}

} // namespace flopsmith::ui

#include "moc_stack_pages.cpp"
