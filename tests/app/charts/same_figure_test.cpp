// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/project/version.h"
#include "core/model/presets.h"
#include "core/parameter/parameter_lookup.h"
#include "core/protocol/device/device_list.h"
#include "tests/core/protocol/workers.h"
#include "tests/support/programs.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/chart_pages/chart_export_actions.h"
#include "ui/chart_pages/claims_window.h"
#include "ui/chart_pages/curve_measuring.h"
#include "ui/charts/chart_kinds.h"
#include "ui/document/edits/model_edit.h"
#include "ui/document/edits/rule_edit.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QRegularExpression>
#include <QSignalSpy>

#include <algorithm>
#include <cstdlib>

// What the window exports and what `flopsmith chart` writes of the same state are the same bytes.
namespace flopsmith::ui {
namespace {

constexpr int kLong = 120'000; // milliseconds
constexpr const char* kHardware = "h100-sxm"; // of the window at its first start

struct State
{
    const char* preset;
    LensId lens;
};

// A window on a stand-in that answers every measurement alike, so that two runs agree.
class SameFigure
    : public test::WindowTest
    , public testing::WithParamInterface<State>
{
protected:
    SameFigure()
        : m_before(qgetenv("XDG_CONFIG_HOME"))
    {
        qputenv("XDG_CONFIG_HOME", folder.path().toUtf8());
        const std::string_view version = programVersion();
        QCoreApplication::setApplicationVersion(
            QString::fromUtf8(version.data(), static_cast<qsizetype>(version.size())));
        Device device = scripted(shellWorker("measured", {.device = "Some CPU, 2 cores"}));
        device.name = "stand-in";
        EXPECT_TRUE(saveDevices({device}).ok());
        storeDevice(QStringLiteral("stand-in"));
        open();
        replaceModel(window->document(), *presetNamed(GetParam().preset));
        window->document().setLens(GetParam().lens);
        EXPECT_TRUE(window->document().file().saveAs(path("model.flopsmith")).ok());
        window->settle();
    }

    ~SameFigure() override
    {
        window.reset();
        QCoreApplication::setApplicationVersion({});
        qputenv("XDG_CONFIG_HOME", m_before);
    }

    QString path(const char* name) const { return folder.filePath(QLatin1String(name)); }

    // The panel of that title, wherever in the window it is.
    ChartPanel* panelOf(const ChartKind& kind)
    {
        if (!kind.needs.model) {
            return &window->showClaims().panel();
        }
        const auto& panels = window->chartPanels();
        const auto found = std::find_if(panels.begin(), panels.end(), [&](const ChartPanel* panel) {
            return panel->accessibleName() == Charts::tr(kind.title);
        });
        return found == panels.end() ? nullptr : *found;
    }

    QByteArray exportedByTheWindow(const ChartKind& kind)
    {
        ChartPanel* panel = panelOf(kind);
        if (panel == nullptr) {
            ADD_FAILURE() << kind.name << " is nowhere in the window";
            return {};
        }
        ChartExportActions actions(*panel, window->messages());
        EXPECT_TRUE(actions.saveTo(path("window.svg")))
            << kind.name << ": " << qPrintable(window->messages().sentence());
        return text("window.svg");
    }

    // Drawn as large as the window did.
    QByteArray drawnByTheCommand(const ChartKind& kind, bool isMeasured, const QByteArray& like)
    {
        static const QRegularExpression kSize(QStringLiteral("viewBox=\"0 0 (\\d+) (\\d+)\""));
        const auto size = kSize.match(QString::fromUtf8(like));
        std::string words = "chart --kind " + std::string(kind.name);
        if (kind.needs.model) {
            const LensId shown = kind.needs.twoLenses ? LensId::exact : GetParam().lens;
            words += " model.flopsmith --lens " + std::string(lens(shown).name);
        }
        if (kind.needs.hardware || kind.id == ChartId::memory) {
            words += std::string(" --hardware ") + kHardware;
        }
        if (isMeasured && kind.draws != ChartMeasurements::none) {
            words += " --no-store --device stand-in";
        }
        if (isMeasured && kind.draws == ChartMeasurements::curves) {
            words += " --measured";
        }
        words += " --size " + size.captured(1).toStdString() + "x" + size.captured(2).toStdString();
        const std::string command = "cd " + shellWord(folder.path().toStdString()) + " && "
            + shellWord(builtProgram("flopsmith")) + " " + words
            + " -o command.svg >out.txt 2>&1 </dev/null";
        EXPECT_EQ(std::system(command.c_str()), 0) // NOLINT: the shell redirects
            << words << "\n"
            << text("out.txt").toStdString();
        return text("command.svg");
    }

    void expectTheSame(const ChartKind& kind, bool isMeasured)
    {
        QFile::remove(path("window.svg"));
        QFile::remove(path("command.svg"));
        const QByteArray ours = exportedByTheWindow(kind);
        ASSERT_GT(ours.size(), 1000) << kind.name;
        const QByteArray theirs = drawnByTheCommand(kind, isMeasured, ours);
        if (ours == theirs) {
            return;
        }
        const QList<QByteArray> left = ours.split('\n');
        const QList<QByteArray> right = theirs.split('\n');
        const auto [a, b] = std::mismatch(left.begin(), left.end(), right.begin(), right.end());
        ADD_FAILURE() << kind.name << " differs in line " << a - left.begin() + 1
                      << "\nwindow:  " << (a == left.end() ? "" : a->toStdString())
                      << "\ncommand: " << (b == right.end() ? "" : b->toStdString());
    }

    void measure()
    {
        QSignalSpy times(&window->measuring(), &MeasuringControl::finished);
        window->measuring().toggle();
        ASSERT_TRUE(times.wait(kLong));
        QSignalSpy curves(&window->curves(), &CurveMeasuring::finished);
        window->curves().setQuantity(MetricId::time);
        ASSERT_TRUE(curves.wait(kLong));
        ClaimsWindow& claims = window->showClaims();
        claims.toggle();
        ASSERT_TRUE(QTest::qWaitFor([&] { return !claims.isMeasuring(); }, kLong));
        window->settle();
    }

private:
    QByteArray text(const char* name) const
    {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    QByteArray m_before;
};

// A share chart of the window keeps a ring free for times that are still to come; the command line
// has bytes in its place.
TEST_P(SameFigure, IsDrawnOfWhatIsComputed)
{
    for (const ChartKind& kind : chartKinds()) {
        if (!kind.needs.times && !kind.needs.designs && kind.id != ChartId::share) {
            expectTheSame(kind, false);
        }
    }
}

// Both follow the ties of a project.
TEST_P(SameFigure, IsDrawnOfWhatIsTied)
{
    const auto hiddenWidth = parameterAt(window->document().scenario(), {0, "ffn.d_ff"});
    if (!hiddenWidth) {
        GTEST_SKIP() << "no hidden width";
    }
    const QByteArray untied = exportedByTheWindow(chartKind(ChartId::heat));
    ASSERT_TRUE(tieParameter(window->document(), *hiddenWidth, QStringLiteral("3*d_model")).ok());
    ASSERT_TRUE(window->document().file().saveAs(path("model.flopsmith")).ok());
    window->settle();

    for (const ChartId id : {ChartId::heat, ChartId::pareto, ChartId::scaling}) {
        expectTheSame(chartKind(id), false);
    }
    EXPECT_NE(exportedByTheWindow(chartKind(ChartId::heat)), untied);
}

TEST_P(SameFigure, IsDrawnOfWhatIsMeasured)
{
    measure();

    for (const ChartKind& kind : chartKinds()) {
        if (!kind.needs.designs) { // the window shows one design
            expectTheSame(kind, true);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(OfThreeModels,
                         SameFigure,
                         testing::Values(State{"gpt2", LensId::exact},
                                         State{"llama-3-8b", LensId::mac},
                                         State{"gpt2-ultra-efficient-ffn", LensId::exact}),
                         [](const auto& each) {
                             std::string name = each.param.preset;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

} // namespace
} // namespace flopsmith::ui
