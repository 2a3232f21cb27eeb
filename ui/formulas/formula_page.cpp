// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/formulas/formula_page.h"

#include "core/base/text.h"
#include "core/model/tree_path.h"
#include "core/study/variation/part_scope.h"
#include "ui/formulas/derivation_view.h"
#include "ui/formulas/formula_sheet.h"
#include "ui/formulas/formula_text.h"
#include "ui/formulas/live_sheet.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/theme.h"
#include "ui/theme/type_scale.h"
#include "ui/theme/utf8.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPushButton>
#include <QScrollBar>
#include <QSplitter>
#include <QTreeView>

#include <array>
#include <functional>
#include <span>
#include <utility>

namespace flopsmith::ui {
namespace {

// The formula of a whole model takes some milliseconds, which must not delay dragging a slider.
constexpr int kInterval = 120; // milliseconds
constexpr int kTreeWidth = 330;

} // namespace

FormulaPage::FormulaPage(Document& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_throttle([this] { refresh(); }, kInterval)
    , m_model(new CostTreeModel(this))
{
    setObjectName(QStringLiteral("formulas"));
    setAccessibleName(tr("Formulas"));
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->setObjectName(QStringLiteral("formulas.panels"));
    splitter->setAccessibleName(tr("Panels"));
    splitter->setHandleWidth(10);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(createTree());
    splitter->addWidget(createSheet());
    splitter->setStretchFactor(1, 1);
    const int tree = scaledToType(kTreeWidth, *this);
    splitter->setSizes({tree, 2 * tree});
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(0, 0, 0, 0);
    line->addWidget(splitter);
    connectDocument();
}

void FormulaPage::connectDocument()
{
    connect(&m_document, &Document::scenarioChanged, this, &FormulaPage::changed);
    connect(&m_document, &Document::lensChanged, this, &FormulaPage::changed);
    connect(m_model, &QAbstractItemModel::modelAboutToBeReset, this, &FormulaPage::keepExpansion);
    connect(&m_document, &Document::operationChanged, this, &FormulaPage::takeOperation);
    connect(&m_document, &Document::selectionChanged, this, [this] {
        m_followsBlock = isVisible() && !m_movable; // a lesson chooses the part itself
        takeOperation();
    });
    connect(m_tree->selectionModel(),
            &QItemSelectionModel::currentChanged,
            this,
            [this](const QModelIndex& now) {
                if (now.isValid()) {
                    choose(now.data(CostTreeModel::pathRole).toString());
                }
            });
    connect(m_sheet, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        choose(pathOfLink(link));
    });
    m_tree->viewport()->installEventFilter(this);
    takeOperation();
}

void FormulaPage::choose(const QString& path)
{
    if (path != m_path) {
        m_followsBlock = m_followsBlock && !path.isEmpty();
        m_document.selectOperation(path.toStdString());
        takeOperation();
    }
}

// A press below the parts chooses the whole model.
bool FormulaPage::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_tree->viewport() && event->type() == QEvent::MouseButtonPress
        && !m_tree->indexAt(static_cast<QMouseEvent*>(event)->pos()).isValid()) {
        choose({});
    }
    return QWidget::eventFilter(watched, event);
}

void FormulaPage::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && !m_path.isEmpty()) {
        choose({});
        return;
    }
    QWidget::keyPressEvent(event);
}

// The chosen operation, or otherwise the block that was selected since the whole model was chosen.
QString FormulaPage::shownPath() const
{
    const Selection& selection = m_document.selection();
    if (!m_document.operation().empty() || !m_followsBlock || !selection.isRun()) {
        return fromUtf8(m_document.operation());
    }
    return fromUtf8(nearestPath(
        m_document.costTree(),
        scopePath(m_document.model(), {.kind = ScopeKind::block, .run = selection.run})));
}

void FormulaPage::takeOperation()
{
    m_path = shownPath();
    m_model->setSelected(m_path);
    m_sheet->verticalScrollBar()->setValue(0);
    changed();
}

void FormulaPage::changed()
{
    m_isStale = true;
    if (isVisible()) {
        m_throttle.request();
    }
}

void FormulaPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_isStale) {
        m_throttle.request();
    }
}

void FormulaPage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_sheet != nullptr) {
        changed(); // the sheet contains the theme's colours
    }
}

void FormulaPage::refresh()
{
    if (!isVisible()) {
        return; // hidden meanwhile: still stale
    }
    m_isStale = false;
    refreshTree();
    refreshFormula();
    if (isDeriving()) {
        m_derivation->refresh(m_movable);
    }
}

void FormulaPage::setMovable(const std::optional<QStringList>& keys)
{
    if (keys != m_movable) {
        m_movable = keys;
        changed();
    }
}

bool FormulaPage::isDeriving() const
{
    return !m_derivation->isHidden();
}

void FormulaPage::showDerivation(bool on)
{
    m_steps->setChecked(on);
    m_sheet->setHidden(on);
    m_derivation->setVisible(on);
    m_constraintsRow->setEnabled(!on);
    changed();
}

// Saves which parts are expanded before the tree is rebuilt.
void FormulaPage::keepExpansion()
{
    m_expanded.clear();
    const std::function<void(const QModelIndex&)> visit = [&](const QModelIndex& above) {
        for (int row = 0; row < m_model->rowCount(above); ++row) {
            const QModelIndex child = m_model->index(row, 0, above);
            if (m_tree->isExpanded(child)) {
                m_expanded << child.data(CostTreeModel::pathRole).toString();
                visit(child);
            }
        }
    };
    visit({});
}

