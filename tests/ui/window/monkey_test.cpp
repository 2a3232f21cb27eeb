// SPDX-License-Identifier: GPL-3.0-or-later
// A seeded monkey that uses the real window like an impatient person, and what must hold whatever
// it does: the model stays legal, the donuts add up to the figures in their middle, Qt has nothing
// to warn about (the program's main() makes a failure of every warning), and undoing everything
// gives back the document of the start.
#include "core/base/random.h"
#include "core/model/presets.h"
#include "core/parameter/validation.h"
#include "tests/ui/menu_entries.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/canvas/drag/stack_drag.h"
#include "ui/canvas/palette/palette.h"
#include "ui/canvas/stack_view.h"
#include "ui/chart_pages/chart_panel.h"
#include "ui/charts/share/share_figure.h"
#include "ui/document/edits/model_edit.h"
#include "ui/inspector/inspector.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/typed/typed_list.h"
#include "ui/window/bars/top_bar.h"
#include "ui/window/headline/headline_tile.h"
#include "ui/window/panels/palette_rail.h"

#include <QAbstractSpinBox>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>
#include <QSlider>
#include <QTabBar>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <iostream>

namespace flopsmith::ui {
namespace {

constexpr int kSteps = 2'000;
constexpr int kMostLayers = 150;
constexpr std::size_t kMostRuns = 40;
constexpr int kStepsBetweenChecks = 10;
constexpr std::uint64_t kSeed = 20240611;

// FLOPSMITH_MONKEY_STEPS makes a longer run of it, as `ctest -L slow -R monkey` does.
int monkeySteps()
{
    const char* steps = std::getenv("FLOPSMITH_MONKEY_STEPS");
    return steps == nullptr ? kSteps : std::atoi(steps);
}

/// Milliseconds that the window's thread has worked. Its own time, not the clock's: other programs
/// on the machine do not count.
double workedMilliseconds()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

/// How long the window was deaf each time.
struct FrameTimes
{
    std::vector<double> milliseconds;
    double longest = 0.0;
    std::string longestAct;

    void add(double time, const char* act)
    {
        milliseconds.push_back(time);
        if (time > longest) {
            longest = time;
            longestAct = act;
        }
    }

    double quantile(double share) const
    {
        std::vector<double> sorted = milliseconds;
        std::sort(sorted.begin(), sorted.end());
        return sorted.at(static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1)));
    }
};

class Monkey
{
public:
    Monkey(test::TestedWindow& window, std::uint64_t seed)
        : m_window(window)
        , m_random(seed)
    {
        m_acts = {
            {"drag slider", [this] { dragSlider(); }},
            {"drag slider", [this] { dragSlider(); }},
            {"type number", [this] { frame([this] { typeNumber(); }); }},
            {"choose", [this] { frame([this] { choose(); }); }},
            {"check", [this] { frame([this] { check(); }); }},
            {"drop", [this] { frame([this] { drop(); }); }},
            {"click palette", [this] { frame([this] { clickPalette(); }); }},
            {"select", [this] { frame([this] { select(); }); }},
            {"pick up", [this] { pickUp(); }},
            {"stack action", [this] { frame([this] { stackAction(); }); }},
            {"undo", [this] { undo(); }},
            {"redo", [this] { redo(); }},
            {"preset", [this] { frame([this] { preset(); }); }},
            {"lens", [this] { frame([this] { menu("bar.lens.menu"); }); }},
            {"phase", [this] { frame([this] { menu("bar.phase.menu"); }); }},
            {"metric", [this] { frame([this] { menu("bar.metric.menu"); }); }},
            {"axis", [this] { frame([this] { axis(); }); }},
            {"tab", [this] { frame([this] { tab(); }); }},
            {"page", [this] { frame([this] { page(); }); }},
            {"hardware", [this] { frame([this] { hardware(); }); }},
            {"waterfall from", [this] { frame([this] { menu("bar.from.menu"); }); }},
            {"scope", [this] { frame([this] { scope(); }); }},
            {"resize", [this] { frame([this] { resize(); }); }},
            {"point", [this] { frame([this] { point(); }); }},
            {"gap plus", [this] { gapPlus(); }},
            {"add", [this] { add(); }},
            {"type into stack", [this] { typeIntoStack(); }},
            {"type command", [this] { typeCommand(); }},
            {"every n-th", [this] { patternAction(); }},
            {"rail", [this] { rail(); }},
            {"headline", [this] { headline(); }},
        };
    }

