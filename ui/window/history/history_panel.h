// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/panel.h"

QT_BEGIN_NAMESPACE
class QListView;
class QModelIndex;
QT_END_NAMESPACE

namespace flopsmith::ui {

class Document;
class HistoryModel;

/// The list of undo steps and what each changed, newest at the bottom. A click or Return jumps to
/// a step. Reads the document only while it is visible.
class HistoryPanel : public Panel
{
    Q_OBJECT

public:
    explicit HistoryPanel(Document& document, QWidget* parent = nullptr);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void jump(const QModelIndex& row);
    void showCurrent();

    Document& m_document;
    HistoryModel* m_model;
    QListView* m_list;
};

} // namespace flopsmith::ui
