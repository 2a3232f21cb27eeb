// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"
#include "ui/document/throttle.h"
#include "ui/tables/cost_table_model.h"
#include "ui/tables/cost_table_order.h"

#include <QWidget>

QT_BEGIN_NAMESPACE
class QLineEdit;
class QPushButton;
class QTableView;
QT_END_NAMESPACE

namespace flopsmith::ui {

class ElidedLabel;

/// What the document's model costs, part by part, as a table: the rows of `flopsmith cost` with more
/// columns. A click on a heading sorts by exact values, a third click restores the tree's order; the
/// filter keeps rows whose path holds its words. Follows the document while it is to be seen.
class CostPage : public QWidget
{
    Q_OBJECT

public:
    explicit CostPage(Document& document, QWidget* parent = nullptr);

    const CostTableModel& model() const { return *m_model; }

    /// Whether the document or the lens has changed since the table was computed; hidden, it stays so.
    bool isStale() const { return m_isStale; }
    CostTableOrder& order() { return *m_order; }

    /// The chosen rows, or else all that are shown, in the order of the screen: a heading, then exact
    /// values between tabs.
    QString selectionText() const;

    /// Writes the whole table in the order of the tree; the suffix says how: csv, json (the report of
    /// `flopsmith cost`), md, tex. What went wrong stands on the page.
    bool saveTo(const QString& path);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void createTable();
    QWidget* createBar();
    QPushButton* createSaveButton(QWidget* parent);
    void fitColumns();

    void changed();
    void refresh();
    void showSummary();
    void askAndSave(const QString& suffix);
    void copy();

    Document& m_document;
    Throttle m_throttle;
    CostTableModel* m_model;
    CostTableOrder* m_order;
    QTableView* m_table = nullptr;
    QLineEdit* m_filter = nullptr;
    ElidedLabel* m_shown = nullptr; ///< how many rows, of which scenario
    ElidedLabel* m_outcome = nullptr; ///< what came of the last copy or save
    bool m_isStale = true;
    bool m_hasOwnWidths = false; ///< somebody has dragged a column's edge
};

} // namespace flopsmith::ui