    /// One act of a person, in as many frames as it takes.
    void act()
    {
        auto& chosen = m_acts[below(std::ssize(m_acts))];
        m_act = chosen.first;
        chosen.second();
    }

    const char* lastAct() const { return m_act; }
    const FrameTimes& frameTimes() const { return m_frameTimes; }

private:
    /// Something that happens between two looks into the event queue.
    template <class Action>
    void frame(Action action)
    {
        const double start = workedMilliseconds();
        action();
        QCoreApplication::processEvents();
        // As the event loop of the program does, but processEvents() does not.
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        m_frameTimes.add(workedMilliseconds() - start, m_act);
    }

    std::size_t below(std::int64_t count)
    {
        return static_cast<std::size_t>(m_random.integer(0, count - 1));
    }

    template <class Widget>
    Widget* any(QWidget& parent)
    {
        QList<Widget*> all = parent.findChildren<Widget*>();
        all.erase(std::remove_if(all.begin(),
                                 all.end(),
                                 [](Widget* w) { return !w->isVisible() || !w->isEnabled(); }),
                  all.end());
        return all.isEmpty() ? nullptr : all[static_cast<int>(below(all.size()))];
    }

    void dragSlider()
    {
        auto* slider = any<QSlider>(m_window.inspector());
        if (slider == nullptr) {
            return;
        }
        const QPointer<QSlider> held(slider); // an undo in between may take it away
        frame([&] { slider->setSliderDown(true); });
        for (std::size_t moves = 1 + below(6); moves > 0 && held; --moves) {
            frame(
                [&] { slider->setSliderPosition(static_cast<int>(below(slider->maximum() + 1))); });
        }
        if (held) {
            frame([&] { slider->setSliderDown(false); });
        }
    }

    void typeNumber()
    {
        if (auto* box = any<QAbstractSpinBox>(m_window)) {
            box->setFocus();
            box->selectAll();
            const char* const texts[] = {"1", "7", "64", "0.5", "1000", "-3", "", "12,5", "1e9"};
            QTest::keyClicks(box, QLatin1String(texts[below(std::ssize(texts))]));
            QTest::keyClick(box, below(4) == 0 ? Qt::Key_Up : Qt::Key_Return);
        }
    }

    void choose()
    {
        if (auto* combo = any<QComboBox>(m_window.inspector())) {
            QTest::keyClick(combo, below(2) == 0 ? Qt::Key_Up : Qt::Key_Down);
        }
    }

    void check()
    {
        if (auto* box = any<QCheckBox>(m_window.inspector())) {
            box->click();
        }
    }

    void drop()
    {
        const auto& entries = paletteEntries();
        QWidget* viewport = m_window.stack().viewport();
        const QPoint place(static_cast<int>(below(std::max(1, viewport->width()))),
                           static_cast<int>(below(std::max(1, viewport->height()))));
        const Extent extent = below(3) == 0 ? Extent::firstBlock : Extent::wholeRun;
        m_window.stack().drops().drop(entries[below(std::ssize(entries))], place, extent);
    }

    void clickPalette()
    {
        const auto& buttons = m_window.palettePanel().buttons();
        buttons[below(std::ssize(buttons))]->click();
    }

    void select()
    {
        const bool extends = below(3) == 0;
        QTest::keyClick(&m_window.stack(),
                        below(2) == 0 ? Qt::Key_Up : Qt::Key_Down,
                        extends ? Qt::ShiftModifier : Qt::NoModifier);
    }

