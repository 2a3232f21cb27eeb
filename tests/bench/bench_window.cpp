// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/ffn/composed.h"
#include "core/ffn/dense.h"
#include "core/ffn/spectral.h"
#include "core/measure/clock.h"
#include "core/measure/samples.h"
#include "core/measure/system_files.h"
#include "core/model/presets.h"
#include "tests/bench/series_peers.h"
#include "tests/bench/tables/report.h"
#include "tests/support/tested_window.h"
#include "ui/canvas/stack_view.h"
#include "ui/charts/chart_kinds.h"
#include "ui/document/edits/model_edit.h"
#include "ui/document/edits/parameter_edit.h"
#include "ui/lab/lab_page.h"
#include "ui/lab/lab_session.h"
#include "ui/measuring/measuring_control.h"
#include "ui/measuring/measuring_settings.h"
#include "ui/theme/theme.h"
#include "ui/window/lab/lab_place.h"

#include <QApplication>
#include <QEventLoop>
#include <QImage>
#include <QPainter>
#include <QSettings>
#include <QTemporaryDir>

#include <algorithm>

// How the window keeps up with a hand: seconds from a slider's step until everything that
// is visible has been painted (software rendering), and from nothing to the first painted window.
// Then each chart by itself, and rings and bars by Qt Charts' series beside own painting.
// Budgets: a step 8 ms median and 16 ms at the 99th percentile for a 126-layer model; the start
// 400 ms and 120 MB; in the lab 2 s from the key that trains to the first moving curve.
namespace flopsmith::ui {
namespace {

// Drags a parameter through its stops, forth and back, as a slider does.
Samples drag(test::TestedWindow& window, std::string_view key)
{
    constexpr int kSteps = 300;
    const Clock now = steadyClock();
    Document& document = window.document();
    const Parameter parameter = matchingParameters(document.scenario(), key).front();
    const std::vector<FieldValue> stops = parameter.legal(document.scenario()).stops();
    Samples steps;
    document.history().beginGesture();
    for (int i = 0; i < kSteps; ++i) {
        const std::size_t turn = static_cast<std::size_t>(i) % (2 * stops.size());
        const std::size_t stop = turn < stops.size() ? turn : 2 * stops.size() - 1 - turn;
        const double start = now();
        setParameter(document, parameter, stops[stop]);
        window.settle();
        QCoreApplication::processEvents(); // paints what settle() has marked
        steps.add(now() - start);
    }
    document.history().endGesture();
    return steps;
}

constexpr double kMedianBudget = 8e-3; // seconds
constexpr double kTailBudget = 16e-3;
constexpr double kStartBudget = 0.4;
constexpr double kMemoryBudget = 120e6; // bytes

void print(bench::Report& report, const char* title, const Samples& steps)
{
    const double median = steps.median();
    const double tail = steps.quantile(0.99);
    report.row({title, median, kMedianBudget / median, tail, kTailBudget / tail});
}

// What the process holds of the machine's memory now; 0 where the system does not say.
double residentBytes()
{
    const auto status = smallFile("/proc/self/status");
    const auto resident = status ? valueOf(*status, "VmRSS", ':') : std::nullopt;
    return resident ? static_cast<double>(bytesOf(*resident).value_or(0)) : 0.0;
}

Model deepModel()
{
    Model model = *presetNamed("llama-3-8b");
    model.runs.front().repeat = 126;
    return model;
}

// A stack in which no two neighbours are equal, so that the canvas shows every block.
Model mixedModel()
{
    Model model = *presetNamed("gpt2-half-swapped");
    const BlockRun dense{model.runs[0].block, 1};
    const BlockRun cheap{model.runs[1].block, 1};
    model.runs.clear();
    for (int i = 0; i < 63; ++i) {
        model.runs.push_back(dense);
        model.runs.push_back(cheap);
    }
    return model;
}

// The same with no two blocks equal, so that each is computed by itself.
Model differentModel()
{
    Model model = mixedModel();
    for (int i = 0; i < static_cast<int>(model.runs.size()); ++i) {
        FfnSpec& ffn = model.runs[static_cast<std::size_t>(i)].block.ffn;
        if (auto* dense = get_if<DenseFfn>(&ffn)) {
            dense->dFf = 512 + 64 * i;
        } else if (auto* composed = get_if<ComposedFfn>(&ffn)) {
            get<SpectralFfn>(composed->stages.front().spec).kFreq = 4 + 2 * i;
        }
    }
    return model;
}

// A stack that is as tall as anybody builds one, with no two blocks equal.
Model tallModel()
{
    constexpr int kBlocks = 1000;
    Model model = *presetNamed("gpt2");
    const BlockRun one{model.runs.front().block, 1};
    model.runs.assign(kBlocks, one);
    int width = 512;
    for (BlockRun& run : model.runs) {
        get<DenseFfn>(run.block.ffn).dFf = width;
        width += 8;
    }
    return model;
}

const double kProcessStart = steadyClock()();

void printStart(bench::Report& report, double seconds)
{
    const double resident = residentBytes();
    report.table("start",
                 "Start: application and first painted window (ratio: budget over this)",
                 {{"what", "window, 1280 × 720", bench::Figure::text},
                  {"seconds", "time", bench::Figure::seconds},
                  {"seconds_budget_over_this", "ratio", bench::Figure::ratio},
                  {"resident_bytes", "resident", bench::Figure::bytes},
                  {"resident_budget_over_this", "ratio", bench::Figure::ratio}});
    report.row({"first paint",
                seconds,
                kStartBudget / seconds,
                resident,
                kMemoryBudget / std::max(1.0, resident)});
}

void printDrags(bench::Report& report, test::TestedWindow& window)
{
    report.table(
        "drag",
        "A slider's step until all is painted, software rendering (ratio: budget over this)",
        {{"parameter", "parameter", bench::Figure::text},
         {"median_seconds", "median", bench::Figure::seconds},
         {"median_budget_over_this", "of 8 ms", bench::Figure::ratio},
         {"p99_seconds", "p99", bench::Figure::seconds},
         {"p99_budget_over_this", "of 16 ms", bench::Figure::ratio}});
    print(report, "GPT-2, half swapped: k_freq", drag(window, "k_freq"));
    print(report, "the same: d_model", drag(window, "d_model"));
    replaceModel(window.document(), deepModel());
    print(report, "126 Llama blocks: d_ff", drag(window, "d_ff"));
    replaceModel(window.document(), mixedModel());
    print(report, "126 mixed blocks: d_model", drag(window, "d_model"));
    replaceModel(window.document(), differentModel());
    print(report, "126 different blocks: d_model", drag(window, "d_model"));
    replaceModel(window.document(), tallModel());
    print(report, "1,000 different blocks: d_model", drag(window, "d_model"));
    print(report, "one of them: d_ff", drag(window, "blocks[500].ffn.d_ff"));
}

Samples stackPaintings(test::TestedWindow& window)
{
    constexpr int kRepeats = 100;
    const Clock now = steadyClock();
    Samples seconds;
    for (int i = 0; i < kRepeats; ++i) {
        const double start = now();
        window.stack().viewport()->repaint();
        seconds.add(now() - start);
    }
    return seconds;
}

// All that is in view, as after scrolling or another selection.
void printStack(bench::Report& report, test::TestedWindow& window)
{
    report.table("stack",
                 "A stack of 1,000 different blocks painted (ratio: budget over this)",
                 {{"zoom", "zoom", bench::Figure::text},
                  {"median_seconds", "median", bench::Figure::seconds},
                  {"median_budget_over_this", "of 8 ms", bench::Figure::ratio},
                  {"p99_seconds", "p99", bench::Figure::seconds},
                  {"p99_budget_over_this", "of 16 ms", bench::Figure::ratio}});
    replaceModel(window.document(), tallModel());
    for (const double zoom : {1.0, 2.0}) {
        window.stack().zoom().set(zoom);
        window.settle();
        print(report, zoomText(zoom).c_str(), stackPaintings(window));
    }
    window.stack().zoom().toFit();
    print(report, "all of it", stackPaintings(window));
    window.stack().zoom().set(1.0);
}

// Every widget is polished anew.
void printThemes(bench::Report& report, test::TestedWindow& window)
{
    constexpr int kSwitches = 12;
    const Clock now = steadyClock();
    Samples switches;
    for (int i = 0; i < kSwitches; ++i) {
        const double start = now();
        window.theme().choose(i % 2 == 0 ? ThemeChoice::dark : ThemeChoice::light);
        window.settle();
        QCoreApplication::processEvents();
        switches.add(now() - start);
    }
    report.table("theme",
                 "Another theme until all is painted",
                 {{"what", "window", bench::Figure::text},
                  {"median_seconds", "median", bench::Figure::seconds},
                  {"least_seconds", "least", bench::Figure::seconds}});
    report.row({"first page", switches.median(), switches.quantile(0.0)});
}

constexpr double kCurveBudget = 2.0; // seconds
constexpr double kMaxWait = 60.0; // seconds

bool isCurve(const LabLog& log)
{
    return std::ranges::any_of(log.runs,
                               [](const LoggedRun& run) { return run.curves.losses.size() > 1; });
}

// From the key that trains until a curve of two steps is painted, training programs and all; 0 if
// none came.
double secondsToCurve(test::TestedWindow& window)
{
    const Clock now = steadyClock();
    LabSession& session = window.lab().session();
    const double start = now();
    session.play();
    while (!isCurve(session.log()) && session.isTraining() && now() - start < kMaxWait) {
        QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
    }
    window.settle();
    QCoreApplication::processEvents();
    return isCurve(session.log()) ? now() - start : 0.0;
}

void printLab(bench::Report& report, test::TestedWindow& window, const QString& folder)
{
    report.table("lab",
                 "The lab: from the key that trains to the first moving curve (ratio: budget over "
                 "this)",
                 {{"task", "task", bench::Figure::text},
                  {"seconds", "time", bench::Figure::seconds},
                  {"budget_over_this", "of 2 s", bench::Figure::ratio}});
    window.lab().session().setFolder(folder);
    window.labPlace().show(true);
    for (const char* task : {"teacher", "facts", "text"}) {
        window.lab().compare(task, {"dense", "token_feedback", "ultra"});
        QCoreApplication::processEvents();
        if (const double seconds = secondsToCurve(window); seconds > 0.0) {
            report.row({task, seconds, kCurveBudget / seconds});
        }
    }
    window.labPlace().show(false);
}

// The training programs take all cores meanwhile.
void printDragsBesideLab(bench::Report& report, test::TestedWindow& window)
{
    report.table("lab_drag",
                 "A slider's step while the lab trains (ratio: budget over this)",
                 {{"parameter", "parameter", bench::Figure::text},
                  {"median_seconds", "median", bench::Figure::seconds},
                  {"median_budget_over_this", "of 8 ms", bench::Figure::ratio},
                  {"p99_seconds", "p99", bench::Figure::seconds},
                  {"p99_budget_over_this", "of 16 ms", bench::Figure::ratio}});
    replaceModel(window.document(), presets().front().make());
    window.lab().session().play();
    print(report, "GPT-2, half swapped: d_model", drag(window, "d_model"));
    window.lab().session().pause();
}

constexpr int kPaintings = 200;
const QSize kPaper(720, 440);

// `paint(painter, step)`, each step of another content.
template <class Paint>
Samples paintings(Paint paint)
{
    const Clock now = steadyClock();
    QImage image(kPaper, QImage::Format_ARGB32_Premultiplied);
    Samples seconds;
    for (int step = 0; step < kPaintings; ++step) {
        image.fill(Qt::white);
        QPainter painter(&image);
        const double start = now();
        paint(painter, step);
        painter.end();
        seconds.add(now() - start);
    }
    return seconds;
}

void printPeers(bench::Report& report)
{
    report.table("series",
                 "Without text, updated and painted: Qt Charts' series beside own painting",
                 {{"what", "720 × 440", bench::Figure::text},
                  {"series_seconds", "series", bench::Figure::seconds},
                  {"own_seconds", "own", bench::Figure::seconds},
                  {"series_over_own", "ratio", bench::Figure::ratio}});
    const auto print = [&report](const char* what, const Samples& series, const Samples& own) {
        const double ratio = series.median() / own.median();
        report.row({what, series.median(), own.median(), ratio});
    };
    SeriesRings rings{QSizeF(kPaper)};
    print("three rings of nine slices",
          paintings([&rings](QPainter& painter, int step) { rings.paint(painter, step); }),
          paintings([](QPainter& painter, int step) { paintRings(painter, kPaper, step); }));
    SeriesBars bars{QSizeF(kPaper)};
    print("six bars of nine pieces",
          paintings([&bars](QPainter& painter, int step) { bars.paint(painter, step); }),
          paintings([](QPainter& painter, int step) { paintBars(painter, kPaper, step); }));
}

// A kind's figures of two widths in turns, as a slider's step replaces one by the other.
Samples figureSteps(const ChartKind& kind)
{
    std::vector<std::unique_ptr<Figure>> figures;
    for (const int dModel : {768, 1536}) {
        FigureRequest request{.kind = kind.id, .hardware = hardwareTable().front()};
        request.scenario = {.model = *presetNamed("gpt2"), .workload = {.sequence = 1024}};
        request.scenario.model.dModel = dModel;
        auto figure = figureFor(request);
        if (figure && (*figure)->emptyText().isEmpty()) {
            figures.push_back(std::move(*figure));
        }
    }
    if (figures.size() < 2) {
        return {};
    }
    return paintings([&figures](QPainter& painter, int step) {
        Figure& next = *figures[static_cast<std::size_t>(step % 2)];
        next.reuse(*figures[static_cast<std::size_t>((step + 1) % 2)]); // as a view does
        next.paint(painter, QRectF(QPointF(), QSizeF(kPaper)), {});
    });
}

void printFigures(bench::Report& report)
{
    report.table("figures",
                 "A figure replaced by another of its kind and painted (ratio: budget over this)",
                 {{"chart", "720 × 440", bench::Figure::text},
                  {"median_seconds", "median", bench::Figure::seconds},
                  {"median_budget_over_this", "of 8 ms", bench::Figure::ratio},
                  {"p99_seconds", "p99", bench::Figure::seconds},
                  {"p99_budget_over_this", "of 16 ms", bench::Figure::ratio}});
    for (const ChartKind& kind : chartKinds()) {
        if (const Samples steps = figureSteps(kind); !steps.empty()) {
            print(report, std::string(kind.name).c_str(), steps);
        }
    }
}

void run(const bench::Options& /*options*/, bench::Report& report)
{
    const Clock now = steadyClock();
    test::TestedWindow window;
    window.resize(1280, 720);
    window.show();
    window.settle();
    QCoreApplication::processEvents();
    printStart(report, now() - kProcessStart);
    printThemes(report, window);
    printDrags(report, window);
    printStack(report, window);
    printFigures(report);
    printPeers(report);
    const QTemporaryDir logs;
    printLab(report, window, logs.path());
    printDragsBesideLab(report, window);
}

} // namespace
} // namespace flopsmith::ui

int main(int argc, char** argv)
{
    using namespace flopsmith;
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    QApplication application(argc, argv);
    const QTemporaryDir folder;
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder.path());
    QCoreApplication::setOrganizationName(QStringLiteral("flopsmith-bench"));
    QCoreApplication::setApplicationName(QStringLiteral("window"));
    ui::rememberDesktopPalette();
    ui::applyTheme(application, ui::lightTheme());
    ui::storeAutoMeasure(false);
    return bench::benchMain(argc, argv, "window", ui::run);
}
