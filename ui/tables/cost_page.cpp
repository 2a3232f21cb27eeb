// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tables/cost_page.h"

#include "core/base/text_file.h"
#include "core/io/reports/cost_differences.h"
#include "core/io/reports/cost_report.h"
#include "core/io/table/common_units.h"
#include "core/io/table/table_text.h"
#include "core/json/json_text.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/theme.h"
#include "ui/theme/type_scale.h"
#include "ui/widgets/save_path.h"
#include "ui/widgets/table/figures_view.h"
#include "ui/widgets/table/table_copy.h"

#include <QApplication>
#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>
#include <array>

namespace flopsmith::ui {
namespace {

constexpr int kInterval = 50; // milliseconds
constexpr int kRowHeight = 28;
constexpr int kFigureWidth = 106;
constexpr int kWidestFigure = 190;
constexpr int kFilterWidth = 340;
constexpr int kMinName = 190; ///< below it the table scrolls
constexpr int kNameWidth = 420; ///< usually enough for names

struct Format
{
    const char* suffix;
    const char* title;
};

constexpr std::array<Format, 4> kFormats{
    {{"csv", "CSV"}, {"json", "JSON"}, {"md", "Markdown"}, {"tex", "LaTeX"}}};

// The colours of the rows; terms of a formula, which follow the whole model, have none.
std::vector<QColor> colours(const CostReport& report)
{
    std::vector<QColor> all(1 + report.total.terms.size());
    for (int i = 1; i < report.tree.size(); ++i) {
        all.push_back(colour(*report.tree.node(i).component));
    }
    return all;
}

CostReport reportOf(const Document& document)
{
    return costReport(document.scenario(), document.lens());
}

// The file format of the suffix; nothing for unknown ones.
std::string contents(const CostReport& report, const QString& suffix)
{
    if (suffix == QLatin1String("json")) {
        return jsonText(costJson(report), 2) + "\n";
    }
    const Table table = costTable(report, CostColumns::all);
    return suffix == QLatin1String("csv") ? csvText(table)
        : suffix == QLatin1String("md")   ? markdownText(table)
        : suffix == QLatin1String("tex")  ? latexText(table)
                                          : std::string();
}

} // namespace

CostPage::CostPage(Document& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_throttle([this] { refresh(); }, kInterval)
    , m_model(new CostTableModel(this))
    , m_order(new CostTableOrder(*m_model, this))
{
    setObjectName(QStringLiteral("costs"));
    setAccessibleName(tr("Cost table"));
    auto* frame = new QFrame(this);
    frame->setObjectName(QStringLiteral("costs.panel"));
    frame->setAccessibleName(tr("Cost table"));
    frame->setProperty("panel", true);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(frame);
    createTable();
    auto* column = new QVBoxLayout(frame);
    column->setContentsMargins(12, 12, 12, 8);
    column->setSpacing(8);
    column->addWidget(createBar());
    column->addWidget(m_table, 1);
    column->addWidget(m_shown);
    connect(&document, &Document::scenarioChanged, this, &CostPage::changed);
    connect(&document, &Document::lensChanged, this, &CostPage::changed);
    connectSelection();
}

void CostPage::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange && m_table != nullptr) {
        m_table->verticalHeader()->setDefaultSectionSize(scaledToType(kRowHeight, *this));
    }
    QWidget::changeEvent(event);
}

void CostPage::createTable()
{
    m_table = new FiguresView(QStringLiteral("costs.table"), this);
    m_table->setAccessibleName(tr("Cost of every part"));
    m_table->setModel(m_order);
    m_table->setMouseTracking(true);
    m_table->verticalHeader()->setDefaultSectionSize(scaledToType(kRowHeight, *this));
    QHeaderView* header = m_table->horizontalHeader();
    header->setSortIndicatorClearable(true);
    header->setSortIndicator(-1, Qt::AscendingOrder);
    header->setSectionsMovable(true);
    connect(header, &QHeaderView::sectionResized, this, [this] {
        m_hasOwnWidths = m_hasOwnWidths || QApplication::mouseButtons() != Qt::NoButton;
    });
    m_table->setSortingEnabled(true);
    m_shown = new ElidedLabel(ElidedLabel::Role::muted, Qt::AlignLeft, this);
    m_shown->setObjectName(QStringLiteral("costs.shown"));
    m_shown->setAccessibleName(tr("What is shown"));
    m_shown->setContentsMargins(8, 0, 8, 0);
}

QWidget* CostPage::createBar()
{
    auto* bar = new QWidget(this);
    bar->setObjectName(QStringLiteral("costs.bar"));
    bar->setAccessibleName(tr("Filter and saving"));
    m_filter = new QLineEdit(bar);
    m_filter->setObjectName(QStringLiteral("costs.filter"));
    m_filter->setAccessibleName(tr("Filter"));
    m_filter->setPlaceholderText(tr("Filter parts, such as ffn or attention softmax"));
    m_filter->setMaximumWidth(scaledToType(kFilterWidth, *this));
    m_filter->setTextMargins(6, 0, 6, 0);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& words) {
        m_order->setFilter(words);
        selectRowAgain();
        showSummary();
    });
    m_outcome = new ElidedLabel(ElidedLabel::Role::muted, Qt::AlignLeft, bar);
    m_outcome->setObjectName(QStringLiteral("costs.said"));
    m_outcome->setAccessibleName(tr("What was done"));
    QToolButton* copyButton = createCopyButton(bar);
    auto* line = new QHBoxLayout(bar);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(8);
    line->addWidget(m_filter, 2);
    line->addWidget(m_outcome, 1);
    line->addWidget(copyButton);
    line->addWidget(createSaveButton(bar));
    setTabOrder(m_filter, copyButton);
    return bar;
}