void FormulaPage::refreshTree()
{
    const QString path = m_path;
    m_model->show(m_document.scenario(), m_document.costTree(), m_document.lens());
    if (m_expanded.isEmpty() && !m_tree->isExpanded(m_model->index(0, 0))) {
        m_tree->expandToDepth(1);
    }
    for (const QString& open : std::exchange(m_expanded, {})) {
        m_tree->expand(m_model->indexOf(open));
    }
    QModelIndex index = m_model->indexOf(path);
    if (!index.isValid()) {
        index = m_model->index(0, 0);
    }
    m_path = index.data(CostTreeModel::pathRole).toString();
    if (index != m_tree->currentIndex()) {
        m_tree->setCurrentIndex(index);
        m_tree->scrollTo(index);
    }
}

// The part around the chosen one as the sum of its parts, and the chosen one as the sum of its own.
QString FormulaPage::sums() const
{
    const QModelIndex chosen = m_model->indexOf(m_path);
    return (m_path.isEmpty() ? QString() : sumOf(chosen.parent())) + sumOf(chosen);
}

QString FormulaPage::sumOf(const QModelIndex& whole) const
{
    std::vector<SheetTerm> terms;
    for (int row = 0; row < m_model->rowCount(whole); ++row) {
        const QModelIndex part = m_model->index(row, CostTreeModel::part, whole);
        const QString path = part.data(CostTreeModel::pathRole).toString();
        terms.push_back(
            {.name = part.data(Qt::DisplayRole).toString(),
             .path = path,
             .figure = part.siblingAtColumn(CostTreeModel::figure).data(Qt::DisplayRole).toString(),
             .selected = path == m_path});
    }
    return sumLine(whole.data(Qt::DisplayRole).toString(), terms, systemTheme());
}

void FormulaPage::refreshFormula()
{
    m_formula.reset();
    m_problem->hide();
    const Lens& by = lens(m_document.lens());
    if (by.isFormula() && !m_path.isEmpty()) {
        showNothing(tr("“%1” is a formula for the whole model: its parts have no formula of their "
                       "own. Choose the model at the top of the tree, or another lens.")
                        .arg(fromUtf8(by.title)));
    } else {
        takeFormula();
    }
    showTitle();
    m_copyText->setEnabled(m_formula.has_value());
    m_copyLatex->setEnabled(m_formula.has_value());
    m_constraints->setEnabled(m_formula.has_value());
}

void FormulaPage::takeFormula()
{
    const std::array<std::string, 1> wanted{m_constraints->text().trimmed().toStdString()};
    const std::span<const std::string> simplify =
        wanted.front().empty() ? std::span<const std::string>() : std::span(wanted);
    const std::string path = m_path.toStdString();
    Result<Formula> made = formulaOf(m_document.scenario(), path, m_document.lens(), simplify);
    if (!made && !simplify.empty()) {
        m_problem->setText(QString::fromStdString(made.error().message));
        m_problem->show();
        made = formulaOf(m_document.scenario(), path, m_document.lens());
    }
    if (!made) {
        showNothing(QString::fromStdString(made.error().message));
        return;
    }
    m_formula = *made;
    const int place = m_sheet->verticalScrollBar()->value();
    const std::vector<MovableSymbol> symbols =
        movableSymbols(m_document.scenario(), m_formula->symbols, m_formula->path, m_movable);
    m_sheet->showLive(formulaSheet(*m_formula, systemTheme(), namesOf(symbols)) + sums(), symbols);
    m_sheet->setAccessibleDescription(plainFormula(m_formula->text));
    m_sheet->verticalScrollBar()->setValue(place);
}

void FormulaPage::showTitle()
{
    const Lens& by = lens(m_document.lens());
    const QModelIndex index = m_model->indexOf(m_path);
    const CostTree<Count>& tree = m_document.costTree();
    const Count uses = tree.timesUsed(static_cast<int>(index.internalId()));
    m_title->setText(index.data(Qt::DisplayRole).toString());
    const QString rule = tr("lens %1").arg(fromUtf8(by.title));
    m_where->setText(m_path.isEmpty() ? rule : m_path + QStringLiteral("  ·  ") + rule);
    m_where->setDetail(fromUtf8(by.rule));
    m_value->setText(m_formula ? fromUtf8(groupedDigits(m_formula->value)) + QLatin1Char(' ')
                             + fromUtf8(by.unit)
                               : QString());
    m_uses->setText(
        m_formula && uses > 1
            ? tr("one of %1 uses, together %2")
                  .arg(fromUtf8(digits(uses)), fromUtf8(groupedDigits(uses * m_formula->value)))
            : QString());
}

void FormulaPage::showNothing(const QString& sentence)
{
    const Theme& theme = systemTheme();
    m_sheet->showLive(QStringLiteral("<p style='color:%1'>%2</p>")
                          .arg(theme.mutedText.name(), sentence.toHtmlEscaped()),
                      {});
    m_sheet->setAccessibleDescription(sentence);
}

// The formula and, after a blank line, the meaning of its symbols.
void FormulaPage::copy(const std::string& formula, const std::string& legend)
{
    const std::string text = legend.empty() ? formula : formula + "\n\n" + legend;
    QApplication::clipboard()->setText(QString::fromStdString(text));
}

} // namespace flopsmith::ui

#include "moc_formula_page.cpp"
