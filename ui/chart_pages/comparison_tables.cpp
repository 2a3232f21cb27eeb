// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart_pages/comparison_tables.h"

#include "core/io/reports/comparison_report.h"
#include "ui/theme/type_scale.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QShortcut>
#include <QTabBar>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <numeric>

namespace flopsmith::ui {
namespace {

constexpr int kDifferencesPause = 100; // milliseconds; faster changes cannot be read
constexpr int kDifferenceRow = 24; // pixels
constexpr int kDifferencePadding = 24; // pixels around the text of a cell
constexpr int kWidestDifference = 320; // pixels

enum DifferenceTab { kFigures, kParameters, kFirstStack };

// The tabs of figures and parameters come first, then the stacks of the other designs.
Table tableOfTab(const Comparison& all, int tab)
{
    switch (tab) {
    case kFigures: return comparedFiguresTable(all, ComparedColumns::all);
    case kParameters: return comparedParametersTable(all, ComparedColumns::all);
    default: return alignedStackTable(all, 1 + static_cast<std::size_t>(tab - kFirstStack));
    }
}

} // namespace

ComparisonTables::ComparisonTables(Document& document, Designs& designs, QWidget* parent)
    : Panel(QStringLiteral("differences"), tr("Differences"), parent)
    , m_document(document)
    , m_designs(designs)
    , m_update([this] { refresh(); }, kDifferencesPause)
{
    createTable();
    createTabs();
    connect(&document, &Document::scenarioChanged, this, &ComparisonTables::changed);
    connect(&document, &Document::lensChanged, this, &ComparisonTables::changed);
    connect(&designs, &Designs::changed, this, &ComparisonTables::showTabs);
    connect(&m_passes, &StoredPasses::found, this, &ComparisonTables::changed);
    showTabs();
}

void ComparisonTables::createTable()
{
    auto* body = new QWidget(this);
    body->setObjectName(QStringLiteral("panel.differences.body"));
    body->setAccessibleName(tr("Differences"));
    m_model = new ShownTableModel(this);
    m_table = new QTableView(body);
    m_table->setObjectName(QStringLiteral("panel.differences.table"));
    m_table->setAccessibleName(tr("Differences of the designs"));
    m_table->setModel(m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setTabKeyNavigation(false); // Tab leaves the table
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setCornerButtonEnabled(false);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(scaledToType(kDifferenceRow, *this));
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setStretchLastSection(true); // the header fills the width
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_table, 1);
    column->addWidget(createCaption(body));
    setBody(body);
    auto* keys = new QShortcut(QKeySequence::Copy, m_table);
    keys->setContext(Qt::WidgetWithChildrenShortcut);
    connect(keys, &QShortcut::activated, this, &ComparisonTables::copy);
}

// In as many lines as it takes; a long name must not make the window wider.
QLabel* ComparisonTables::createCaption(QWidget* body)
{
    m_caption = new QLabel(body);
    m_caption->setObjectName(QStringLiteral("panel.differences.caption"));
    m_caption->setAccessibleName(tr("What is compared"));
    m_caption->setProperty("role", "muted");
    m_caption->setTextFormat(Qt::PlainText);
    m_caption->setWordWrap(true);
    QSizePolicy grows(QSizePolicy::Ignored, QSizePolicy::Preferred);
    grows.setHeightForWidth(true);
    m_caption->setSizePolicy(grows);
    return m_caption;
}

void ComparisonTables::createTabs()
{
    m_tabs = new QTabBar(this);
    m_tabs->setObjectName(QStringLiteral("panel.differences.tabs"));
    m_tabs->setAccessibleName(tr("Differences of figures, parameters or blocks"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->addTab(tr("Figures"));
    m_tabs->addTab(tr("Parameters"));
    connect(m_tabs, &QTabBar::currentChanged, this, &ComparisonTables::changed);
    replaceTitle(m_tabs);
}

// One tab more for the blocks of each design.
void ComparisonTables::showTabs()
{
    const int wanted = kFirstStack + static_cast<int>(m_designs.size());
    while (m_tabs->count() > wanted) {
        m_tabs->removeTab(m_tabs->count() - 1);
    }
    while (m_tabs->count() < wanted) {
        m_tabs->addTab(QString());
    }
    for (std::size_t i = 0; i < m_designs.size(); ++i) {
        m_tabs->setTabText(kFirstStack + static_cast<int>(i),
                           tr("Blocks of %1").arg(QChar::fromLatin1(m_designs.at(i).letter)));
    }
    setVisible(!m_designs.isEmpty());
    changed();
}

void ComparisonTables::compareTimesOn(const Device& device, const std::filesystem::path& store)
{
    if (store != m_storeFile) {
        m_storeFile = store;
        m_passes.useStore(store);
    }
    m_device = device;
    changed();
}

void ComparisonTables::timesMeasured()
{
    m_passes.outdate();
    changed();
}

// Without a store times are not looked up.
void ComparisonTables::addTimes(std::vector<ComparedDesign>& designs)
{
    if (!m_passes.hasStore()) {
        return;
    }
    std::vector<Scenario> scenarios;
    for (const ComparedDesign& design : designs) {
        scenarios.push_back(design.scenario);
    }
    m_passes.lookUp(m_device, scenarios);
    for (std::size_t i = 0; i < designs.size(); ++i) {
        designs[i].measured = m_passes.passes()[i];
    }
}

void ComparisonTables::changed()
{
    if (isVisible()) {
        m_update.request();
    }
}

void ComparisonTables::showEvent(QShowEvent* event)
{
    Panel::showEvent(event);
    refresh();
}

void ComparisonTables::refresh()
{
    if (!isVisible() || m_designs.isEmpty()) {
        return;
    }
    std::vector<ComparedDesign> all = m_designs.others();
    all.insert(all.begin(), m_designs.live());
    addTimes(all);
    const LensId lens = m_document.lens();
    const Comparison compared = comparison(std::move(all), lens, flopsmith::lens(lens).pairs);
    m_model->show(tableOfTab(compared, m_tabs->currentIndex()));
    QString caption = QString::fromStdString(m_model->table().caption);
    m_caption->setText(caption.replace(QLatin1Char('\n'), QStringLiteral("; ")));
    m_caption->setToolTip(m_caption->text());
    fitColumns();
}

// As wide as their texts, but for a name that would push all others away.
void ComparisonTables::fitColumns()
{
    const int maxWidth = scaledToType(kWidestDifference, *this);
    for (int column = 0; column < m_model->columnCount(); ++column) {
        int widest = fontMetrics().horizontalAdvance(
            m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        for (int row = 0; row < m_model->rowCount(); ++row) {
            const QString text = m_model->index(row, column).data().toString();
            widest = std::max(widest, fontMetrics().horizontalAdvance(text));
        }
        const bool isLast = column == m_model->columnCount() - 1;
        const int width = widest + kDifferencePadding;
        m_table->setColumnWidth(column, isLast ? width : std::min(width, maxWidth));
    }
}

void ComparisonTables::copy()
{
    std::vector<int> rows;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows()) {
        rows.push_back(index.row());
    }
    std::sort(rows.begin(), rows.end()); // in the order of the screen, not of the clicks
    if (rows.empty()) {
        rows.resize(static_cast<std::size_t>(m_model->rowCount()));
        std::iota(rows.begin(), rows.end(), 0);
    }
    QApplication::clipboard()->setText(m_model->text(rows));
}

} // namespace flopsmith::ui

#include "moc_comparison_tables.cpp"