    // Carries the selected blocks by keys, and drops them or not.
    void pickUp()
    {
        StackView& stack = m_window.stack();
        if (m_window.document().model().runs.size() >= 12) {
            return; // a drop may split a run
        }
        frame([&] { stack.actionsOfStack().pickUp().trigger(); });
        for (std::size_t moves = below(6); moves > 0; --moves) {
            frame([this] { select(); });
        }
        const bool copies = below(4) == 0;
        frame([&] {
            QTest::keyClick(&stack,
                            below(3) == 0 ? Qt::Key_Escape : Qt::Key_Return,
                            copies ? Qt::AltModifier : Qt::NoModifier);
            stack.drag().cancel(); // if it was refused
        });
    }

    void stackAction()
    {
        StackActions& actions = m_window.stack().actionsOfStack();
        QAction* const all[] = {&actions.duplicate(),
                                &actions.split(),
                                &actions.join(),
                                &actions.remove(),
                                &actions.moveUp(),
                                &actions.moveDown(),
                                &actions.muteFfn(),
                                &actions.muteMixer(),
                                &actions.muteCross(),
                                &actions.patterns().group(),
                                &actions.patterns().ungroup(),
                                &actions.patterns().more(),
                                &actions.patterns().fewer()};
        QAction* chosen = all[below(std::ssize(all))];
        // A stack that only grows would say nothing new.
        const bool grows = chosen == &actions.duplicate() || chosen == &actions.split()
            || chosen == &actions.patterns().more();
        if (!grows || m_window.document().model().runs.size() < 12) {
            chosen->trigger();
        }
    }

    void undo()
    {
        repeat([this] { m_window.document().undoStack().undo(); });
    }
    void redo()
    {
        repeat([this] { m_window.document().undoStack().redo(); });
    }

    void repeat(const std::function<void()>& action)
    {
        for (std::size_t times = 1 + below(5); times > 0; --times) {
            frame(action);
        }
    }

    void preset()
    {
        replaceModel(m_window.document(), presets()[below(std::ssize(presets()))].make());
    }

    void menu(const char* name)
    {
        const auto actions = test::entriesOf(*m_window.findChild<QMenu*>(QLatin1String(name)));
        actions[static_cast<int>(below(actions.size()))]->trigger();
    }

    void axis()
    {
        const char* const keys[] = {"seq", "d_model", "k_freq", "layers", "heads", "nonsense"};
        m_window.charts().choices().setAxis(QLatin1String(keys[below(std::ssize(keys))]));
    }

    ChartPanel& anyPanel()
    {
        const auto& panels = m_window.chartPanels();
        return *panels[below(std::ssize(panels))];
    }

    void page() { m_window.pages().setCurrent(static_cast<int>(below(m_window.pages().count()))); }

    void hardware()
    {
        const char* const ids[] = {"h100-sxm", "tpu-v4", "t4", "measured"};
        m_window.charts().choices().setHardware(QLatin1String(ids[below(std::ssize(ids))]));
    }

    void tab()
    {
        ChartPanel& panel = anyPanel();
        panel.tabs().setCurrentIndex(static_cast<int>(below(2)));
    }

    void scope()
    {
        m_window.document().setEditScope(below(2) == 0 ? EditScope::run : EditScope::allEqual);
    }

    void resize()
    {
        m_window.resize(900 + static_cast<int>(below(800)), 560 + static_cast<int>(below(500)));
    }

    // A stack that only grows would say nothing new.
    void shrink()
    {
        const Model& model = m_window.document().model();
        if (model.layers() > kMostLayers || model.runs.size() > kMostRuns) {
            frame([this] { preset(); });
        }
    }

