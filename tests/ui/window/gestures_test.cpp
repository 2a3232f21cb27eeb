// SPDX-License-Identifier: GPL-3.0-or-later
// What a person who has never seen the window does, with the mouse and the keys alone, and in how
// many actions: a press of a key or of a button is one, and so is a text that is typed at one go.
#include "core/base/text.h"
#include "core/ffn/composed.h"
#include "core/ffn/moe.h"
#include "core/model/model_cost.h"
#include "core/model/presets.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/canvas/stack_view.h"
#include "ui/document/scenario_edit.h"
#include "ui/widgets/explain/explainer.h"
#include "ui/window/headline/headline_strip.h"
#include "ui/window/headline/headline_tile.h"

#include <QLabel>

namespace flopsmith::ui {
namespace {

class GesturesTest : public test::WindowTest
{
protected:
    HeadlineTile& tile(HeadlineKind kind) { return window->headline().tile(kind); }
    Explainer& card() { return Explainer::of(*window); }

    void click(QWidget& widget, const QPoint& place)
    {
        ++actions;
        QTest::mouseClick(&widget, Qt::LeftButton, {}, place);
        QCoreApplication::processEvents();
    }

    // In what has the focus.
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
    {
        ++actions;
        QTest::keyClick(QApplication::focusWidget(), key, modifiers);
        QCoreApplication::processEvents();
    }

    void type(const QString& text)
    {
        ++actions;
        QTest::keyClicks(QApplication::focusWidget(), text);
    }

    // Where the pointer is over a link of the card.
    QPoint placeOfLink(QLabel& text, const QString& link)
    {
        QString pointed;
        const auto connection = QObject::connect(
            &text, &QLabel::linkHovered, &text, [&pointed](const QString& l) { pointed = l; });
        QPoint found(-1, -1);
        constexpr int kStep = 5;
        for (int y = text.height() - 1; y > 0 && found.x() < 0; y -= kStep) {
            for (int x = 1; x < text.width() && found.x() < 0; x += kStep) {
                QTest::mouseMove(&text, QPoint(x, y));
                found = pointed == link ? QPoint(x, y) : found;
            }
        }
        QObject::disconnect(connection);
        return found;
    }

    int actions = 0;
};

TEST_F(GesturesTest, TheCostOfAPassIsReadAtFirstSight)
{
    for (const QSize size : {QSize(1280, 720), QSize(1440, 900)}) {
        window->resize(size);
        window->settle();
        QCoreApplication::processEvents();
        HeadlineTile& cost = tile(HeadlineKind::cost);
        const CostSummary summary = window->document().costSummary();

        EXPECT_EQ(cost.shown().exact, groupedDigits(*summary.flops) + " FLOPs");
        EXPECT_EQ(cost.shown().unit, "GFLOPs");
        const QRect place(cost.mapTo(window.get(), QPoint()), cost.size());
        EXPECT_TRUE(window->rect().contains(place));
        EXPECT_GE(cost.width(), cost.minimumSizeHint().width()) << "no digit is cut";
        EXPECT_EQ(window->childAt(place.center()), &cost) << "nothing lies over it";
        EXPECT_LE(place.bottom(), window->height() / 4) << "at the top";
        EXPECT_GE(place.height(), 2 * window->fontMetrics().height()) << "in large type";
    }
    EXPECT_EQ(actions, 0);
}

// From the window as it opens: six actions of the eight that people have patience for.
TEST_F(GesturesTest, AnUnusualStackIsBuiltInAFewActions)
{
    press(Qt::Key_K, Qt::ControlModifier);
    type(QStringLiteral("load gpt-2 small"));
    press(Qt::Key_Return);
    press(Qt::Key_K, Qt::ControlModifier);
    type(QStringLiteral("every fourth moe, last two ultraefficientsparse"));
    press(Qt::Key_Return);
    EXPECT_EQ(actions, 6);

    const Model gpt2 = *presetNamed("gpt2");
    const Block dense = gpt2.runs.front().block;
    Block experts = dense;
    experts.ffn = fitted(MoeFfn{}, dense.ffn, gpt2.dModel);
    Block sparse = dense;
    sparse.ffn = ultraEfficientSparseFfn();
    Scenario expected{.model = gpt2, .workload = window->document().scenario().workload};
    expected.model.runs = {
        {dense, 3}, {experts, 1}, {dense, 3}, {experts, 1}, {dense, 2}, {sparse, 2}};
    Model built = window->document().model();
    built.patterns.clear(); // which group runs and change no count
    EXPECT_EQ(built, expected.model);

    window->settle();
    const CostTree<Count> tree = costTree(expected, lens(LensId::exact).pairs);
    const CostSummary cost = summary(tree, expected, LensId::exact);
    EXPECT_EQ(window->document().costSummary().flops, cost.flops);
    EXPECT_EQ(window->document().costSummary().parameters, cost.parameters);
    EXPECT_EQ(tile(HeadlineKind::cost).shown().exact, groupedDigits(*cost.flops) + " FLOPs");
}

// The same one after the other, each a step of its own.
TEST_F(GesturesTest, TheSameStackIsBuiltStepByStep)
{
    press(Qt::Key_K, Qt::ControlModifier);
    type(QStringLiteral("load gpt-2 small"));
    press(Qt::Key_Return);
    press(Qt::Key_K, Qt::ControlModifier);
    type(QStringLiteral("every 4th block: mixture of experts"));
    press(Qt::Key_Return);
    press(Qt::Key_K, Qt::ControlModifier);
    type(QStringLiteral("last 2 ultra"));
    press(Qt::Key_Return);

    const Model& model = window->document().model();
    EXPECT_EQ(model.layers(), 12);
    EXPECT_EQ(model.patterns, (std::vector<Pattern>{{0, 2, 2}}));
    EXPECT_EQ(window->document().undoStack().count(), 3);
    EXPECT_TRUE(window->stack().hasFocus());
}

// The first click answers in numbers, the second leads to the page with the memory.
TEST_F(GesturesTest, WhyTheCacheIsSoLargeTakesTwoClicks)
{
    window->document().start(findPreset("gpt2")->scenario());
    window->resize(1440, 900);
    window->settle();
    QCoreApplication::processEvents();
    HeadlineTile& cache = tile(HeadlineKind::memory);
    ASSERT_EQ(cache.shown().figure + " " + cache.shown().unit, "73.7 kB per token");

    click(cache, QPoint(cache.width() / 2, cache.height() / 3));
    ASSERT_TRUE(card().isVisible());
    const QString why = card().shownText();
    for (const char* part : {"73.7 kB", "768", "12", "2"}) {
        EXPECT_TRUE(why.contains(QLatin1String(part))) << part << " in " << qPrintable(why);
    }

    auto& text = *card().findChild<QLabel*>();
    const QPoint link = placeOfLink(text, QStringLiteral("page:memory"));
    ASSERT_GE(link.x(), 0) << "the card leads to the page";
    click(text, link);
    EXPECT_FALSE(card().isVisible());
    EXPECT_EQ(window->pages().currentName(), QStringLiteral("budgets"));
    EXPECT_EQ(actions, 2);
}

} // namespace
} // namespace flopsmith::ui
