// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formula/formula.h"
#include "ui/document/document.h"
#include "ui/document/throttle.h"
#include "ui/formulas/cost_tree_model.h"

#include <QStringList>
#include <QWidget>

#include <optional>

QT_BEGIN_NAMESPACE
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeView;
QT_END_NAMESPACE

namespace flopsmith::ui {

class DerivationView;
class ElidedLabel;
class LiveSheet;

/// Explains a figure: on the left the parts of the model with their costs under the document's
/// lens, on the right the formula of the chosen part, with numbers substituted, the exact value and
/// the meaning of the symbols. Constraints ("f=4d") simplify it. The chosen part is the document's
/// operation, which is highlighted among the terms of the part around it; a click on a term chooses
/// it. Its letters can be dragged, which sets their parameters. Instead of the formula the page shows
/// how the total comes about, step by step. Only what is shown is computed, on the GUI thread, and
/// only while the page is visible.
class FormulaPage : public QWidget
{
    Q_OBJECT

public:
    explicit FormulaPage(Document& document, QWidget* parent = nullptr);

    /// Chooses a part by its path in the cost tree, in the document; empty: the whole model.
    void choose(const QString& path);
    const QString& chosen() const { return m_path; }

    /// The shown formula; none if the lens has none for the part.
    const std::optional<Formula>& formula() const { return m_formula; }

    /// The parameters whose letters can be moved, by their keys ("d_ff" of all blocks); nullopt:
    /// all.
    void setMovable(const std::optional<QStringList>& keys);

    /// Shows the derivation of the total in place of the formula.
    void showDerivation(bool on);
    bool isDeriving() const;
    DerivationView& derivation() { return *m_derivation; }

    /// Whether the document, the lens or the theme has changed since the page was computed. A
    /// hidden page stays stale.
    bool isStale() const { return m_isStale; }

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QWidget* createTree();
    QWidget* createSheet();
    LiveSheet* createLiveSheet(QWidget* parent);
    QWidget* createConstraints();
    QWidget* createButtons();
    void connectDocument();
    void keepExpansion();
    QString shownPath() const;
    void takeOperation();
    QString sums() const;
    QString sumOf(const QModelIndex& whole) const;

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
    LiveSheet* m_sheet = nullptr;
    DerivationView* m_derivation = nullptr;
    QWidget* m_constraintsRow = nullptr;
    QPushButton* m_steps = nullptr;
    QLineEdit* m_constraints = nullptr;
    QLabel* m_problem = nullptr;
    QPushButton* m_copyText = nullptr;
    QPushButton* m_copyLatex = nullptr;
    std::optional<QStringList> m_movable; ///< keys of parameters; nullopt: all
    QString m_path; ///< of the chosen part
    bool m_followsBlock = false; ///< a block was selected, and not the whole model since
    QStringList m_expanded; ///< while the tree is rebuilt
    std::optional<Formula> m_formula;
    bool m_isStale = true;
};

} // namespace flopsmith::ui