QToolButton* CostPage::createCopyButton(QWidget* parent)
{
    auto* copying = new TableCopy(
        *m_table, QStringLiteral("costs"), [this](const auto& rows) { return withChosen(rows); });
    connect(copying, &TableCopy::copied, this, [this](const QString& sentence) {
        m_outcome->setRole(ElidedLabel::Role::muted);
        m_outcome->setText(sentence);
    });
    return copying->createButton(parent);
}

QPushButton* CostPage::createSaveButton(QWidget* parent)
{
    auto* button = new QPushButton(tr("Save as …"), parent);
    button->setObjectName(QStringLiteral("costs.save"));
    button->setAccessibleName(tr("Save the table"));
    button->setToolTip(tr("The whole table, in the order of the model, with all digits"));
    auto* menu = new QMenu(button);
    menu->setObjectName(QStringLiteral("costs.formats"));
    menu->setAccessibleName(tr("Formats"));
    for (const Format& format : kFormats) {
        const QString suffix = QLatin1String(format.suffix);
        menu->addAction(QLatin1String(format.title), this, [this, suffix] { askAndSave(suffix); })
            ->setObjectName(QStringLiteral("costs.save.") + suffix);
    }
    connect(button, &QPushButton::clicked, menu, [button, menu] {
        menu->popup(button->mapToGlobal(QPoint(0, button->height() + 2)));
    });
    return button;
}

void CostPage::changed()
{
    m_isStale = true;
    if (isVisible()) {
        m_throttle.request();
    }
}

void CostPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_isStale) {
        refresh();
    }
}

// Sets the widths until the user resizes a column.
void CostPage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (m_model->rowCount() > 0 && !m_hasOwnWidths) {
        fitColumns();
    }
}

void CostPage::refresh()
{
    if (!isVisible()) {
        return; // hidden meanwhile: still stale
    }
    m_isStale = false;
    m_outcome->setText({});
    const CostReport report = reportOf(m_document);
    Table costs = costTable(report, CostColumns::all);
    if (m_designs != nullptr) {
        addDifferences(costs, m_document.lens(), m_designs->others());
    }
    const int columns = m_model->columnCount();
    m_model->show(inCommonUnits(std::move(costs)), colours(report));
    if (columns != m_model->columnCount()) {
        fitColumns();
    }
    selectRowAgain();
    showSummary();
}

void CostPage::compareWith(Designs& designs)
{
    m_designs = &designs;
    connect(&designs, &Designs::changed, this, &CostPage::changed);
    changed();
}

// The first column takes the width that the figures leave. On a wide screen the figures share the
// width that names do not need, because a figure far from its name is hard to read.
void CostPage::fitColumns()
{
    QHeaderView* header = m_table->horizontalHeader();
    header->setStretchLastSection(false);
    const int figures = std::max(1, m_model->columnCount() - 1);
    const int available = width() - scaledToType(kNameWidth, *this);
    const int wide = std::clamp(
        available / figures, scaledToType(kFigureWidth, *this), scaledToType(kWidestFigure, *this));
    for (int column = 1; column <= figures; ++column) {
        header->setSectionResizeMode(column, QHeaderView::Interactive);
        header->resizeSection(column, wide);
    }
    constexpr int kUses = 1;
    header->resizeSection(kUses, wide * 2 / 3);
    const int names = width() - (figures - 1) * wide - wide * 2 / 3;
    const int minWidth = scaledToType(kMinName, *this);
    const bool scrolls = names < minWidth;
    header->setSectionResizeMode(0, scrolls ? QHeaderView::Interactive : QHeaderView::Stretch);
    if (scrolls) {
        header->resizeSection(0, minWidth);
    }
    m_hasOwnWidths = false; // even while a mouse button is pressed
}

void CostPage::showSummary()
{
    const int shown = m_order->rowCount();
    const int all = m_model->rowCount();
    const QString where = QString::fromStdString(m_model->table().caption);
    m_shown->setText(shown == all ? where
                                  : tr("%1 of %2 rows  ·  %3").arg(shown).arg(all).arg(where));
}

// In the order of the screen, named as there.
Table CostPage::withChosen(const std::vector<int>& rows) const
{
    Table chosen = withRows(m_model->table(), {});
    for (const int row : rows) {
        const int source = m_order->mapToSource(m_order->index(row, 0)).row();
        chosen.rows.push_back(m_model->table().rows.at(static_cast<std::size_t>(source)));
        Cell& name = chosen.rows.back().front();
        name.shown = m_order->index(row, 0).data().toString().toStdString();
        name.indent = m_model->showsPaths() ? 0 : name.indent;
    }
    return chosen;
}

bool CostPage::saveTo(const QString& path)
{
    const std::string text = contents(reportOf(m_document), QFileInfo(path).suffix().toLower());
    const Status saved = text.empty()
        ? Status(Error{"the table cannot be saved as " + path.toStdString()
                       + "; its name must end in .csv, .json, .md or .tex"})
        : writeFile(path.toStdString(), text);
    m_outcome->setRole(saved ? ElidedLabel::Role::muted : ElidedLabel::Role::error);
    m_outcome->setText(saved ? tr("Saved %1").arg(QFileInfo(path).fileName())
                             : QString::fromStdString(saved.error().message));
    return saved.ok();
}

void CostPage::askAndSave(const QString& suffix)
{
    const QString start = QDir::home().filePath(QStringLiteral("cost.") + suffix);
    const QString path =
        askSavePath(*this, tr("Save the cost table"), start, QStringLiteral("*.%1").arg(suffix));
    if (!path.isEmpty()) {
        saveTo(path);
    }
}

} // namespace flopsmith::ui

#include "moc_cost_page.cpp"
