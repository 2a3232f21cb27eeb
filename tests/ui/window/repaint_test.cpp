// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/presets.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/canvas/stack_view.h"
#include "ui/chart_pages/chart_pages.h"
#include "ui/document/edits/model_edit.h"
#include "ui/document/edits/parameter_edit.h"
#include "ui/formulas/folklore_page.h"
#include "ui/formulas/formula_page.h"
#include "ui/tables/cost_page.h"

#include <QImage>
#include <QScreen>

#include <random>

// Only what changed is painted again: what is on the screen must be what a whole painting gives.
namespace flopsmith::ui::test {
namespace {

class RepaintTest : public WindowTest
{
protected:
    void finishPainting()
    {
        window->settle();
        for (int i = 0; i < 4; ++i) { // a painting can ask for a layout, and that for a painting
            QCoreApplication::sendPostedEvents();
            QCoreApplication::processEvents();
        }
    }

    QImage onScreen() const
    {
        return window->screen()
            ->grabWindow(window->winId())
            .toImage()
            .convertToFormat(QImage::Format_RGB32);
    }

    // Which of the window's lines differ from a whole painting; empty if none do.
    QString difference()
    {
        const QImage seen = onScreen();
        const QImage whole = window->grab().toImage().convertToFormat(QImage::Format_RGB32);
        if (seen.size() != whole.size()) {
            return QStringLiteral("another size");
        }
        for (int y = 0; y < seen.height(); ++y) {
            for (int x = 0; x < seen.width(); ++x) {
                if (seen.pixel(x, y) != whole.pixel(x, y)) {
                    const QWidget* at = window->childAt(x, y);
                    return QStringLiteral("at %1, %2: %3")
                        .arg(x)
                        .arg(y)
                        .arg(at != nullptr ? at->objectName() : QString());
                }
            }
        }
        return {};
    }

    void drag(const Parameter& parameter, const FieldValue& value)
    {
        window->document().history().beginGesture();
        setParameter(window->document(), parameter, value);
        window->document().history().endGesture();
        finishPainting();
    }

    // A few parameters of the model, each to a few of its stops.
    void dragAround(std::mt19937& random)
    {
        for (const char* key : {"k_freq", "d_model", "seq", "heads", "d_ff", "repeat", "vocab"}) {
            const Scenario& scenario = window->document().scenario();
            const std::vector<Parameter> found = matchingParameters(scenario, key);
            if (found.empty()) {
                continue;
            }
            const Parameter& parameter = found[random() % found.size()];
            const std::vector<FieldValue> stops = parameter.legal(scenario).stops();
            drag(parameter, stops[random() % stops.size()]);
            EXPECT_EQ(difference().toStdString(), "") << key;
        }
    }

    static Model mixed()
    {
        Model model = *presetNamed("gpt2-half-swapped");
        const BlockRun dense{model.runs[0].block, 1};
        const BlockRun cheap{model.runs[1].block, 1};
        model.runs = {dense, cheap, dense, cheap, dense, cheap, dense, cheap, dense, cheap};
        return model;
    }
};

TEST_F(RepaintTest, TheScreenShowsWhatAWholePaintingWouldAfterEveryStepOfASlider)
{
    std::mt19937 random(7);
    for (const Model& model : {*presetNamed("gpt2-half-swapped"), mixed()}) {
        replaceModel(window->document(), model);
        finishPainting();
        ASSERT_EQ(difference().toStdString(), "");
        dragAround(random);
    }
}

TEST_F(RepaintTest, TheScreenFollowsSelectionThemeAndLens)
{
    replaceModel(window->document(), mixed());
    finishPainting();
    window->document().select(Selection::ofRun(2));
    finishPainting();
    EXPECT_EQ(difference().toStdString(), "");
    window->theme().choose(ThemeChoice::dark);
    finishPainting();
    EXPECT_EQ(difference().toStdString(), "");
    window->document().setLens(LensId::fvcore);
    finishPainting();
    EXPECT_EQ(difference().toStdString(), "");
    EXPECT_EQ(onScreen().pixelColor(child<StackView>("stack").viewport()->mapTo(
                  window.get(), QPoint(1, child<StackView>("stack").viewport()->height() - 1))),
              darkTheme().panel);
}

// A page, and whether it has computed what it shows.
class PageWatch
{
public:
    explicit PageWatch(QWidget& page)
        : m_formulas(qobject_cast<FormulaPage*>(&page))
        , m_costs(qobject_cast<CostPage*>(&page))
        , m_folklore(qobject_cast<FolklorePage*>(&page))
    {}

