// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula/legend.h"
#include "ui/formulas/derivation_view.h"
#include "ui/formulas/formula_page.h"
#include "ui/formulas/live_sheet.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/part_delegate.h"
#include "ui/theme/type_scale.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeView>

// The page's widgets and their layout.

namespace flopsmith::ui {
namespace {

constexpr int kFigureWidth = 92;
constexpr int kMinTree = 220;

QLabel* label(const char* name, const QString& accessibleName, const char* role, QWidget* parent)
{
    auto* made = new QLabel(parent);
    made->setObjectName(QLatin1String(name));
    made->setAccessibleName(accessibleName);
    made->setProperty("role", QLatin1String(role));
    made->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return made;
}

// Labels that contain the name of the model or of a part.
ElidedLabel* named(const char* name, ElidedLabel::Role role, QWidget* parent)
{
    auto* made = new ElidedLabel(role, Qt::AlignLeft, parent);
    made->setObjectName(QLatin1String(name));
    return made;
}

QFrame* panel(const QString& name, const QString& accessibleName, QWidget* parent)
{
    auto* made = new QFrame(parent);
    made->setObjectName(name);
    made->setAccessibleName(accessibleName);
    made->setProperty("panel", true);
    return made;
}

} // namespace

QWidget* FormulaPage::createTree()
{
    QFrame* frame = panel(QStringLiteral("formulas.parts"), tr("Parts of the model"), this);
    m_tree = new QTreeView(frame);
    m_tree->setObjectName(QStringLiteral("formulas.tree"));
    m_tree->setAccessibleName(tr("Parts of the model"));
    m_tree->setModel(m_model);
    m_tree->setItemDelegate(new PartDelegate(m_tree));
    m_tree->setUniformRowHeights(true);
    m_tree->setIndentation(14);
    m_tree->setMouseTracking(true);
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setMinimumWidth(scaledToType(kMinTree, *this));
    m_tree->header()->setStretchLastSection(false);
    m_tree->header()->setSectionsMovable(false);
    m_tree->header()->setSectionResizeMode(CostTreeModel::part, QHeaderView::Stretch);
    m_tree->header()->setSectionResizeMode(CostTreeModel::figure, QHeaderView::Fixed);
    m_tree->header()->resizeSection(CostTreeModel::figure, scaledToType(kFigureWidth, *this));
    auto* column = new QVBoxLayout(frame);
    column->setContentsMargins(8, 8, 8, 8);
    column->addWidget(m_tree);
    return frame;
}

QWidget* FormulaPage::createSheet()
{
    QFrame* frame = panel(QStringLiteral("formulas.panel"), tr("Formula"), this);
    m_title = named("formulas.title", ElidedLabel::Role::title, frame);
    m_title->setText(tr("Part"));
    QFont big = m_title->font();
    big.setPointSizeF(big.pointSizeF() * 1.25);
    m_title->setFont(big);
    m_where = named("formulas.where", ElidedLabel::Role::muted, frame);
    m_where->setText(tr("Where it stands"));
    m_value = label("formulas.value", tr("Exact value"), "figure", frame);
    m_value->setFont(big);
    m_uses = label("formulas.uses", tr("How often it is used"), "muted", frame);
    m_sheet = createLiveSheet(frame);
    m_derivation = new DerivationView(m_document, frame);
    m_derivation->hide();

    auto* head = new QGridLayout;
    head->setColumnStretch(0, 1);
    head->setVerticalSpacing(2);
    head->addWidget(m_title, 0, 0);
    head->addWidget(m_value, 0, 1, Qt::AlignRight);
    head->addWidget(m_where, 1, 0);
    head->addWidget(m_uses, 1, 1, Qt::AlignRight);
    auto* column = new QVBoxLayout(frame);
    column->setContentsMargins(20, 16, 20, 14);
    column->setSpacing(12);
    column->addLayout(head);
    column->addSpacing(4);
    column->addWidget(m_sheet, 1);
    column->addWidget(m_derivation, 1);
    auto* below = new QHBoxLayout;
    below->setSpacing(12);
    m_constraintsRow = createConstraints();
    below->addWidget(m_constraintsRow, 1);
    below->addWidget(createButtons(), 0, Qt::AlignTop);
    column->addLayout(below);
    return frame;
}

LiveSheet* FormulaPage::createLiveSheet(QWidget* parent)
{
    auto* sheet = new LiveSheet(m_document, parent);
    sheet->setObjectName(QStringLiteral("formulas.sheet"));
    sheet->setAccessibleName(tr("Formula"));
    return sheet;
}

QWidget* FormulaPage::createConstraints()
{
    auto* row = new QWidget(this);
    auto* caption = new QLabel(tr("Constraints"), row);
    row->setObjectName(QStringLiteral("formulas.constraintsRow"));
    row->setAccessibleName(tr("Constraints"));
    caption->setObjectName(QStringLiteral("formulas.constraintsCaption"));
    caption->setAccessibleName(caption->text());
    caption->setProperty("role", QStringLiteral("muted"));
    m_constraints = new QLineEdit(row);
    m_constraints->setObjectName(QStringLiteral("formulas.constraints"));
    m_constraints->setAccessibleName(tr("Constraints"));
    m_constraints->setPlaceholderText(tr("equations that hold here: f=4d, H*h=d"));
    m_constraints->setTextMargins(6, 0, 6, 0);
    caption->setBuddy(m_constraints);
    m_problem = label("formulas.problem", tr("What is wrong"), "error", row);
    m_problem->setWordWrap(true);
    m_problem->hide();
    connect(m_constraints, &QLineEdit::textChanged, this, &FormulaPage::changed);
    auto* grid = new QGridLayout(row);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(4);
    grid->addWidget(caption, 0, 0);
    grid->addWidget(m_constraints, 0, 1);
    grid->addWidget(m_problem, 1, 1);
    return row;
}

QWidget* FormulaPage::createButtons()
{
    auto* row = new QWidget(this);
    row->setObjectName(QStringLiteral("formulas.buttons"));
    row->setAccessibleName(tr("Copying and steps"));
    m_steps = new QPushButton(tr("Step by step"), row);
    m_steps->setObjectName(QStringLiteral("formulas.steps"));
    m_steps->setAccessibleName(tr("Derive the total step by step"));
    m_steps->setCheckable(true);
    connect(m_steps, &QPushButton::toggled, this, &FormulaPage::showDerivation);
    m_copyText = new QPushButton(tr("Copy text"), row);
    m_copyText->setObjectName(QStringLiteral("formulas.copyText"));
    m_copyText->setAccessibleName(tr("Copy the formula as text"));
    m_copyLatex = new QPushButton(tr("Copy LaTeX"), row);
    m_copyLatex->setObjectName(QStringLiteral("formulas.copyLatex"));
    m_copyLatex->setAccessibleName(tr("Copy the formula as LaTeX"));
    connect(m_copyText, &QPushButton::clicked, this, [this] {
        copy(m_formula->text, legendText(*m_formula));
    });
    connect(m_copyLatex, &QPushButton::clicked, this, [this] {
        copy(m_formula->latex, legendLatex(*m_formula));
    });
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(8);
    line->addWidget(m_steps);
    line->addWidget(m_copyText);
    line->addWidget(m_copyLatex);
    return row;
}

} // namespace flopsmith::ui
