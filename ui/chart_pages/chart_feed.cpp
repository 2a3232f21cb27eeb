// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart_pages/chart_feed.h"

#include "core/model/tree_path.h"
#include "core/present/study/study_axis.h"
#include "ui/charts/base/sentence_figure.h"
#include "ui/theme/utf8.h"

#include <QCoreApplication>
#include <QDateTime>

namespace flopsmith::ui {
namespace {

constexpr const char* kNoRoofs =
    QT_TRANSLATE_NOOP("ChartFeed",
                      "Not measured yet: the roofs of this device are not known. Press "
                      "Measure, or choose other hardware.");
constexpr const char* kNothingBeside = QT_TRANSLATE_NOOP(
    "ChartFeed",
    "Nothing stands beside this design yet. Freeze it with Ctrl+Shift+F and change "
    "it, or choose View, Compare designs.");

} // namespace

ChartFeed::ChartFeed(Document& document, QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_choices(document)
    , m_update([this] { update(); })
{
    connect(&document, &Document::scenarioChanged, this, [this] { m_update.request(); });
    connect(&document, &Document::rulesChanged, this, [this] { m_update.request(); });
    connect(&document, &Document::lensChanged, this, [this] { m_update.request(); });
    connect(&document, &Document::operationChanged, this, &ChartFeed::mark);
    connect(&m_choices, &ChartChoices::changed, this, [this] { m_update.request(); });
    connect(&m_passes, &StoredPasses::found, this, [this] { m_update.request(); });
    m_thread.made = [this](FigureView& view, std::unique_ptr<Figure> figure) {
        take(view, std::move(figure));
    };
    m_update.request();
}

void ChartFeed::show(ChartId chart, FigureView& view)
{
    m_views.emplace_back(chart, &view);
    connect(&view, &FigureView::chosen, this, &ChartFeed::select);
    m_update.request();
}

void ChartFeed::setRunTimes(RunTimes runTimes)
{
    m_runTimes = std::move(runTimes);
    m_update.request();
}

void ChartFeed::setCurves(std::optional<Curves> curves)
{
    if (curves || m_curves) {
        m_curves = std::move(curves);
        m_update.request();
    }
}

void ChartFeed::showBeside(const Designs& designs)
{
    m_designs = &designs;
    connect(&designs, &Designs::changed, this, [this] { m_update.request(); });
    m_update.request();
}

void ChartFeed::compareTimesOn(const Device& device, const std::filesystem::path& store)
{
    if (store != m_storeFile) {
        m_storeFile = store;
        m_passes.useStore(store);
    }
    m_device = device;
    m_update.request();
}

void ChartFeed::timesMeasured()
{
    m_passes.outdate();
    m_update.request();
}

// Without a store times are not looked up.
void ChartFeed::lookForTimes()
{
    if (m_designs == nullptr || !m_passes.hasStore()) {
        return;
    }
    std::vector<Scenario> scenarios;
    for (const ComparedDesign& design : m_designs->others()) {
        scenarios.push_back(design.scenario);
    }
    m_passes.lookUp(m_device, scenarios);
}

// Several devices are compared instead of several designs.
bool ChartFeed::showsAlone(ChartId chart) const
{
    const bool showsDevices = chart == ChartId::runtime && !m_runTimes.compared.empty();
    return m_designs != nullptr && !m_designs->isEmpty()
        && (showsDevices || m_choices.isOfPart(chart) || !chartKind(chart).drawsOthers);
}

std::optional<Hardware> ChartFeed::hardware() const
{
    if (!m_choices.isOnMeasuredDevice()) {
        const Result<Hardware> found = hardwareNamed(m_choices.hardware().toStdString());
        return found ? std::optional(*found) : std::nullopt;
    }
    if (m_runTimes.roofs && m_runTimes.roofs->peaks().known()) {
        return hardwareOf(*m_runTimes.roofs);
    }
    if (!m_runTimes.peaks || !m_runTimes.peaks->known()) {
        return std::nullopt;
    }
    return measuredHardware(
        m_runTimes.device.toStdString(), HardwareKind::cpu, *m_runTimes.peaks, "measured");
}

std::optional<ComparedDesign> ChartFeed::baseline() const
{
    if (m_designs == nullptr || m_designs->isEmpty()) {
        return std::nullopt;
    }
    ComparedDesign first = m_designs->others().front();
    if (!m_passes.passes().empty()) {
        first.measured = m_passes.passes().front();
    }
    return first;
}

QString ChartFeed::hardwareName() const
{
    const std::optional<Hardware> found = hardware();
    return found ? QString::fromStdString(found->name) : m_runTimes.device;
}

MetricBasis ChartFeed::metricBasis() const
{
    MetricBasis basis{.lens = m_document.lens(),
                      .pairs = lens(m_document.lens()).pairs,
                      .on = std::nullopt,
                      .scope = m_choices.scope()};
    if (const std::optional<Hardware> on = hardware()) {
        basis.on = MetricHardware{*on};
    }
    return basis;
}

// The chart request of the command line, filled from the window; or the sentence that is shown in
// place of the chart.
Result<FigureRequest> ChartFeed::requestFor(ChartId chart) const
{
    const ChartNeeds& needs = chartKind(chart).needs;
    const Scenario& scenario = m_document.scenario();
    FigureRequest request{.kind = chart,
                          .scenario = scenario,
                          .lens = needs.twoLenses ? m_choices.to() : m_document.lens(),
                          .from = m_choices.from(),
                          .tree = needs.twoLenses ? nullptr : &m_document.costTree(),
                          .now = QDateTime::currentSecsSinceEpoch(),
                          .hardware = hardware(),
                          .metric = m_choices.metric(),
                          .scope = m_choices.scope()};
    addOthers(request);
    if (needs.designs && request.others.empty()) {
        return Error{QCoreApplication::translate("ChartFeed", kNothingBeside).toStdString()};
    }
    addRunTimes(request);
    if (needs.axis) {
        request.ties = keyedTies(scenario, m_document.rules());
        FLOPSMITH_RETURN_IF_ERROR(
            variable(m_document.rules(), scenario, m_choices.axisInUse().toStdString()));
        FLOPSMITH_TRY(const Axis axis, usualAxis(scenario, m_choices.axisInUse().toStdString()));
        request.axis = axis;
        addCurves(request);
    }
    if (needs.combinations) {
        FLOPSMITH_RETURN_IF_ERROR(addStudy(request));
    }
    if (needsRoofs(request) && !request.hardware) {
        return Error{QCoreApplication::translate("ChartFeed", kNoRoofs).toStdString()};
    }
    return request;
}

Status ChartFeed::addStudy(FigureRequest& request) const
{
    for (const QString& key : m_choices.studyAxesInUse()) {
        FLOPSMITH_RETURN_IF_ERROR(
            variable(m_document.rules(), request.scenario, key.toStdString()));
        FLOPSMITH_TRY(const Axis axis, studyAxis(request.scenario, key.toStdString()));
        request.axes.push_back(axis);
    }
    request.metric = m_choices.study().metric;
    request.goals = m_choices.study().goals;
    request.ties = keyedTies(request.scenario, m_document.rules());
    return Done{};
}

// Whether it cannot be drawn without the figures of a device.
bool ChartFeed::needsRoofs(const FigureRequest& request)
{
    const ChartNeeds& needs = chartKind(request.kind).needs;
    const auto isOfDevice = [](MetricId id) {
        return flopsmith::metric(id).needs == MetricNeeds::hardware;
    };
    if (request.kind == ChartId::pareto) {
        return isOfDevice(request.goals[0].metric) || isOfDevice(request.goals[1].metric);
    }
    const bool showsMetric = needs.axis || needs.combinations;
    return needs.hardware || (showsMetric && isOfDevice(request.metric));
}

// Measured parts belong below the roofs of the machine that measured them. A roofline shows them on
// that machine itself, and, with its roofs, on any device of the table.
void ChartFeed::addRunTimes(FigureRequest& request) const
{
    const bool hasRoofs = m_runTimes.roofs || m_choices.isOnMeasuredDevice();
    if (chartKind(request.kind).needs.hardware && !hasRoofs) {
        return;
    }
    request.parts = m_runTimes.parts;
    request.times = m_runTimes.times;
    request.device = m_runTimes.device.toStdString();
    request.processor = m_runTimes.processor.toStdString();
    request.machine = m_runTimes.roofs;
    if (request.kind == ChartId::runtime && !m_runTimes.compared.empty()) {
        request.sideBySide = deviceTimes(m_runTimes);
    }
}

// Their trees are under the pairs rule of the document's lens, which is the request's too.
void ChartFeed::addOthers(FigureRequest& request) const
{
    if (m_designs != nullptr && !m_designs->isEmpty() && chartKind(request.kind).drawsOthers
        && !m_choices.isOfPart(request.kind)) {
        request.others = m_designs->others();
        request.name = m_designs->live().name;
        request.letter = m_designs->live().letter;
        request.keptCurves = &m_keptCurves;
    }
    if (request.kind == ChartId::runtime && !request.others.empty()) {
        request.otherTimes = m_passes.parts();
    }
}

void ChartFeed::addCurves(FigureRequest& request) const
{
    if (m_curves) {
        request.curves = m_curves->points;
        request.times = m_curves->times;
        request.device = m_curves->points.device;
        request.processor = m_curves->processor;
    }
}

std::unique_ptr<Figure> ChartFeed::figure(ChartId chart) const
{
    return figureOf(chart, requestFor(chart));
}

std::unique_ptr<Figure> ChartFeed::figureOf(ChartId chart, const Result<FigureRequest>& request)
{
    return request ? figureOrSentence(*request)
                   : std::make_unique<SentenceFigure>(Charts::tr(chartKind(chart).title),
                                                      toQt(request.error().message));
}

// Null if the figure takes so long that the thread makes it; the view keeps its figure until then.
std::unique_ptr<Figure> ChartFeed::figureOrLater(ChartId chart, FigureView& view)
{
    Result<FigureRequest> request = requestFor(chart);
    if (request && view.hasFigure() && FigureThread::isSlow(*request)) {
        m_expecting.insert(&view);
        m_thread.make(view, std::move(request).value());
        return nullptr;
    }
    m_expecting.erase(&view);
    return figureOf(chart, request);
}

// Drops the figure of a state that the view has left for one that was made at once.
void ChartFeed::take(FigureView& view, std::unique_ptr<Figure> figure)
{
    if (m_expecting.contains(&view)) {
        view.setFigure(std::move(figure));
    }
}

void ChartFeed::finish()
{
    flush();
    for (const auto& [chart, view] : m_views) {
        if (view->isVisible()) {
            view->figure();
        }
    }
    m_thread.finish();
}

// The mark is drawn over the figures, which need not be made again.
void ChartFeed::mark()
{
    ChartMark mark{.path = m_document.operation()};
    if (!mark.isEmpty()) {
        const CostTree<Count>& tree = m_document.costTree();
        mark.components = componentsBelow(tree, nodeAt(tree, mark.path));
    }
    for (const auto& [chart, view] : m_views) {
        view->setMark(mark);
    }
}

// For a component, its part in the selected block, or otherwise the first in the model.
void ChartFeed::select(const QString& path, const QString& component)
{
    if (!path.isEmpty() || component.isEmpty()) {
        m_document.selectOperation(path.toStdString());
        return;
    }
    const CostTree<Count>& tree = m_document.costTree();
    const Selection& selection = m_document.selection();
    const std::string block = selection.isRun()
        ? "blocks[" + std::to_string(m_document.model().firstBlock(selection.run)) + "]"
        : std::string();
    m_document.selectOperation(
        pathOfComponent(tree, component.toStdString(), nearestPath(tree, block)));
}

// Views ask for their content when they are painted, so hidden ones cost nothing.
void ChartFeed::update()
{
    lookForTimes();
    for (const auto& [chart, view] : m_views) {
        view->setSource([this, id = chart, to = view] { return figureOrLater(id, *to); });
    }
    mark();
    Q_EMIT updated();
}

} // namespace flopsmith::ui

#include "moc_chart_feed.cpp"
