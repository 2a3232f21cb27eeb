// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart_pages/comparison_tables.h"

#include "core/io/reports/comparison_report.h"
#include "ui/widgets/table/table_copy.h"

#include <QLabel>
#include <QTabBar>
#include <QVBoxLayout>

namespace flopsmith::ui {
namespace {

constexpr int kDifferencesPause = 100; // milliseconds; faster changes cannot be read

enum DifferenceTab { kFigures, kParameters, kFirstStack };

// "A − live", as the ratio beside it is called "A/live".
Table withNamedDifferences(Table table)
{
    for (std::size_t i = 0; i + 1 < table.columns.size(); ++i) {
        if (table.columns[i].key.starts_with("delta_")) {
            std::string title = table.columns[i + 1].title;
            const std::size_t slash = title.find('/');
            if (slash != std::string::npos) {
                table.columns[i].title = title.replace(slash, 1, " \xE2\x88\x92 ");
            }
        }
    }
    return table;
}

// The tabs of figures and parameters come first, then the stacks of the other designs.
Table tableOfTab(const Comparison& all, int tab)
{
    switch (tab) {
    case kFigures: return withNamedDifferences(comparedFiguresTable(all, ComparedColumns::all));
    case kParameters:
        return withNamedDifferences(comparedParametersTable(all, ComparedColumns::all));
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
    m_table = new FiguresView(QStringLiteral("panel.differences.table"), body);
    m_table->setAccessibleName(tr("Differences of the designs"));
    m_table->setModel(m_model);
    auto* copying = new TableCopy(*m_table, m_table->objectName(), [this](const auto& rows) {
        return withRows(m_model->table(), rows);
    });
    connect(copying, &TableCopy::copied, this, &ComparisonTables::copied);
    addToHead(copying->createButton(this));
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_table, 1);
    column->addWidget(createCaption(body));
    setBody(body);
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
    m_table->fitColumns();
}

} // namespace flopsmith::ui

#include "moc_comparison_tables.cpp"