    // Types into the list that has opened, if one has, and chooses or not.
    void choose(const char* name, const QString& text)
    {
        auto* list = m_window.findChild<TypedList*>(QLatin1String(name));
        if (list == nullptr || !list->isVisible()) {
            return;
        }
        frame([&] { QTest::keyClicks(&list->box(), text); });
        for (std::size_t moves = below(3); moves > 0; --moves) {
            frame([&] { QTest::keyClick(&list->box(), Qt::Key_Down); });
        }
        const Qt::Key end = below(4) == 0 ? Qt::Key_Escape : Qt::Key_Return;
        frame([&] { QTest::keyClick(&list->box(), end); });
        if (list->isVisible() && below(2) == 0) { // refused
            frame([&] { QTest::keyClick(&list->box(), Qt::Key_Escape); });
        }
        shrink();
    }

    QString anyPart()
    {
        const char* const parts[] = {
            "moe", "ultra", "swi x2", "3 dense", "fourier", "cross", "copy", "", "nothing like it"};
        return QLatin1String(parts[below(std::ssize(parts))]);
    }

    QString anyPhrase()
    {
        const char* const phrases[] = {"every 4th moe",
                                       "every other spectral",
                                       "every 2 fourier",
                                       "every 3rd block from 2: gated",
                                       "last 2 ultraefficientsparse",
                                       "first block none",
                                       "every fourth moe, last two ultra",
                                       "every 0 moe",
                                       "last 900 dense",
                                       "every 2nd ",
                                       "repeat 2",
                                       "repeat 0",
                                       "repeat 9999"};
        return QLatin1String(phrases[below(std::ssize(phrases))]);
    }

    void gapPlus()
    {
        QWidget* viewport = m_window.stack().viewport();
        const QPoint place(static_cast<int>(below(std::max(1, viewport->width()))),
                           static_cast<int>(below(std::max(1, viewport->height()))));
        frame([&] { QTest::mouseMove(viewport, place); });
        auto* plus = m_window.findChild<QAbstractButton*>(QStringLiteral("stack.plus"));
        if (plus->isVisible()) {
            frame([&] { QTest::mouseClick(plus, Qt::LeftButton); });
            choose("stack.chooser", anyPart());
        }
    }

    void add()
    {
        auto* button = m_window.findChild<QAbstractButton*>(QStringLiteral("stack.add"));
        frame([&] { QTest::mouseClick(button, Qt::LeftButton); });
        choose("stack.chooser", anyPart());
    }

    void typeIntoStack()
    {
        const std::pair<Qt::Key, Qt::KeyboardModifiers> keys[] = {
            {Qt::Key_A, {}}, {Qt::Key_A, Qt::ShiftModifier}, {Qt::Key_R, {}}};
        const auto& [key, with] = keys[below(std::ssize(keys))];
        frame([&, key = key, with = with] {
            m_window.stack().setFocus();
            QTest::keyClick(&m_window.stack(), key, with);
        });
        choose("stack.chooser", anyPart());
    }

    void typeCommand()
    {
        frame([&] { QTest::keyClick(&m_window, Qt::Key_K, Qt::ControlModifier); });
        choose("commands", anyPhrase());
    }

    void patternAction()
    {
        PatternActions& actions = m_window.stack().actionsOfStack().patterns();
        const bool repeats = below(2) == 0;
        frame([&] { (repeats ? actions.repeat() : actions.everyNth()).trigger(); });
        choose("stack.chooser", repeats ? QString() : anyPart());
    }

    // Folds the palette or not, and uses an entry as it is then.
    void rail()
    {
        PaletteRail& rail = m_window.parts().panels->paletteRail();
        frame([&] { rail.setPinned(below(2) == 0); });
        auto* button = any<PaletteButton>(m_window);
        if (button != nullptr && below(2) == 0) {
            frame([&] { button->setFocus(); });
            frame([&] { QTest::mouseClick(button, Qt::LeftButton); });
        }
    }