    // Pages of charts are painted from the document; the others wait a moment for the last change.
    bool isUpToDate() const
    {
        return m_formulas != nullptr ? !m_formulas->isStale()
            : m_costs != nullptr     ? !m_costs->isStale()
            : m_folklore != nullptr  ? m_folklore->isFilled()
                                     : true;
    }

    bool follows() const { return m_formulas != nullptr || m_costs != nullptr; }

private:
    FormulaPage* m_formulas;
    CostPage* m_costs;
    FolklorePage* m_folklore;
};

class HiddenPageTest : public RepaintTest
{
protected:
    QWidget& page(int number) { return window->pages().page(number); }

    // Shows a page until it stands still.
    void showPage(int number)
    {
        window->pages().setCurrent(number);
        finishPainting();
        const PageWatch watch(page(number));
        ASSERT_TRUE(QTest::qWaitFor([&watch] { return watch.isUpToDate(); })) << number;
        finishPainting();
    }

    void change()
    {
        drag(matchingParameters(window->document().scenario(), "d_model").front(),
             std::int64_t{1024});
        drag(matchingParameters(window->document().scenario(), "k_freq").front(), std::int64_t{96});
    }

    QImage picture(int number) { return page(number).grab().toImage(); }
};

// The window shows the same whether a page watched the changes or was behind another.
TEST_F(HiddenPageTest, EveryPageIsUpToDateWhenItIsShown)
{
    const int pages = window->pages().count();
    ASSERT_GE(pages, 6);
    for (int number = 0; number < pages; ++number) {
        open();
        showPage(number);
        change();
        showPage(number);
        const QImage watched = picture(number);

        open();
        showPage(number); // it has shown the first model,
        window->pages().setCurrent((number + 1) % pages);
        finishPainting();
        change(); // and not the other
        showPage(number);
        EXPECT_EQ(picture(number), watched) << window->pages().currentName().toStdString();
        EXPECT_EQ(difference().toStdString(), "");
    }
}

TEST_F(HiddenPageTest, EveryPageHasTheThemeOfNowWhenItIsShown)
{
    const int pages = window->pages().count();
    for (int number = 0; number < pages; ++number) {
        showPage(number);
    }
    const QImage light = picture(pages - 1);
    window->pages().setCurrent(0);
    window->theme().choose(ThemeChoice::dark);
    std::vector<QImage> changed;
    for (int number = 0; number < pages; ++number) {
        showPage(number);
        changed.push_back(picture(number));
    }
    EXPECT_NE(changed.back(), light);

    open(); // dark from its start on
    for (int number = 0; number < pages; ++number) {
        showPage(number);
        EXPECT_EQ(picture(number), changed[static_cast<std::size_t>(number)])
            << window->pages().currentName().toStdString();
    }
}

TEST_F(HiddenPageTest, APageThatWasLeftComputesNothingMore)
{
    int following = 0;
    for (int number = 0; number < window->pages().count(); ++number) {
        const PageWatch watch(page(number));
        if (!watch.follows()) {
            continue; // of those with charts see ChartPagesTest, of folklore the next test
        }
        ++following;
        showPage(number);
        setParameter(window->document(),
                     matchingParameters(window->document().scenario(), "d_model").front(),
                     std::int64_t{512 + 64 * following}); // which it means to show soon
        window->pages().setCurrent(0);
        QTest::qWait(200); // longer than the pauses of these pages
        change();
        QTest::qWait(200);

        EXPECT_FALSE(watch.isUpToDate()) << number;
        showPage(number);
    }
    EXPECT_EQ(following, 2);
}

TEST_F(HiddenPageTest, FolkloreIsNotComputedForAPageThatWasPassedBy)
{
    auto& folklore = *window->pages().findChild<FolklorePage*>();
    int number = 0;
    while (&page(number) != &folklore) {
        ++number;
    }
    window->pages().setCurrent(number);
    window->pages().setCurrent(0);
    finishPainting();
    EXPECT_FALSE(folklore.isFilled());

    showPage(number);
    EXPECT_TRUE(folklore.isFilled());
}

} // namespace
} // namespace flopsmith::ui::test
