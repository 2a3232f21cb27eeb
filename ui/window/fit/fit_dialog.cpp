// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/fit/fit_dialog.h"

#include "ui/theme/utf8.h"
#include "ui/widgets/layout/fit_screen.h"
#include "ui/window/fit/fit_plan.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace flopsmith::ui {
namespace {

constexpr QSize kFitSize(640, 560);
constexpr int kLimitMargin = 6; ///< beside the text of the limit

} // namespace

FitDialog::FitDialog(Document& document, QWidget& window)
    : QDialog(&window)
    , m_document(document)
    , m_parameter(new QComboBox(this))
    , m_together(new QLineEdit(this))
    , m_metric(new QComboBox(this))
    , m_side(new QComboBox(this))
    , m_limit(new QLineEdit(QStringLiteral("124M"), this))
    , m_result(new QLabel(this))
    , m_points(new QTableWidget(0, 4, this))
    , m_search(new QPushButton(this))
    , m_apply(new QPushButton(tr("&Apply"), this))
{
    setObjectName(QStringLiteral("fit"));
    setAccessibleName(tr("Fit to budget"));
    setWindowTitle(tr("Fit to budget – Flopsmith"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* form = new QFormLayout;
    addInputs(*form);
    m_result->setObjectName(QStringLiteral("fit.result"));
    m_result->setAccessibleName(tr("Result"));
    m_result->setTextFormat(Qt::PlainText);
    m_result->setWordWrap(true);
    m_points->setObjectName(QStringLiteral("fit.points"));
    m_points->setAccessibleName(tr("Values that were tried"));
    m_points->setHorizontalHeaderLabels(
        {tr("Value"), tr("Metric"), tr("Legal, or why not"), tr("Varied together")});
    m_points->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_points->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_points->setSelectionMode(QAbstractItemView::SingleSelection);
    m_points->setTabKeyNavigation(false);
    m_points->setShowGrid(false);
    m_points->verticalHeader()->hide();
    m_points->horizontalHeader()->setStretchLastSection(true);
    for (const int column : {0, 1}) {
        m_points->horizontalHeader()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    }
    m_points->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft);
    auto* closing = new QPushButton(tr("&Close"), this);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_search);
    buttons->addStretch(1);
    for (const auto& [button, name] : {std::pair(m_search, "search"),
                                       std::pair(m_apply, "apply"),
                                       std::pair(closing, "close")}) {
        button->setObjectName(QStringLiteral("fit.") + QLatin1String(name));
        button->setAutoDefault(false);
    }
    m_apply->setAccessibleName(tr("Apply what was found"));
    closing->setAccessibleName(tr("Close"));
    m_search->setDefault(true);
    buttons->addWidget(m_apply);
    buttons->addWidget(closing);
    auto* column = new QVBoxLayout(this);
    column->addLayout(form);
    column->addWidget(m_result);
    column->addWidget(m_points, 1);
    column->addLayout(buttons);
    connect(m_search, &QPushButton::clicked, this, &FitDialog::searchOrStop);
    connect(m_apply, &QPushButton::clicked, this, &FitDialog::apply);
    connect(closing, &QPushButton::clicked, this, &QDialog::close);
    connect(&m_job, &BudgetSearch::finished, this, &FitDialog::take);
    connect(&document, &Document::scenarioChanged, this, &FitDialog::forget);
    connect(&document, &Document::rulesChanged, this, &FitDialog::forget);
    connect(&document, &Document::lensChanged, this, &FitDialog::forget);
    forget();
    resizeToFit(*this, kFitSize);
    m_limit->setFocus();
    m_limit->selectAll();
}

void FitDialog::addInputs(QFormLayout& form)
{
    for (const Metric& each : metrics(MetricNeeds::nothing)) {
        m_metric->addItem(fromUtf8(each.title), fromUtf8(each.name));
        m_metric->setItemData(m_metric->count() - 1, fromUtf8(each.help), Qt::ToolTipRole);
    }
    m_metric->setCurrentIndex(
        m_metric->findData(fromUtf8(flopsmith::metric(MetricId::params).name)));
    m_side->addItems({tr("largest with at most"), tr("smallest with at least")});
    const auto add = [this, &form](const char* name, const QString& label, QWidget& box) {
        box.setObjectName(QStringLiteral("fit.") + QLatin1String(name));
        box.setAccessibleName(QString(label).remove(QLatin1Char('&')));
        auto* text = new QLabel(label, this);
        text->setObjectName(box.objectName() + QStringLiteral(".label"));
        text->setAccessibleName(box.accessibleName());
        text->setBuddy(&box);
        form.addRow(text, &box);
        return text;
    };
    add("parameter", tr("&Vary"), *m_parameter);
    add("together", tr("&Together with"), *m_together);
    add("side", tr("&Find the"), *m_side);
    add("limit", tr("Li&mit"), *m_limit);
    add("metric", tr("&Of"), *m_metric);
    m_limit->setTextMargins(kLimitMargin, 0, kLimitMargin, 0);
    m_together->setTextMargins(kLimitMargin, 0, kLimitMargin, 0);
    m_together->setPlaceholderText(tr("nothing, or rules: d_ff = 4·d_model, heads = d_model/64"));
    m_together->setToolTip(tr("Any number of parameters that follow by a rule, with commas between "
                              "them; they are not tied afterwards"));
    m_limit->setToolTip(tr("A number such as 124M, 2GiB or 1e9"));
    fillParameters();
    for (QComboBox* box : {m_parameter, m_side, m_metric}) {
        connect(box, &QComboBox::currentIndexChanged, this, &FitDialog::forget);
    }
    for (QLineEdit* line : {m_limit, m_together}) {
        connect(line, &QLineEdit::textChanged, this, &FitDialog::forget);
    }
}