    void headline()
    {
        auto* tile = any<HeadlineTile>(m_window);
        if (tile == nullptr) {
            return;
        }
        frame([&] { QTest::mouseClick(tile, Qt::LeftButton, {}, QPoint(20, 12)); });
        const Qt::Key keys[] = {Qt::Key_Escape, Qt::Key_Return, Qt::Key_Tab, Qt::Key_C};
        const Qt::Key key = keys[below(std::ssize(keys))];
        if (QWidget* focus = QApplication::focusWidget(); focus != nullptr && below(4) != 0) {
            frame([&] {
                QTest::keyClick(
                    focus, key, key == Qt::Key_C ? Qt::ControlModifier : Qt::NoModifier);
            });
        }
    }

    void point()
    {
        auto* panel = any<ChartPanel>(m_window); // a page may have none
        if (panel != nullptr) {
            QTest::mouseMove(&panel->view(),
                             QPoint(static_cast<int>(below(std::max(1, panel->view().width()))),
                                    static_cast<int>(below(std::max(1, panel->view().height())))));
        }
    }

    test::TestedWindow& m_window;
    Random m_random;
    const char* m_act = "";
    FrameTimes m_frameTimes;
    std::vector<std::pair<const char*, std::function<void()>>> m_acts;
};

class MonkeyTest : public test::WindowTest
{
protected:
    // Widgets of the last step. Now and then all events, of which a long list is slow to search.
    void letGo(int step)
    {
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        if (step % kStepsBetweenChecks == 0) {
            QCoreApplication::processEvents();
        }
    }

    void expectInvariants(int step)
    {
        const Status status = validated(window->document().scenario());
        ASSERT_TRUE(status.ok()) << "step " << step << ": " << status.error().message;
        const CostSummary cost = window->document().costSummary();
        const auto share = window->charts().figure(ChartId::share);
        const Donuts& donuts = dynamic_cast<const ShareFigure&>(*share).donuts();
        for (const Donut& donut : donuts) {
            double sum = 0.0;
            for (const Slice& slice : donut.slices) {
                sum += slice.value;
            }
            if (donut.empty()) { // a formula has no parts, but says so
                ASSERT_FALSE(donut.emptyText.empty()) << "step " << step;
                continue;
            }
            ASSERT_NEAR(sum, donut.total, 1e-9 * donut.total) << "step " << step;
        }
        ASSERT_DOUBLE_EQ(donuts.front().total, cost.flops ? toDouble(*cost.flops) : 0.0)
            << "step " << step;
        ASSERT_DOUBLE_EQ(donuts.back().total, toDouble(cost.parameters)) << "step " << step;
    }
};

TEST_F(MonkeyTest, NothingItDoesBreaksTheWindow)
{
    const Scenario start = window->document().scenario();
    const auto widgets = QApplication::allWidgets().size();
    Monkey monkey(*window, kSeed);
    for (int step = 0, count = monkeySteps(); step < count; ++step) {
        monkey.act();
        if (step % kStepsBetweenChecks == 0 || step + 1 == count) {
            ASSERT_NO_FATAL_FAILURE(expectInvariants(step)) << monkey.lastAct();
        }
    }
    const FrameTimes& frames = monkey.frameTimes();
    std::cout << "monkey: " << frames.milliseconds.size() << " frames, median "
              << frames.quantile(0.5) << " ms, 99 % " << frames.quantile(0.99) << " ms, longest "
              << frames.longest << " ms (" << frames.longestAct << ")\n";

    EXPECT_LT(QApplication::allWidgets().size(), 4 * widgets) << "widgets are left behind";

    QUndoStack& steps = window->document().undoStack();
    while (steps.canUndo()) {
        steps.undo();
        letGo(steps.index());
    }
    EXPECT_EQ(window->document().scenario(), start);
    while (steps.canRedo()) {
        steps.redo();
        letGo(steps.index());
    }
    EXPECT_TRUE(validated(window->document().scenario()).ok());
}

} // namespace
} // namespace flopsmith::ui
