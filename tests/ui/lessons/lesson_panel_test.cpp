// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_panel.h"

#include "core/model/presets.h"
#include "tests/ui/lessons/sample_lesson.h"
#include "ui/lessons/base/lesson_stage.h"
#include "ui/lessons/countdown.h"
#include "ui/lessons/questions/number_question.h"
#include "ui/lessons/questions/order_question.h"
#include "ui/lessons/questions/sketch_question.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMouseEvent>
#include <QPushButton>
#include <QRegularExpression>
#include <QSet>
#include <QSignalSpy>
#include <QSlider>
#include <QTest>

#include <memory>

namespace flopsmith::ui {
namespace {

class NotedStage : public LessonStage
{
public:
    void showView(const LessonView& view) override
    {
        shown = view;
        scenario = view.context.scenario;
    }
    void setParameters(const QStringList& keys) override { parameters = keys; }
    void setBuilding(bool on) override { building = on; }
    const Scenario& design() const override { return scenario; }

    LessonView shown;
    Scenario scenario;
    QStringList parameters;
    bool building = false;
};

enum Step { kSay, kChoice, kNumber, kOrder, kBuild, kSketch };

class LessonPanelTest : public testing::Test
{
protected:
    LessonPanelTest()
    {
        Result<LessonPlay> play = LessonPlay::started(test::sampleLesson(), "en");
        EXPECT_TRUE(play.ok()) << (play ? "" : play.error().message);
        panel = std::make_unique<LessonPanel>(std::move(play).value(), stage);
        panel->resize(700, 500);
        panel->show();
    }

    // Without an answer to any question on the way.
    void goTo(int step)
    {
        while (panel->play().step() < step) {
            panel->next();
        }
    }

    template <class Widget>
    Widget& child(const char* name)
    {
        auto* found = panel->findChild<Widget*>(QLatin1String(name));
        FLOPSMITH_CHECK(found != nullptr);
        return *found;
    }

    QString text(const char* name) { return child<QLabel>(name).text(); }
    bool isRevealed() { return panel->play().isRevealed(); }

