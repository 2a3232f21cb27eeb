// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formula/formula.h"
#include "ui/document/document.h"
#include "ui/document/throttle.h"
#include "ui/formulas/cost_tree_model.h"

#include <QWidget>

#include <optional>

QT_BEGIN_NAMESPACE
class QLabel;
class QLineEdit;
class QPushButton;
class QTextBrowser;
class QTreeView;
QT_END_NAMESPACE

namespace flopsmith::ui {

class ElidedLabel;

/// Why a figure is what it is: on the left the parts of the model with what the document's lens
/// charges for them, on the right the formula of the chosen part, numbers put in, exact value and
/// what the letters mean. Constraints ("f=4d") simplify it.
///
/// Only the chosen part's formula is made, on the thread of the window, and only while the page is
/// to be seen.
class FormulaPage : public QWidget
{
    Q_OBJECT

public:
    explicit FormulaPage(Document& document, QWidget* parent = nullptr);

    /// Chooses a part by its path in the cost tree; empty: the whole model.
    void choose(const QString& path);
    const QString& chosen() const { return m_path; }

    /// The formula that is shown; none under a lens that has none for the part.
    const std::optional<Formula>& formula() const { return m_formula; }

    /// Whether the document, the lens or the theme has changed since the page was computed; hidden,
    /// it stays so.
    bool isStale() const { return m_isStale; }

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QWidget* createTree();
    QWidget* createSheet();
    QWidget* createConstraints();
    QWidget* createButtons();
    void connectDocument();
    void keepExpansion();

    void changed();
    void refresh();
    void refreshTree();
    void refreshFormula();
    void takeFormula();
    void showTitle();
    void showNothing(const QString& sentence);
    void copy(const std::string& formula, const std::string& legend);

    Document& m_document;
    Throttle m_throttle;
    CostTreeModel* m_model;
    QTreeView* m_tree = nullptr;
    ElidedLabel* m_title = nullptr;
    ElidedLabel* m_where = nullptr;
    QLabel* m_value = nullptr;
    QLabel* m_uses = nullptr;
    QTextBrowser* m_sheet = nullptr;
    QLineEdit* m_constraints = nullptr;
    QLabel* m_problem = nullptr;
    QPushButton* m_copyText = nullptr;
    QPushButton* m_copyLatex = nullptr;
    QString m_path; ///< of the chosen part
    QStringList m_expanded; ///< while the tree is built anew
    std::optional<Formula> m_formula;
    bool m_isStale = true;
};

} // namespace flopsmith::ui
