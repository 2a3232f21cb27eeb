// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/measure/clock.h"
#include "core/measure/samples.h"
#include "core/model/presets.h"
#include "ui/theme/theme.h"
#include "ui/window/main_window.h"
#include "ui/window/measuring_control.h"

#include <QApplication>
#include <QSettings>
#include <QTemporaryDir>

#include <cstdio>

// Prints how the window keeps up with a hand: seconds from a slider's step until everything that
// is visible has been painted (software rendering), and from nothing to the first painted window.
// Budgets: a step 8 ms median and 16 ms at the 99th percentile for a 126-layer model; the start
// 400 ms and 120 MB.
namespace flopsmith::ui {
namespace {

// Drags a parameter through its stops, forth and back, as a slider does.
Samples drag(MainWindow& window, std::string_view key)
{
    constexpr int kSteps = 300;
    const Clock now = steadyClock();
    Document& document = window.document();
    const Parameter parameter = matchingParameters(document.scenario(), key).front();
    const std::vector<FieldValue> stops = parameter.legal(document.scenario()).stops();
    Samples steps;
    document.beginGesture();
    for (int i = 0; i < kSteps; ++i) {
        const std::size_t turn = static_cast<std::size_t>(i) % (2 * stops.size());
        const std::size_t stop = turn < stops.size() ? turn : 2 * stops.size() - 1 - turn;
        const double start = now();
        document.setParameter(parameter, stops[stop]);
        window.settle();
        QCoreApplication::processEvents(); // paints what settle() has marked
        steps.add(now() - start);
    }
    document.endGesture();
    return steps;
}

void print(const char* title, const Samples& steps)
{
    std::printf("  %-44s median %10s   p99 %10s\n",
                title,
                durationText(steps.median()).c_str(),
                durationText(steps.quantile(0.99)).c_str());
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

void run(double startSeconds)
{
    const Clock now = steadyClock();
    const double before = now();
    MainWindow window;
    window.resize(1280, 720);
    window.show();
    window.settle();
    QCoreApplication::processEvents();
    std::printf("Window, 1280 × 720, software rendering\n");
    std::printf("  %-44s %s\n",
                "application and first painted window",
                durationText(startSeconds + now() - before).c_str());
    print("GPT-2, half swapped: k_freq", drag(window, "k_freq"));
    print("GPT-2, half swapped: d_model", drag(window, "d_model"));
    window.document().loadModel(deepModel());
    print("126 equal Llama blocks: d_ff", drag(window, "d_ff"));
    window.document().loadModel(mixedModel());
    print("126 blocks, no neighbours equal: d_model", drag(window, "d_model"));
}

} // namespace
} // namespace flopsmith::ui

int main(int argc, char** argv)
{
    using namespace flopsmith;
    const Clock now = steadyClock();
    const double start = now();
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
    ui::run(now() - start);
    return 0;
}
