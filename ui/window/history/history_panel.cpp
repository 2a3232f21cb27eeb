// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/history/history_panel.h"

#include "ui/document/document.h"
#include "ui/theme/type_scale.h"
#include "ui/window/history/history_delegate.h"
#include "ui/window/history/history_model.h"

#include <QListView>

namespace flopsmith::ui {
namespace {

constexpr int kNarrowestHistory = 210; ///< "+1 234 GFLOPs · +100.0 %" beside its mark

} // namespace

HistoryPanel::HistoryPanel(Document& document, QWidget* parent)
    : Panel(QStringLiteral("history"), tr("History"), parent)
    , m_document(document)
    , m_model(new HistoryModel(document, this))
    , m_list(new QListView(this))
{
    setMinimumWidth(scaledToType(kNarrowestHistory, *this));
    m_list->setObjectName(QStringLiteral("window.history"));
    m_list->setAccessibleName(tr("Steps of the model and what each changed"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setProperty("flush", true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setUniformItemSizes(true);
    m_list->setMouseTracking(true);
    m_list->setItemDelegate(new HistoryDelegate(m_list));
    m_list->setModel(m_model);
    setBody(m_list);
    setFocusProxy(m_list);
    connect(m_list, &QListView::clicked, this, &HistoryPanel::jump);
    connect(m_list, &QListView::activated, this, &HistoryPanel::jump);
    connect(m_model, &HistoryModel::refreshed, this, &HistoryPanel::showCurrent);
}

void HistoryPanel::jump(const QModelIndex& row)
{
    m_document.undoStack().setIndex(row.row());
}

void HistoryPanel::showCurrent()
{
    const QModelIndex current = m_model->index(m_document.undoStack().index());
    if (m_list->currentIndex() != current) {
        m_list->setCurrentIndex(current);
        m_list->scrollTo(current);
    }
}

void HistoryPanel::showEvent(QShowEvent* event)
{
    Panel::showEvent(event);
    m_model->setOpen(true);
}

void HistoryPanel::hideEvent(QHideEvent* event)
{
    m_model->setOpen(false);
    Panel::hideEvent(event);
}

} // namespace flopsmith::ui
