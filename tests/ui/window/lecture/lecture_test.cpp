// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/lecture/lecture.h"

#include "core/teach/format/lesson.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/formulas/derivation_view.h"
#include "ui/formulas/symbol_handle.h"
#include "ui/widgets/values/stop_slider.h"
#include "ui/window/lecture/lecture_pages.h"
#include "ui/window/lecture/lecture_sliders.h"
#include "ui/window/lecture/lecture_window.h"
#include "ui/window/lecture/speaker_view.h"

#include <QAction>
#include <QLabel>
#include <QPointer>

namespace flopsmith::ui {
namespace {

constexpr QSize kSmallProjector(1024, 768);

class LectureTest : public test::WindowTest
{
protected:
    LectureWindow& start(const QSize& size = kSmallProjector)
    {
        window->lecture().start(size);
        QCoreApplication::processEvents();
        return *window->lecture().view();
    }

    void press(Qt::Key key) { QTest::keyClick(window->lecture().view(), key); }
    bool isOn() { return window->lecture().isOn(); }

    QString page() { return window->lecture().view()->pages().id(); }

    StopSlider& slider(const char* key)
    {
        auto* found = window->lecture().view()->findChild<StopSlider*>(
            QStringLiteral("lecture.%1.slider").arg(QLatin1String(key)));
        FLOPSMITH_CHECK(found != nullptr);
        return *found;
    }
};

TEST_F(LectureTest, ARemotesKeysTurnPagesBlankAndLeave)
{
    LectureWindow& view = start();
    const QStringList ids = LecturePages::ids();
    press(Qt::Key_F5);
    EXPECT_EQ(page(), ids.front());
    for (qsizetype i = 1; i < ids.size(); ++i) {
        press(i % 3 == 0 ? Qt::Key_PageDown : i % 3 == 1 ? Qt::Key_Right : Qt::Key_Space);
        EXPECT_EQ(page(), ids.at(i));
    }
    press(Qt::Key_PageDown);
    EXPECT_EQ(page(), ids.back());
    press(Qt::Key_PageUp);
    press(Qt::Key_Left);
    EXPECT_EQ(page(), ids.at(ids.size() - 3));
    for (const Qt::Key key : {Qt::Key_B, Qt::Key_Period}) {
        press(key);
        EXPECT_EQ(view.overlay().kind(), LectureOverlay::Kind::blank);
        press(key);
        EXPECT_FALSE(view.overlay().isVisible());
    }
    press(Qt::Key_F5);
    EXPECT_EQ(page(), ids.front());

    press(Qt::Key_Escape);

    EXPECT_FALSE(isOn());
}

TEST_F(LectureTest, KeysOpenTheStepsOfADerivationBeforeTheyTurnThePage)
{
    LectureWindow& view = start();
    view.pages().showPage(QStringLiteral("formulas"));
    press(Qt::Key_W);
    auto* steps = view.findChild<DerivationView*>(QStringLiteral("formulas.derivation"));
    ASSERT_NE(steps, nullptr);
    ASSERT_TRUE(steps->isVisible());
    ASSERT_TRUE(QTest::qWaitFor([steps] { return steps->count() > 0; }));

    for (int step = 2; step <= steps->count(); ++step) {
        press(step % 2 == 0 ? Qt::Key_PageDown : Qt::Key_Right);
        EXPECT_EQ(steps->shown(), step);
        EXPECT_EQ(page(), QStringLiteral("formulas"));
    }
    press(Qt::Key_PageUp);
    EXPECT_EQ(steps->shown(), steps->count() - 1);
    press(Qt::Key_PageDown);
    press(Qt::Key_PageDown);
    EXPECT_NE(page(), QStringLiteral("formulas"));
    press(Qt::Key_PageUp);
    press(Qt::Key_W);
    EXPECT_FALSE(steps->isVisible());
}

TEST_F(LectureTest, EscTakesADragOfALetterBackAndThenLeaves)
{
    LectureWindow& view = start();
    view.pages().showPage(QStringLiteral("formulas"));
    const auto letter = [&view] {
        return view.findChild<SymbolHandle*>(QStringLiteral("formulas.sheet.symbol.d"));
    };
    ASSERT_TRUE(QTest::qWaitFor([&letter] { return letter() != nullptr; }));
    const std::int64_t before = letter()->value();
    letter()->setFocus();

    QTest::mousePress(letter(), Qt::LeftButton);
    ASSERT_TRUE(letter()->isDragged());
    QTest::keyClick(letter(), Qt::Key_Escape);
    EXPECT_FALSE(letter()->isDragged());
    EXPECT_EQ(letter()->value(), before);
    EXPECT_TRUE(isOn());
    press(Qt::Key_Escape);
    EXPECT_FALSE(isOn());
}

TEST_F(LectureTest, LeavingRestoresWindowAndDesign)
{
    window->theme().show(darkTheme());
    window->measuring().setAutomatic(true);
    window->pages().setCurrent(2);
    const QRect place = window->geometry();
    const QByteArray sizes = window->saveState();
    const Scenario scenario = window->document().scenario();
    const LensId lens = window->document().lens();

    start();
    EXPECT_FALSE(window->measuring().isAutomatic());
    EXPECT_EQ(page(), QStringLiteral("waterfall"));
    EXPECT_FALSE(systemTheme().dark);
    slider("d_model").setValue(slider("d_model").value() + 1);
    press(Qt::Key_F);
    press(Qt::Key_L);
    press(Qt::Key_S);
    press(Qt::Key_Escape);

    ASSERT_FALSE(isOn());
    EXPECT_EQ(QApplication::palette().color(QPalette::Window), darkTheme().ground);
    EXPECT_TRUE(window->measuring().isAutomatic());
    EXPECT_EQ(window->geometry(), place);
    EXPECT_EQ(window->saveState(), sizes);
    EXPECT_EQ(window->pages().current(), 2);
    EXPECT_EQ(window->document().scenario(), scenario);
    EXPECT_EQ(window->document().lens(), lens);
    EXPECT_FALSE(window->document().isModified());
    EXPECT_TRUE(window->designs().isEmpty());
    window->measuring().setAutomatic(false);
}

TEST_F(LectureTest, StartsOnThePageOfTheWindow)
{
    const std::vector<std::pair<const char*, const char*>> pages{{"lower", "share"},
                                                                 {"budgets", "memory"},
                                                                 {"panel.waterfall", "waterfall"},
                                                                 {"designSpace", "design_space"},
                                                                 {"formulas", "formulas"},
                                                                 {"costs", "tables"},
                                                                 {"folklore", "folklore"},
                                                                 {"comparison", "compare"}};
    ASSERT_EQ(window->pages().count(), static_cast<int>(pages.size()));
    for (const auto& [ofWindow, ofLecture] : pages) {
        window->pages().setCurrentName(QLatin1String(ofWindow));
        ASSERT_EQ(window->pages().currentName(), QLatin1String(ofWindow));
        start();
        EXPECT_EQ(page(), QLatin1String(ofLecture));
        press(Qt::Key_Escape);
    }
}

TEST_F(LectureTest, FullScreenTwiceIsALectureAndEscIsTheWindowAgain)
{
    auto& fullScreen = child<QAction>("view.fullScreen");

    fullScreen.trigger();
    EXPECT_TRUE(window->isFullScreen());
    EXPECT_FALSE(isOn());
    fullScreen.trigger();
    ASSERT_TRUE(isOn());
    EXPECT_TRUE(window->lecture().view()->isFullScreen());
    press(Qt::Key_Escape);

    EXPECT_FALSE(isOn());
    EXPECT_FALSE(window->isFullScreen());
}

TEST_F(LectureTest, ASliderShowsItsValueLargeAndChangesTheCost)
{
    LectureWindow& view = start();
    const auto value = [&view] {
        return view.findChild<QLabel*>(QStringLiteral("lecture.d_model.value"));
    };
    const auto cost = [&view] {
        return view.findChild<QLabel*>(QStringLiteral("lecture.cost"))->text();
    };
    const QString before = cost();
    slider("d_model").setFocus();

    QTest::keyClick(&slider("d_model"), Qt::Key_Up);

    EXPECT_EQ(value()->text().toInt(), view.document().model().dModel);
    EXPECT_NE(view.document().model(), window->document().model());
    EXPECT_NE(cost(), before);
    EXPECT_GT(value()->font().pointSizeF(), kLecturePoints);
}

TEST_F(LectureTest, PlusAndMinusKeepTheTypeReadable)
{
    LectureWindow& view = start();
    EXPECT_DOUBLE_EQ(view.scale().points, kLecturePoints);
    EXPECT_DOUBLE_EQ(view.pages().currentWidget()->font().pointSizeF(), kLecturePoints);
    for (int i = 0; i < 6; ++i) {
        press(Qt::Key_Plus);
    }
    EXPECT_DOUBLE_EQ(view.scale().points, kMaxLecturePoints);
    for (int i = 0; i < 9; ++i) {
        press(Qt::Key_Minus);
    }
    EXPECT_DOUBLE_EQ(view.scale().points, kMinLecturePoints);
    EXPECT_DOUBLE_EQ(view.font().pointSizeF(), kMinLecturePoints);
}

TEST_F(LectureTest, FreezingKeepsOneGhost)
{
    LectureWindow& view = start();
    press(Qt::Key_F);
    slider("d_model").setValue(slider("d_model").value() + 1);
    press(Qt::Key_F);

    ASSERT_EQ(view.pages().designs().size(), 1U);
    EXPECT_EQ(view.pages().designs().at(0).scenario, view.document().scenario());
}

TEST_F(LectureTest, TheSpeakersViewNamesTheNextPage)
{
    start();
    press(Qt::Key_F5);
    press(Qt::Key_N);
    ASSERT_NE(window->lecture().speaker(), nullptr);
    const auto next = [this] {
        return window->lecture().speaker()->findChild<QLabel*>(QStringLiteral("speaker.next"));
    };
    EXPECT_EQ(next()->text(), LecturePages::titleOf(LecturePages::ids().at(1)));

    QTest::keyClick(window->lecture().speaker(), Qt::Key_PageDown); // its keys are the same

    EXPECT_EQ(page(), LecturePages::ids().at(1));
    EXPECT_EQ(next()->text(), LecturePages::titleOf(LecturePages::ids().at(2)));
    press(Qt::Key_N);
    EXPECT_FALSE(window->lecture().speaker()->isVisible());
}

TEST_F(LectureTest, EscInTheSpeakersViewLeaves)
{
    start();
    press(Qt::Key_N);
    const QPointer<SpeakerView> speaker = window->lecture().speaker();
    ASSERT_FALSE(speaker.isNull());

    QTest::keyClick(speaker.data(), Qt::Key_Escape);

    EXPECT_FALSE(isOn());
    EXPECT_EQ(window->lecture().speaker(), nullptr);
    EXPECT_TRUE(speaker.isNull() || !speaker->isVisible());
}

TEST(LecturePagesIds, HaveEveryPageThatALessonCanName)
{
    const QStringList ids = LecturePages::ids();
    for (const LessonPage& page : lessonPages()) {
        const QString id =
            QString::fromUtf8(page.id.data(), static_cast<qsizetype>(page.id.size()));
        EXPECT_TRUE(ids.contains(id)) << qPrintable(id);
    }
}

TEST(MinutesText, CountsHours)
{
    EXPECT_EQ(minutesText(0), QStringLiteral("0:00"));
    EXPECT_EQ(minutesText(425), QStringLiteral("7:05"));
    EXPECT_EQ(minutesText(3600), QStringLiteral("1:00:00"));
    EXPECT_EQ(minutesText(3725), QStringLiteral("1:02:05"));
}

class OnProjector
    : public LectureTest
    , public testing::WithParamInterface<QSize>
{};

TEST_P(OnProjector, EveryPageFitsAndNoTextIsCut)
{
    LectureWindow& view = start(GetParam());
    for (const QString& id : LecturePages::ids()) {
        view.pages().showPage(id);
        QCoreApplication::processEvents();
        EXPECT_EQ(view.size(), GetParam()) << qPrintable(id);
        for (const auto* label : view.findChildren<QLabel*>()) {
            if (label->isVisible() && label->objectName().startsWith(QLatin1String("lecture."))) {
                EXPECT_GE(label->width(), label->sizeHint().width())
                    << qPrintable(id) << " " << qPrintable(label->objectName());
                EXPECT_TRUE(
                    view.rect().contains(QRect(label->mapTo(&view, QPoint(0, 0)), label->size())));
            }
        }
    }
    EXPECT_GE(view.sliders().count(), 2);
}

INSTANTIATE_TEST_SUITE_P(Sizes,
                         OnProjector,
                         testing::Values(kSmallProjector, QSize(1280, 720), QSize(1920, 1080)));

} // namespace
} // namespace flopsmith::ui