// d_model at first, and then what was chosen, where it can be varied.
void FitDialog::fillParameters()
{
    const QStringList names = variableNames(m_document.scenario(), m_document.rules());
    QStringList shown;
    for (int index = 0; index < m_parameter->count(); ++index) {
        shown << m_parameter->itemText(index);
    }
    if (names == shown) {
        return;
    }
    const QString chosen = shown.isEmpty() ? QStringLiteral("d_model") : m_parameter->currentText();
    const QSignalBlocker blocker(m_parameter);
    m_parameter->clear();
    m_parameter->addItems(names);
    m_parameter->setCurrentIndex(std::max(0, static_cast<int>(names.indexOf(chosen))));
}

QString FitDialog::resultText() const
{
    return m_result->text();
}

Result<SearchPlan> FitDialog::plan() const
{
    const MetricId metric = *metricNamed(m_metric->currentData().toString().toStdString());
    FLOPSMITH_TRY(const double limit, parsedQuantity(m_limit->text().toStdString(), metric));
    FLOPSMITH_TRY(const std::vector<Tie> typed, typedTies(m_together->text()));
    const bool atMost = m_side->currentIndex() == 0;
    const LensId lens = m_document.lens();
    SearchPlan plan{.base = m_document.scenario(),
                    .key = m_parameter->currentText().toStdString(),
                    .goal = atMost ? SearchPlan::Goal::largest : SearchPlan::Goal::smallest,
                    .metric = metric,
                    .ties = keyedTies(m_document.scenario(), m_document.rules()),
                    .lens = lens,
                    .pairs = flopsmith::lens(lens).pairs};
    plan.ties.insert(plan.ties.end(), typed.begin(), typed.end());
    plan.bounds = {{plan.metric, atMost ? Bound::Side::atMost : Bound::Side::atLeast, limit}};
    return plan;
}

void FitDialog::searchOrStop()
{
    if (m_job.isRunning()) {
        forget();
        return;
    }
    forget();
    const Result<SearchPlan> asked = plan();
    if (!asked) {
        m_result->setText(QString::fromStdString(asked.error().message));
        return;
    }
    m_plan = *asked;
    m_typed = typedTies(m_together->text()).value();
    m_result->setText(tr("Searching …"));
    m_job.start(m_plan);
    showButtons();
}

void FitDialog::take(const Result<SearchResult>& result)
{
    if (result) {
        m_found = result->found.value;
        m_result->setText(winnerText(m_plan, *result));
        showTried(*result);
    } else {
        m_result->setText(QString::fromStdString(result.error().message));
    }
    m_result->setAccessibleName(m_result->text());
    showButtons();
}

void FitDialog::showTried(const SearchResult& result)
{
    m_points->setHorizontalHeaderLabels({QString::fromStdString(m_plan.key),
                                         fromUtf8(flopsmith::metric(m_plan.metric).title),
                                         tr("Legal, or why not"),
                                         tr("Varied together")});
    m_points->setColumnHidden(3, m_typed.empty());
    m_points->setRowCount(static_cast<int>(result.points.size()));
    const QStringList followers = followersTexts(m_plan, m_typed, result.points);
    int row = 0;
    for (const SearchedPoint& point : result.points) {
        showTriedPoint(row, point, followers[row]);
        if (point.value == result.found.value) {
            m_points->setCurrentCell(row, 0);
        }
        ++row;
    }
    m_points->scrollToItem(m_points->currentItem(), QAbstractItemView::PositionAtCenter);
}

void FitDialog::showTriedPoint(int row, const SearchedPoint& point, const QString& followers)
{
    const QString figure =
        point.metrics.empty() ? QString() : figureText(m_plan.metric, point.metrics.front());
    const QString verdict =
        point.problem.empty() ? tr("fits") : QString::fromStdString(point.problem);
    const QStringList cells{
        QString::fromStdString(valueText(point.value)), figure, verdict, followers};
    for (int column = 0; column < cells.size(); ++column) {
        m_points->setItem(row, column, new QTableWidgetItem(cells[column]));
        m_points->item(row, column)->setToolTip(cells[column]);
    }
}

void FitDialog::apply()
{
    if (!m_found) {
        return;
    }
    const Scenario fitted = scenarioAt(m_plan, *m_found);
    const QString text =
        tr("Fit %1 to %2").arg(QString::fromStdString(m_plan.key), m_limit->text().trimmed());
    if (m_document.apply(text, [&fitted](DocumentState& state) { state.scenario = fitted; })) {
        close();
    }
}

// What was found is of another model, or of another question.
void FitDialog::forget()
{
    m_job.cancel();
    m_found.reset();
    m_points->setRowCount(0);
    fillParameters();
    const std::size_t ties = m_document.rules().ties.size();
    m_result->setText(ties == 0 ? tr("Other parameters stay as they are, but those that are varied "
                                     "together: d_ff = 4·d_model keeps a shape.")
                                : tr("Tied parameters follow."));
    m_result->setAccessibleName(m_result->text());
    showButtons();
}

void FitDialog::showButtons()
{
    m_search->setText(m_job.isRunning() ? tr("&Stop") : tr("&Search"));
    m_search->setAccessibleName(m_job.isRunning() ? tr("Stop the search") : tr("Search"));
    m_apply->setEnabled(m_found.has_value());
}

} // namespace flopsmith::ui

#include "moc_fit_dialog.cpp"
