// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/designs.h"
#include "ui/document/document.h"
#include "ui/document/throttle.h"
#include "ui/tables/cost_table_model.h"
#include "ui/tables/cost_table_order.h"

#include <QWidget>

QT_BEGIN_NAMESPACE
class QLineEdit;
class QPushButton;
class QToolButton;
QT_END_NAMESPACE

namespace flopsmith::ui {

class ElidedLabel;
class FiguresView;

/// The cost of the document's model, part by part, as a table: the rows of `flopsmith cost` with
/// more columns. A click on a heading sorts by exact values, a third click restores the order of
/// the tree; the filter keeps rows whose path contains its words. Follows the document while
/// visible. The row of the document's operation is selected, and a single row that is chosen is the
/// document's operation; Esc and a click below the rows choose none.
class CostPage : public QWidget
{
    Q_OBJECT

public:
    explicit CostPage(Document& document, QWidget* parent = nullptr);

    /// From now on the table has a column for each frozen design: how the parts differ from its own.
    void compareWith(Designs& designs);

    const CostTableModel& model() const { return *m_model; }

    /// Whether the document or the lens has changed since the table was computed. A hidden page
    /// stays stale.
    bool isStale() const { return m_isStale; }
    CostTableOrder& order() { return *m_order; }

    /// Writes the whole table in the order of the tree, in the format of the suffix: csv, json (the
    /// report of `flopsmith cost`), md, tex. Shows an error on the page.
    bool saveTo(const QString& path);

Q_SIGNALS:
    /// A double click on a figure, or Return: the part at the path, the key of the column as in files,
    /// and where the figure stands in the page.
    void whyRequested(const QString& path, const QString& column, const QRect& place);

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void createTable();
    QWidget* createBar();
    QPushButton* createSaveButton(QWidget* parent);
    QToolButton* createCopyButton(QWidget* parent);
    void fitColumns();
    void connectSelection();
    void selectRowOfOperation();
    void selectRowAgain();
    void selectOperationOfRow();
    void askWhy(const QModelIndex& index);

    void changed();
    void refresh();
    void showSummary();
    void askAndSave(const QString& suffix);
    Table withChosen(const std::vector<int>& rows) const;

    Document& m_document;
    Designs* m_designs = nullptr; ///< that are compared
    Throttle m_throttle;
    CostTableModel* m_model;
    CostTableOrder* m_order;
    FiguresView* m_table = nullptr;
    QLineEdit* m_filter = nullptr;
    ElidedLabel* m_shown = nullptr; ///< number of rows, and the scenario
    ElidedLabel* m_outcome = nullptr; ///< of the last copy or save
    bool m_isStale = true;
    bool m_isSelecting = false; ///< table and document are being synchronised
    bool m_hasOwnWidths = false; ///< the user has resized a column
};

} // namespace flopsmith::ui
