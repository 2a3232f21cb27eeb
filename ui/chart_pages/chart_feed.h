// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/budget/hardware.h"
#include "core/present/study/measured_scaling.h"
#include "core/present/study/scaling.h"
#include "core/study/variation/metric.h"
#include "ui/chart_pages/chart_choices.h"
#include "ui/chart_pages/figure_thread.h"
#include "ui/charts/base/figure_view.h"
#include "ui/charts/chart_kinds.h"
#include "ui/document/designs.h"
#include "ui/document/throttle.h"
#include "ui/jobs/stored_passes.h"
#include "ui/measuring/run_times.h"

#include <QObject>

#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace flopsmith::ui {

/// Keeps the charts up to date with the document, at most once per frame. The document's operation
/// is marked in them, and choosing one in a chart sets the document's operation.
class ChartFeed : public QObject
{
    Q_OBJECT

public:
    explicit ChartFeed(Document& document, QObject* parent = nullptr);

    /// Makes the view show the chart from now on.
    void show(ChartId chart, FigureView& view);

    /// The chart as it is now, or a sentence that says what is missing.
    std::unique_ptr<Figure> figure(ChartId chart) const;

    /// Returns when the views that are visible show the present state: figures that take long follow
    /// the document with a delay.
    void finish();

    void setRunTimes(RunTimes runTimes);
    const RunTimes& runTimes() const { return m_runTimes; }

    /// Measured points of the scaling curves of the current scenario and axis, and their device.
    struct Curves
    {
        MeasuredCurves points;
        std::string processor; ///< as in RunTimes
        std::vector<PartTime> times; ///< of the plan's parts
    };
    void setCurves(std::optional<Curves> curves);

    /// From now on charts that can draw several designs show these too.
    void showBeside(const Designs& designs);

    /// From now on the run times of these designs are the store's times for this device.
    void compareTimesOn(const Device& device, const std::filesystem::path& store);

    /// Looks them up again.
    void timesMeasured();

    /// Whether there are compared designs that the chart cannot draw.
    bool showsAlone(ChartId chart) const;

    /// What the charts are drawn of.
    ChartChoices& choices() { return m_choices; }
    const ChartChoices& choices() const { return m_choices; }

    QString hardwareName() const;

    /// Nothing until the peaks of the measuring device are known.
    std::optional<Hardware> hardware() const;

    /// The first design beside the document, with its tree and its measured time if one is stored.
    std::optional<ComparedDesign> baseline() const;

    /// The inputs of the metrics: the lens of the document, and the device once it is known.
    MetricBasis metricBasis() const;

    /// Makes all figures anew, also those that the document did not change.
    void makeAnew() { m_update.request(); }

    /// Updates the views with pending changes now.
    void flush() { m_update.flush(); }

Q_SIGNALS:
    void updated();

private:
    void update();
    void mark();
    void select(const QString& path, const QString& component);
    static std::unique_ptr<Figure> figureOf(ChartId chart, const Result<FigureRequest>& request);
    std::unique_ptr<Figure> figureOrLater(ChartId chart, FigureView& view);
    void take(FigureView& view, std::unique_ptr<Figure> figure);
    Result<FigureRequest> requestFor(ChartId chart) const;
    void addRunTimes(FigureRequest& request) const;
    void addCurves(FigureRequest& request) const;
    Status addStudy(FigureRequest& request) const;
    static bool needsRoofs(const FigureRequest& request);
    void addOthers(FigureRequest& request) const;
    void lookForTimes();

    Document& m_document;
    const Designs* m_designs = nullptr;
    mutable KeptCurves m_keptCurves; ///< of the compared designs
    std::vector<std::pair<ChartId, FigureView*>> m_views;
    RunTimes m_runTimes;
    Device m_device; ///< the device of compared times
    std::filesystem::path m_storeFile; ///< empty: no store
    StoredPasses m_passes; ///< of the compared designs
    std::optional<Curves> m_curves;
    ChartChoices m_choices;
    Throttle m_update;
    std::set<FigureView*> m_expecting; ///< views whose figure the thread makes
    FigureThread m_thread;
};

} // namespace flopsmith::ui
