// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"
#include "ui/jobs/budget_search.h"

#include <QDialog>

#include <optional>
#include <vector>

QT_BEGIN_NAMESPACE
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// "Fit to budget": searches the largest value of a parameter with at most so much of a metric, or
/// the smallest with at least so much. Others are varied with it by rules that are typed for this
/// search, and what is tied in the document follows. It shows what was tried, and applies the result
/// as one undo step.
class FitDialog : public QDialog
{
    Q_OBJECT

public:
    FitDialog(Document& document, QWidget& window);

    QComboBox& parameter() { return *m_parameter; }
    QLineEdit& together() { return *m_together; }
    QComboBox& metricBox() { return *m_metric; }
    QComboBox& side() { return *m_side; }
    QLineEdit& limit() { return *m_limit; }
    QPushButton& searchButton() { return *m_search; }
    QPushButton& applyButton() { return *m_apply; }
    QTableWidget& points() { return *m_points; }
    QString resultText() const;

private:
    void addInputs(QFormLayout& form);
    void fillParameters();
    void searchOrStop();
    Result<SearchPlan> plan() const;
    void showTriedPoint(int row, const SearchedPoint& point, const QString& followers);
    void take(const Result<SearchResult>& result);
    void showTried(const SearchResult& result);
    void apply();
    void forget();
    void showButtons();

    Document& m_document;
    BudgetSearch m_job;
    SearchPlan m_plan{}; ///< of the running or the last search
    std::optional<FieldValue> m_found;
    std::vector<Tie> m_typed; ///< the rules of the running or the last search
    QComboBox* m_parameter;
    QLineEdit* m_together;
    QComboBox* m_metric;
    QComboBox* m_side;
    QLineEdit* m_limit;
    QLabel* m_result;
    QTableWidget* m_points;
    QPushButton* m_search;
    QPushButton* m_apply;
};

} // namespace flopsmith::ui
