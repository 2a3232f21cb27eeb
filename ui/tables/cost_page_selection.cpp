// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tables/cost_page.h"
#include "ui/theme/utf8.h"
#include "ui/widgets/table/figures_view.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QScopedValueRollback>

// The operation that the table and the document have selected.

namespace flopsmith::ui {

void CostPage::connectSelection()
{
    connect(&m_document, &Document::operationChanged, this, &CostPage::selectRowOfOperation);
    connect(m_table->selectionModel(),
            &QItemSelectionModel::selectionChanged,
            this,
            &CostPage::selectOperationOfRow);
    connect(m_table, &QAbstractItemView::doubleClicked, this, &CostPage::askWhy);
    m_table->installEventFilter(this);
    m_table->viewport()->installEventFilter(this);
}

// Several rows are chosen for copying; the whole model and the terms of a formula are no operations.
void CostPage::selectOperationOfRow()
{
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    if (m_isSelecting || rows.size() != 1) {
        return;
    }
    const QScopedValueRollback<bool> guard(m_isSelecting, true);
    m_document.selectOperation(
        m_model->path(m_order->mapToSource(rows.front()).row()).toStdString());
}

void CostPage::selectRowOfOperation()
{
    const QString path = fromUtf8(m_document.operation());
    m_model->setSelected(path);
    if (m_isSelecting || m_isStale) {
        return; // a stale table selects the row when it is computed
    }
    const QScopedValueRollback<bool> guard(m_isSelecting, true);
    const int row = path.isEmpty() ? -1 : m_model->rowOf(path);
    const QModelIndex index =
        row < 0 ? QModelIndex() : m_order->mapFromSource(m_model->index(row, 0));
    if (index.isValid()) {
        m_table->selectionModel()->setCurrentIndex(
            index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        m_table->scrollTo(index);
    } else {
        m_table->clearSelection();
    }
}

void CostPage::askWhy(const QModelIndex& index)
{
    if (!index.isValid()) {
        return;
    }
    const QModelIndex source = m_order->mapToSource(index);
    const Column& column = m_model->table().columns.at(static_cast<std::size_t>(source.column()));
    const QRect cell = m_table->visualRect(index);
    Q_EMIT whyRequested(m_model->path(source.row()),
                        fromUtf8(column.key),
                        {m_table->viewport()->mapTo(this, cell.topLeft()), cell.size()});
}

// After rows have come or gone, unless others are selected.
void CostPage::selectRowAgain()
{
    if (!m_table->selectionModel()->hasSelection()) {
        selectRowOfOperation();
    }
}

bool CostPage::eventFilter(QObject* watched, QEvent* event)
{
    const bool isKey = watched == m_table && event->type() == QEvent::KeyPress;
    const bool isPress =
        watched == m_table->viewport() && event->type() == QEvent::MouseButtonPress;
    if (isKey && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Return) {
        askWhy(m_table->currentIndex());
        return true;
    }
    const bool isEscape = isKey && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape;
    const bool isGround =
        isPress && !m_table->indexAt(static_cast<QMouseEvent*>(event)->pos()).isValid();
    if ((isEscape || isGround) && !m_document.operation().empty()) {
        m_document.selectOperation({});
        return isEscape;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace flopsmith::ui
