// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/presets.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/canvas/stack_view.h"
#include "ui/window/chart_pages.h"

#include <QAction>
#include <QImage>
#include <QScreen>
#include <QStackedWidget>

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
        window->document().beginGesture();
        window->document().setParameter(parameter, value);
        window->document().endGesture();
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
        window->document().loadModel(model);
        finishPainting();
        ASSERT_EQ(difference().toStdString(), "");
        dragAround(random);
    }
}

TEST_F(RepaintTest, TheScreenFollowsSelectionThemeAndLens)
{
    window->document().loadModel(mixed());
    finishPainting();
    window->document().select(Selection::ofRun(2));
    finishPainting();
    EXPECT_EQ(difference().toStdString(), "");
    window->setThemeChoice(ThemeChoice::dark);
    finishPainting();
    EXPECT_EQ(difference().toStdString(), "");
    window->document().setLens(LensId::fvcore);
    finishPainting();
    EXPECT_EQ(difference().toStdString(), "");
    EXPECT_EQ(onScreen().pixelColor(child<StackView>("stack").viewport()->mapTo(
                  window.get(), QPoint(1, child<StackView>("stack").viewport()->height() - 1))),
              darkTheme().panel);
}

// The window shows the same whether a page watched the changes or was behind another.
TEST_F(RepaintTest, AHiddenPageIsUpToDateWhenItIsShown)
{
    const int pages = window->pages().count();
    const auto change = [this] {
        const Scenario& scenario = window->document().scenario();
        drag(matchingParameters(scenario, "d_model").front(), std::int64_t{1024});
        drag(matchingParameters(scenario, "k_freq").front(), std::int64_t{96});
    };
    for (int page = 0; page < pages; ++page) {
        open();
        window->pages().setCurrent(page);
        finishPainting();
        change();
        const QImage watched = window->pages().page(page).grab().toImage();

        open();
        window->pages().setCurrent(page); // it has shown the first model,
        finishPainting();
        window->pages().setCurrent((page + 1) % pages);
        finishPainting();
        change(); // and not the other
        window->pages().setCurrent(page);
        finishPainting();
        EXPECT_EQ(window->pages().page(page).grab().toImage(), watched)
            << window->pages().currentName().toStdString();
        EXPECT_EQ(difference().toStdString(), "");
    }
}

} // namespace
} // namespace flopsmith::ui::test