    NotedStage stage;
    std::unique_ptr<LessonPanel> panel;
};

TEST_F(LessonPanelTest, TextsHaveTheirNumbersAndTheStageItsView)
{
    EXPECT_TRUE(text("lesson.title").contains(QLatin1String("1 of 6")));
    EXPECT_FALSE(text("lesson.text").contains(QLatin1Char('{')));
    EXPECT_EQ(stage.shown.page, "share");
    EXPECT_EQ(panel->speech().notes, QStringLiteral("Speak slowly."));
    EXPECT_EQ(panel->speech().next, QStringLiteral("Which?"));

    panel->next();

    EXPECT_EQ(stage.shown.page, "scaling");
    EXPECT_EQ(stage.scenario.workload.sequence, 2048);
    panel->back();
    EXPECT_EQ(stage.shown.page, "share");
}

TEST_F(LessonPanelTest, NoTextIsComputedAgain)
{
    const auto show = [this] {
        for (int press = 0; press < 3; ++press) {
            panel->press(press + 1);
            panel->setLecturer(press % 2 == 0);
            EXPECT_FALSE(panel->speech().say.isEmpty());
        }
    };
    goTo(kChoice);
    show();
    const int computed = panel->play().computedTexts();
    EXPECT_GT(computed, 0);

    show();
    panel->back();
    panel->next();
    show();

    EXPECT_EQ(panel->play().computedTexts(), computed);
}

TEST_F(LessonPanelTest, NothingIsRevealedBeforeAPrediction)
{
    goTo(kChoice);
    EXPECT_FALSE(child<QPushButton>("lesson.reveal").isEnabled());
    EXPECT_TRUE(stage.parameters.isEmpty()); // nor can it be found out by a slider

    panel->reveal();
    EXPECT_FALSE(isRevealed());
    EXPECT_FALSE(text("lesson.problem").isEmpty());
    EXPECT_TRUE(text("lesson.verdict").isEmpty());

    panel->press(2);
    EXPECT_TRUE(child<QPushButton>("lesson.reveal").isEnabled());
    panel->reveal();
    EXPECT_TRUE(isRevealed());
    EXPECT_FALSE(text("lesson.verdict").isEmpty());
    EXPECT_EQ(stage.shown.page, "memory");
    EXPECT_TRUE(stage.parameters.contains(QStringLiteral("seq")));
    ASSERT_TRUE(panel->play().score().has_value());
    EXPECT_TRUE(panel->play().score()->isRight);
}

TEST_F(LessonPanelTest, LeadsToALabAfterTheReveal)
{
    Lesson lesson = test::sampleLesson();
    lesson.steps[kChoice].lab = LessonLab{.task = "facts", .arms = {"dense", "ultra"}};
    panel->setPlay(LessonPlay::started(lesson, "en").value());
    QSignalSpy wanted(panel.get(), &LessonPanel::labRequested);
    auto& button = child<QPushButton>("lesson.lab");
    EXPECT_FALSE(button.isVisibleTo(panel.get()));
    goTo(kChoice);
    EXPECT_FALSE(button.isVisibleTo(panel.get()));

    panel->press(2);
    panel->reveal();
    ASSERT_TRUE(button.isVisibleTo(panel.get()));
    button.click();

    ASSERT_EQ(wanted.count(), 1);
    EXPECT_EQ(wanted.front().front().value<LessonLab>(), *lesson.steps[kChoice].lab);
    panel->next(); // why
    panel->next();
    EXPECT_FALSE(button.isVisibleTo(panel.get()));
}

TEST_F(LessonPanelTest, ALecturerNeedsNoPrediction)
{
    goTo(kChoice);
    panel->setLecturer(true);
    EXPECT_TRUE(child<QPushButton>("lesson.reveal").isEnabled());

    panel->reveal();

    EXPECT_TRUE(isRevealed());
    panel->setLecturer(false);
    EXPECT_FALSE(panel->play().score().has_value());
}

TEST_F(LessonPanelTest, VotesAreAPredictionToo)
{
    goTo(kChoice);
    auto& votes = child<QLineEdit>("lesson.tally1");
    QTest::keyClicks(&votes, QStringLiteral("A 12 B x"));
    QTest::keyClick(&votes, Qt::Key_Return);
    EXPECT_FALSE(text("lesson.problem").isEmpty());
    EXPECT_FALSE(panel->play().canReveal());

    votes.setText(QStringLiteral("A 12 B 30 C 4"));
    QTest::keyClick(&votes, Qt::Key_Return);

    EXPECT_EQ(panel->play().tally(0), Tally({12, 30, 4}));
    EXPECT_TRUE(panel->play().canReveal());
    EXPECT_TRUE(panel->speech().votes.contains(QLatin1String("B 30")));
}

TEST_F(LessonPanelTest, VotesThatAreTypedCountWhenARemoteLeadsOn)
{
    goTo(kChoice);
    QTest::keyClicks(&child<QLineEdit>("lesson.tally2"), QStringLiteral("B 9"));

    panel->next();

    EXPECT_TRUE(isRevealed());
    EXPECT_EQ(panel->play().tally(1), Tally({0, 9, 0}));
}

TEST_F(LessonPanelTest, AMistypedTallyHoldsTheStep)
{
    goTo(kChoice);
    auto& votes = child<QLineEdit>("lesson.tally1");
    QTest::keyClicks(&votes, QStringLiteral("B x"));
    QTest::keyClicks(&child<QLineEdit>("lesson.tally2"), QStringLiteral("A 3"));
    for (int press = 0; press < 2; ++press) {
        panel->next();
        EXPECT_EQ(panel->play().step(), kChoice);
        EXPECT_FALSE(text("lesson.problem").isEmpty());
    }
    votes.clear();
    QTest::keyClicks(&votes, QStringLiteral("B 9"));

    panel->back();
    panel->next();

    EXPECT_EQ(panel->play().tally(0), Tally({0, 9, 0}));
}

TEST_F(LessonPanelTest, TheScoreStopsTheClock)
{
    goTo(kSketch);
    panel->toggleTimer();
    panel->next();
    EXPECT_TRUE(panel->isOver());
    EXPECT_FALSE(child<Countdown>("lesson.countdown").isRunning());
}

TEST_F(LessonPanelTest, OnGoesToTheEndRevealsAndExplainsOnTheWay)
{
    const QSignalSpy finished(panel.get(), &LessonPanel::finished);
    goTo(kChoice);
    panel->press(1);
    panel->next();
    EXPECT_TRUE(isRevealed());
    EXPECT_TRUE(text("lesson.why").isEmpty());
    panel->next();
    EXPECT_EQ(text("lesson.why"), QStringLiteral("Because it is counted."));
    EXPECT_EQ(panel->play().step(), kChoice);
    goTo(kSketch);
    panel->next();
    EXPECT_TRUE(panel->isOver());
    EXPECT_TRUE(text("lesson.text").contains(QLatin1String("0 of 1")));
    EXPECT_EQ(finished.count(), 0);

    panel->next();

    EXPECT_EQ(finished.count(), 1);
}

TEST_F(LessonPanelTest, ANumberIsPredictedByKeys)
{
    goTo(kNumber);
    auto& slider = child<QSlider>("lesson.number.slider");
    const double before = child<NumberQuestion>("lesson.number").number();
    QTest::keyClick(&slider, Qt::Key_Up);

    const double now = child<NumberQuestion>("lesson.number").number();
    EXPECT_GT(now, before);
    ASSERT_TRUE(panel->play().prediction().has_value());
    EXPECT_DOUBLE_EQ(std::get<double>(*panel->play().prediction()), now);
    EXPECT_TRUE(text("lesson.number.value").endsWith(QLatin1String("FLOPs")));
    panel->reveal();
    EXPECT_FALSE(slider.isEnabled());
    EXPECT_EQ(std::get<double>(*panel->play().prediction()), now);
}

TEST_F(LessonPanelTest, ATypedNumberIsPredictedInTheLessonsLanguage)
{
    panel->setLanguage(QStringLiteral("de"));
    goTo(kNumber);
    QTest::keyClicks(&child<QLineEdit>("lesson.number.typed"), QStringLiteral("291,6 G"));

    ASSERT_TRUE(panel->play().prediction().has_value());
    EXPECT_DOUBLE_EQ(std::get<double>(*panel->play().prediction()), 291.6e9);
    EXPECT_EQ(text("lesson.number.value"), QStringLiteral("292 GFLOPs"));

    child<QSlider>("lesson.number.slider").setValue(0);
    EXPECT_TRUE(child<QLineEdit>("lesson.number.typed").text().isEmpty());
    EXPECT_DOUBLE_EQ(std::get<double>(*panel->play().prediction()), 1e9);
}

TEST_F(LessonPanelTest, WhatIsTypedAndNoNumberIsToldAndPredictsNothing)
{
    goTo(kNumber);
    auto& typed = child<QLineEdit>("lesson.number.typed");
    QTest::keyClicks(&typed, QStringLiteral("many"));
    QTest::keyClick(&typed, Qt::Key_Return);

    EXPECT_FALSE(panel->play().prediction().has_value());
    EXPECT_TRUE(text("lesson.number.wrong").contains(QLatin1String("is no number")));
    EXPECT_FALSE(child<QLabel>("lesson.number.wrong").isHidden());

    typed.selectAll();
    QTest::keyClicks(&typed, QStringLiteral("1.5 G"));
    EXPECT_TRUE(child<QLabel>("lesson.number.wrong").isHidden());
    EXPECT_DOUBLE_EQ(std::get<double>(*panel->play().prediction()), 1.5e9);
}

TEST_F(LessonPanelTest, OptionsAreOrderedByKeys)
{
    goTo(kOrder);
    auto& list = child<QListWidget>("lesson.order.list");
    QTest::keyClick(&list, Qt::Key_Down, Qt::AltModifier);

    EXPECT_EQ(child<OrderQuestion>("lesson.order").order(), OptionOrder({{2, 1, 3}}));
    ASSERT_TRUE(panel->play().prediction().has_value());
    EXPECT_EQ(std::get<OptionOrder>(*panel->play().prediction()), OptionOrder({{2, 1, 3}}));
    panel->reveal();
    EXPECT_TRUE(isRevealed());
}

TEST_F(LessonPanelTest, AnOptionCannotBeDroppedOnAnother)
{
    goTo(kOrder);
    const auto& list = child<QListWidget>("lesson.order.list");
    ASSERT_EQ(list.count(), 3);
    for (int row = 0; row < list.count(); ++row) {
        EXPECT_FALSE(list.item(row)->flags().testFlag(Qt::ItemIsDropEnabled)) << row;
        EXPECT_TRUE(list.item(row)->flags().testFlag(Qt::ItemIsDragEnabled)) << row;
    }
}

TEST_F(LessonPanelTest, ADesignIsJudgedAsItIsBuilt)
{
    goTo(kBuild);
    EXPECT_TRUE(stage.building);
    const QString notYet = text("lesson.build.state");

    stage.scenario.model.runs.front().repeat = 6;
    panel->designChanged();
    EXPECT_NE(text("lesson.build.state"), notYet);
    child<QPushButton>("lesson.build.take").click();
    panel->reveal();

    ASSERT_TRUE(panel->play().score().has_value());
    EXPECT_TRUE(panel->play().score()->isRight);
    EXPECT_FALSE(stage.building);
}

TEST_F(LessonPanelTest, TheDesignThatWasTakenIsTheOneJudged)
{
    goTo(kBuild);
    const QString notYet = text("lesson.build.state");
    child<QPushButton>("lesson.build.take").click();
    stage.scenario.model.runs.front().repeat = 6;
    panel->designChanged();
    EXPECT_NE(text("lesson.build.state"), notYet);

    panel->reveal();

    EXPECT_EQ(text("lesson.build.state"), notYet);
    panel->designChanged();
    EXPECT_EQ(text("lesson.build.state"), notYet);
}

TEST_F(LessonPanelTest, AnUnfinishedDesignIsThereAgain)
{
    goTo(kBuild);
    stage.scenario.model.runs.front().repeat = 6;
    const Scenario built = stage.scenario;

    panel->back();
    EXPECT_NE(stage.scenario, built);
    EXPECT_FALSE(stage.building);
    panel->next();
    EXPECT_EQ(panel->play().step(), kBuild);
    EXPECT_EQ(stage.scenario, built);
    EXPECT_TRUE(stage.building);
    panel->first();
    goTo(kBuild);
    EXPECT_EQ(stage.scenario, built);

    panel->reveal(LessonPlay::By::lecturer);
    EXPECT_NE(stage.scenario, built);
}

TEST_F(LessonPanelTest, CurvesAreDrawnByMouseAndByKeys)
{
    goTo(kSketch);
    SketchPad& pad = child<SketchQuestion>("lesson.sketch").pad();
    pad.resize(400, 240);
    QTest::mousePress(&pad, Qt::LeftButton, {}, {100, 150});
    QMouseEvent move(QEvent::MouseMove,
                     QPointF(300, 80),
                     pad.mapToGlobal(QPointF(300, 80)),
                     Qt::NoButton,
                     Qt::LeftButton,
                     Qt::NoModifier);
    QCoreApplication::sendEvent(&pad, &move);
    QTest::mouseRelease(&pad, Qt::LeftButton, {}, {300, 80});
    EXPECT_FALSE(panel->play().prediction().has_value()); // the second curve is missing

    child<QPushButton>("lesson.curve2").click();
    QTest::keyClick(&pad, Qt::Key_Up);
    QTest::keyClick(&pad, Qt::Key_Right, Qt::ControlModifier);
    QTest::keyClick(&pad, Qt::Key_Down);

    EXPECT_TRUE(pad.isComplete());
    ASSERT_TRUE(panel->play().prediction().has_value());
    const auto& drawn = std::get<DrawnCurves>(*panel->play().prediction()).curves;
    ASSERT_EQ(drawn.size(), 2U);
    EXPECT_EQ(drawn[1].size(), 2U);
    EXPECT_LT(drawn[1][0].x, drawn[1][1].x);
    panel->reveal();
    EXPECT_TRUE(isRevealed());
    EXPECT_TRUE(panel->play().score().has_value());
}

TEST_F(LessonPanelTest, AnotherLanguageKeepsTheAnswer)
{
    goTo(kChoice);
    panel->press(3);
    auto& language = child<QComboBox>("lesson.language");
    ASSERT_EQ(language.count(), 2);

    language.setCurrentIndex(1 - language.currentIndex());

    EXPECT_EQ(text("lesson.text"), QStringLiteral("Welches?"));
    EXPECT_EQ(std::get<ChosenOption>(*panel->play().prediction()), ChosenOption{3});
    EXPECT_TRUE(child<QPushButton>("lesson.option3").isChecked());
}

// What is visible of the panel's own, while questions are open and revealed, and at the end.
QSet<QString> frameTexts(LessonPanel& panel)
{
    QSet<QString> all;
    const auto add = [&] {
        for (const QLabel* label : panel.findChildren<QLabel*>()) {
            all << (label->isVisible() ? label->text() : QString());
        }
        for (const QPushButton* button : panel.findChildren<QPushButton*>()) {
            all << (button->isVisible() ? button->text() : QString()) << button->toolTip();
        }
        for (const QLineEdit* box : panel.findChildren<QLineEdit*>()) {
            all << box->placeholderText() << box->toolTip();
        }
    };
    for (int step = kSay; step <= kSketch; ++step) {
        panel.press(3);
        if (auto* typed = panel.findChild<QLineEdit*>(QStringLiteral("lesson.number.typed"))) {
            QTest::keyClicks(typed, QStringLiteral("3"));
        }
        add();
        if (panel.play().current().ask() != nullptr) {
            panel.reveal(LessonPlay::By::lecturer);
            add();
            panel.showWhy();
        }
        panel.next();
    }
    add();
    for (const auto& [language, texts] : panel.play().lesson().texts) {
        for (const auto& [key, text] : texts) {
            const QString own = QString::fromStdString(text);
            all.removeIf([&own](const QString& each) { return each.contains(own); });
        }
    }
    return all;
}

TEST_F(LessonPanelTest, TheFrameSpeaksTheLanguageOfTheLesson)
{
    const QSet<QString> english = frameTexts(*panel);
    LessonPanel other(LessonPlay::started(test::sampleLesson(), "de").value(), stage);
    other.show();
    const QSet<QString> german = frameTexts(other);

    EXPECT_TRUE(english.contains(QStringLiteral("Not this time; here is what is counted.")));
    EXPECT_TRUE(german.contains(QStringLiteral("Diesmal nicht; so wird gezählt.")));
    EXPECT_EQ(english.size(), german.size());
    static const QRegularExpression word(QStringLiteral("[A-Za-z]{4}"));
    for (const QString& text : english& german) {
        EXPECT_FALSE(text.contains(word)) << qPrintable(text);
    }
}

TEST(CountdownTest, EndsAfterTwoMinutes)
{
    Countdown countdown;
    countdown.toggle();
    EXPECT_EQ(countdown.text(), QStringLiteral("2:00"));
    countdown.tick();
    EXPECT_EQ(countdown.text(), QStringLiteral("1:59"));
    while (countdown.secondsLeft() > 0) {
        countdown.tick();
    }
    EXPECT_FALSE(countdown.isRunning());
    EXPECT_EQ(countdown.text(), QStringLiteral("Time is up"));
    countdown.toggle();
    countdown.toggle();
    EXPECT_TRUE(countdown.text().isEmpty());
}

TEST(DecadeAxisTest, PlacesAndValuesAreEachOthersReverse)
{
    const DecadeAxis axis{128.0, 32'768.0};
    EXPECT_DOUBLE_EQ(axis.placeOf(axis.from), 0.0);
    EXPECT_DOUBLE_EQ(axis.placeOf(axis.to), 1.0);
    EXPECT_NEAR(axis.valueAt(0.5), 2048.0, 1e-6);
    EXPECT_NEAR(axis.placeOf(axis.valueAt(0.3)), 0.3, 1e-12);
}

} // namespace
} // namespace flopsmith::ui
