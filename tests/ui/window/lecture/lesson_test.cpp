// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/stack/stack_zoom.h"
#include "tests/ui/lessons/sample_lesson.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/canvas/stack_view.h"
#include "ui/document/edits/model_edit.h"
#include "ui/inspector/inspector.h"
#include "ui/lessons/base/lesson_library.h"
#include "ui/lessons/countdown.h"
#include "ui/lessons/lesson_cards.h"
#include "ui/lessons/lesson_panel.h"
#include "ui/window/lecture/lecture.h"
#include "ui/window/lecture/lecture_pages.h"
#include "ui/window/lecture/lecture_sliders.h"
#include "ui/window/lecture/lecture_window.h"
#include "ui/window/lessons/lesson_actions.h"
#include "ui/window/stack/stack_pages.h"

#include <QAction>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>

#include <set>

namespace flopsmith::ui {
namespace {

class LessonTest : public test::WindowTest
{
protected:
    ~LessonTest() override
    {
        window->lecture().leave();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); // of the lesson
        QCoreApplication::processEvents();
    }

    LectureWindow& play(const Lesson& lesson)
    {
        window->lecture().startLesson(lesson);
        FLOPSMITH_CHECK(window->lecture().isOn());
        QCoreApplication::processEvents();
        return *window->lecture().view();
    }

    LessonPanel& panel() { return *window->lecture().view()->lesson(); }
    bool isOn() { return window->lecture().isOn(); }
    void press(Qt::Key key, Qt::KeyboardModifiers with = {})
    {
        QTest::keyClick(window->lecture().view(), key, with);
    }

    static bool isCut(const QWidget& widget)
    {
        const auto* label = qobject_cast<const QLabel*>(&widget);
        return label != nullptr && label->wordWrap()
            ? label->height() < label->heightForWidth(label->width())
            : widget.width() < widget.sizeHint().width();
    }

    static void expectNothingCut(const LectureWindow& view)
    {
        QCoreApplication::processEvents();
        QCoreApplication::processEvents();
        for (const auto* widget : view.lesson()->findChildren<QWidget*>()) {
            const bool hasText = qobject_cast<const QLabel*>(widget) != nullptr
                || qobject_cast<const QPushButton*>(widget) != nullptr;
            // The words of these wrap in a label.
            const bool isOption = widget->objectName().startsWith(QLatin1String("lesson.option"))
                || widget->objectName().startsWith(QLatin1String("lesson.curve"));
            const bool isLabel = qobject_cast<const QLabel*>(widget) != nullptr;
            if (hasText && (isLabel || !isOption) && widget->isVisible()) {
                EXPECT_FALSE(isCut(*widget)) << qPrintable(widget->objectName());
            }
        }
    }
};

TEST_F(LessonTest, ARemoteLeadsThroughAllStepsAndBackToTheDesign)
{
    const Scenario before = window->document().scenario();
    LectureWindow& view = play(test::sampleLesson());
    const int steps = panel().play().steps();
    EXPECT_FALSE(view.isPresenting());

    std::set<int> shown;
    std::set<int> open;
    std::set<int> revealed;
    for (int presses = 0; presses < 10 * steps && !panel().isOver(); ++presses) {
        const LessonPlay& play = panel().play();
        shown.insert(play.step());
        (play.isRevealed()                     ? revealed
             : play.current().ask() != nullptr ? open
                                               : shown)
            .insert(play.step());
        press(Qt::Key_PageDown);
    }
    EXPECT_TRUE(panel().isOver());
    EXPECT_EQ(static_cast<int>(shown.size()), steps);
    EXPECT_FALSE(open.empty());
    EXPECT_EQ(revealed, open) << "no question is left without its answer";
    press(Qt::Key_PageUp);
    EXPECT_FALSE(panel().isOver());
    press(Qt::Key_F5);
    EXPECT_EQ(panel().play().step(), 0);
    for (int key = 0; key <= 10 * steps && isOn(); ++key) {
        press(Qt::Key_Right);
    }

    EXPECT_FALSE(isOn());
    EXPECT_EQ(window->document().scenario(), before);
    EXPECT_FALSE(window->document().isModified());
    EXPECT_EQ(window->document().undoStack().count(), 0);
}

TEST_F(LessonTest, NumbersAnswerAndRRevealsOnlyThen)
{
    play(test::sampleLesson());
    press(Qt::Key_PageDown);
    press(Qt::Key_R);
    EXPECT_FALSE(panel().play().isRevealed());
    press(Qt::Key_2);
    press(Qt::Key_R);
    EXPECT_TRUE(panel().play().isRevealed());
    EXPECT_EQ(window->lecture().view()->pages().id(), QStringLiteral("memory"));
    press(Qt::Key_T);
    EXPECT_TRUE(window->lecture().view()->findChild<Countdown*>()->isRunning());
}

TEST_F(LessonTest, CostsAreNotOnTheWallWhileAQuestionIsOpen)
{
    Lesson lesson = test::sampleLesson();
    lesson.steps.at(1).show.page = "stack";
    LectureWindow& view = play(lesson);
    const auto* cost = view.findChild<QLabel*>(QStringLiteral("lecture.cost"));
    ASSERT_NE(cost, nullptr);
    EXPECT_FALSE(cost->text().isEmpty());
    press(Qt::Key_PageDown);
    auto* pages = view.findChild<StackPages*>(QStringLiteral("lecture.stack"));
    ASSERT_NE(pages, nullptr);
    StackView& stack = pages->stack();
    stack.refresh();
    EXPECT_TRUE(cost->text().isEmpty());
    EXPECT_EQ(stack.picture().rows.front().parts.front().bar.text, "?");
    press(Qt::Key_L); // another lens tells nothing either
    EXPECT_TRUE(cost->text().isEmpty());

    press(Qt::Key_2);
    press(Qt::Key_R);
    stack.refresh();

    EXPECT_FALSE(cost->text().isEmpty());
    EXPECT_NE(stack.picture().rows.front().parts.front().bar.text, "?");
}

TEST_F(LessonTest, KeysOfTheEditorDoNotLeadOnWhereADesignIsBuilt)
{
    LectureWindow& view = play(test::sampleLesson());
    while (!view.isBuilding()) {
        press(Qt::Key_PageDown);
    }
    const int step = panel().play().step();
    auto* editor = view.findChild<Inspector*>();
    ASSERT_NE(editor, nullptr);
    editor->setFocusPolicy(Qt::StrongFocus);
    editor->setFocus();
    for (const Qt::Key key : {Qt::Key_Right, Qt::Key_R, Qt::Key_Escape}) {
        QTest::keyClick(editor, key); // and goes on to the window
        ASSERT_TRUE(isOn());
        EXPECT_EQ(panel().play().step(), step);
    }

    QTest::keyClick(editor, Qt::Key_PageUp); // of a remote

    EXPECT_EQ(panel().play().step(), step - 1);
    EXPECT_FALSE(view.isBuilding());
}

TEST_F(LessonTest, ABuiltStepIsUndoneAndARefusalSaysWhy)
{
    LectureWindow& view = play(test::sampleLesson());
    while (!view.isBuilding()) {
        press(Qt::Key_PageDown);
    }
    auto* undo = view.findChild<QAction*>(QStringLiteral("lecture.undo"));
    ASSERT_NE(undo, nullptr);
    EXPECT_FALSE(undo->isEnabled());
    const Scenario before = view.document().scenario();
    renameModel(view.document(), QStringLiteral("built"));
    undo->trigger();
    EXPECT_EQ(view.document().scenario(), before);

    view.document().refuse(QStringLiteral("This cannot be."));
    auto* problem = view.findChild<QLabel*>(QStringLiteral("lesson.problem"));
    EXPECT_EQ(problem->text(), QStringLiteral("This cannot be."));
    view.findChild<QAction*>(QStringLiteral("lecture.redo"))->trigger();
    EXPECT_TRUE(problem->text().isEmpty());
}

TEST_F(LessonTest, EscWhileTypingDoesNotLeave)
{
    play(test::sampleLesson());
    press(Qt::Key_PageDown);
    auto* votes = panel().findChild<QLineEdit*>(QStringLiteral("lesson.tally1"));
    ASSERT_NE(votes, nullptr);
    votes->setFocus();

    QTest::keyClick(votes, Qt::Key_Escape);

    EXPECT_TRUE(isOn());
}

TEST_F(LessonTest, AThemeAndMeasuringChosenMeanwhileStay)
{
    window->theme().show(lightTheme());
    play(test::sampleLesson());
    window->theme().show(darkTheme());
    window->measuring().setAutomatic(true);

    window->lecture().leave();

    EXPECT_EQ(QApplication::palette().color(QPalette::Window), darkTheme().ground);
    EXPECT_TRUE(window->measuring().isAutomatic());
    window->measuring().setAutomatic(false);
}

TEST_F(LessonTest, ShiftLetsALecturerReveal)
{
    play(test::sampleLesson());
    press(Qt::Key_PageDown);
    QTest::keyPress(window->lecture().view(), Qt::Key_Shift);

    press(Qt::Key_R, Qt::ShiftModifier);

    EXPECT_TRUE(panel().play().isRevealed());
    QTest::keyRelease(window->lecture().view(), Qt::Key_Shift);
}

TEST_F(LessonTest, ShiftEndsWithTheFocusOfTheWindow)
{
    LectureWindow& view = play(test::sampleLesson());
    press(Qt::Key_PageDown);
    auto* reveal = view.findChild<QPushButton*>(QStringLiteral("lesson.reveal"));
    QTest::keyPress(&view, Qt::Key_Shift);
    EXPECT_TRUE(reveal->isEnabled());

    QEvent away(QEvent::WindowDeactivate);
    QCoreApplication::sendEvent(&view, &away);

    EXPECT_FALSE(reveal->isEnabled());
}

TEST_F(LessonTest, AHeldKeyTurnsOnePage)
{
    LectureWindow& view = play(test::sampleLesson());
    press(Qt::Key_PageDown);
    const int step = panel().play().step();
    QKeyEvent held(QEvent::KeyPress, Qt::Key_PageDown, Qt::NoModifier, QString(), true);
    QCoreApplication::sendEvent(&view, &held);
    EXPECT_EQ(panel().play().step(), step);

    const double points = view.scale().points;
    QKeyEvent larger(QEvent::KeyPress, Qt::Key_Plus, Qt::NoModifier, QString(), true);
    QCoreApplication::sendEvent(&view, &larger);
    EXPECT_GT(view.scale().points, points);
}

TEST_F(LessonTest, WhatIsMovedInALessonIsNotThePersonsDesign)
{
    renameModel(window->document(), QStringLiteral("mine"));
    const Scenario mine = window->document().scenario();
    LectureWindow& view = play(test::sampleLesson());
    EXPECT_NE(view.document().scenario(), mine);
    press(Qt::Key_Escape);

    EXPECT_FALSE(isOn());
    EXPECT_EQ(window->document().scenario(), mine);
    EXPECT_TRUE(window->document().isModified());
    EXPECT_EQ(window->document().undoStack().count(), 1);
}

TEST_F(LessonTest, ALessonThatCannotStartSaysWhyAndTheWindowGoesOn)
{
    Lesson broken = test::sampleLesson();
    broken.steps[1].show.model = "no-such-model";

    window->lecture().startLesson(broken);

    EXPECT_FALSE(isOn());
    EXPECT_TRUE(window->messages().sentence().contains(QLatin1String("no-such-model")));
}

TEST_F(LessonTest, APlayIsHandedOverAndNotLaidOutAgain)
{
    LessonPlay play = LessonPlay::started(test::sampleLesson(), "en").value();
    ASSERT_TRUE(play.goTo(1));
    const LessonView* view = &play.view();

    window->lecture().startPlay(std::move(play));

    EXPECT_EQ(panel().play().step(), 1);
    EXPECT_EQ(&panel().play().view(), view) << "the views are those that were computed before";
}

TEST_F(LessonTest, EveryPageOfALessonIsShown)
{
    LectureWindow& view = play(test::sampleLesson());
    for (const LessonPage& page : lessonPages()) {
        const QString id =
            QString::fromUtf8(page.id.data(), static_cast<qsizetype>(page.id.size()));
        EXPECT_TRUE(view.pages().showPage(id)) << qPrintable(id);
    }
}

// The stack of a deep model, whose zoom the steps change.
Lesson zoomingLesson()
{
    Lesson lesson = test::sampleLesson();
    const LessonStep say{.content = Say{"say"}};
    lesson.steps.assign(4, say);
    lesson.steps[0].show = {.page = "stack", .select = "blocks/ffn", .model = "gpt2"};
    lesson.steps[1].show.zoom = "selection";
    lesson.steps[2].show.zoom = "inside";
    lesson.steps[3].show.zoom = "model";
    return lesson;
}

TEST_F(LessonTest, AStepsZoomShowsTheStackSo)
{
    LectureWindow& view = play(zoomingLesson());
    const auto settle = [] {
        QCoreApplication::processEvents();
        QCoreApplication::processEvents();
    };
    settle();
    auto* stack = view.findChild<StackPages*>(QStringLiteral("lecture.stack"));
    ASSERT_NE(stack, nullptr);
    const double whole = stack->stack().zoom().factor();
    EXPECT_GE(whole, kPartsZoom);
    EXPECT_LE(whole, 1.0);
    EXPECT_FALSE(stack->isInside());

    press(Qt::Key_PageDown);
    settle();
    EXPECT_GT(stack->stack().zoom().factor(), whole);
    EXPECT_FALSE(stack->isInside());

    press(Qt::Key_PageDown);
    settle();
    EXPECT_TRUE(stack->isInside());

    press(Qt::Key_PageDown);
    settle();
    EXPECT_FALSE(stack->isInside());
    EXPECT_DOUBLE_EQ(stack->stack().zoom().factor(), whole);
}

TEST_F(LessonTest, AZoomOfThePersonsOwnSurvivesAnotherSize)
{
    LectureWindow& view = play(zoomingLesson());
    QCoreApplication::processEvents();
    auto* stack = view.findChild<StackPages*>(QStringLiteral("lecture.stack"));
    ASSERT_NE(stack, nullptr);
    stack->stack().zoom().set(2.0);

    view.resize(view.size() + QSize(40, 60));
    QCoreApplication::processEvents();
    QCoreApplication::processEvents();

    EXPECT_EQ(stack->stack().zoom().factor(), 2.0);
}

TEST_F(LessonTest, CardsAndMenuHaveEveryLesson)
{
    const auto& library = lessonLibrary();
    ASSERT_FALSE(library.empty());
    window->lessons().showList();
    auto* cards = window->findChild<LessonCards*>();
    ASSERT_NE(cards, nullptr);
    auto* list = cards->findChild<QListWidget*>();
    EXPECT_EQ(list->count(), static_cast<int>(library.size()));
    for (const LibraryLesson& entry : library) {
        ASSERT_TRUE(entry.lesson.ok()) << entry.lesson.error().message;
        EXPECT_NE(window->findChild<QAction*>(QStringLiteral("help.lesson.") + entry.name),
                  nullptr);
    }

    QTest::keyClick(list, Qt::Key_Return);

    ASSERT_TRUE(isOn());
    EXPECT_EQ(panel().play().lesson(), *library.front().lesson);
}

// Readable from the last row; the designs that are built have an editor in ordinary type.
void expectLargeType(const LectureWindow& view)
{
    for (const auto* widget : view.findChildren<QWidget*>()) {
        const bool hasText = qobject_cast<const QLabel*>(widget) != nullptr
            || qobject_cast<const QAbstractButton*>(widget) != nullptr
            || qobject_cast<const QListWidget*>(widget) != nullptr;
        const bool isOfLecture = widget->objectName().startsWith(QLatin1String("lesson."))
            || widget->objectName().startsWith(QLatin1String("lecture."));
        if (hasText && isOfLecture && widget->isVisible()) {
            EXPECT_GE(widget->fontInfo().pointSizeF(), kMinLecturePoints)
                << qPrintable(widget->objectName());
        }
    }
}

// Into the folder of this variable, if it is set, to be looked at.
void savePicture(LectureWindow& view, const QString& name)
{
    const QString folder = qEnvironmentVariable("FLOPSMITH_LESSON_PICTURES");
    if (!folder.isEmpty()) {
        constexpr int kFadedIn = 750; // milliseconds
        QTest::qWait(kFadedIn);
        EXPECT_TRUE(view.grab().save(QStringLiteral("%1/%2.png").arg(folder, name)));
    }
}

struct Projector
{
    QSize size;
    QString language;
};

class ProjectedLessonTest
    : public LessonTest
    , public testing::WithParamInterface<Projector>
{};

// Of every lesson, in large type, before and after each answer.
TEST_P(ProjectedLessonTest, CutsNoText)
{
    const auto& [size, language] = GetParam();
    for (const LibraryLesson& entry : lessonLibrary()) {
        SCOPED_TRACE(qPrintable(entry.name));
        LectureWindow& view = play(entry.lesson.value());
        view.setPresenting(true);
        view.resize(size);
        panel().setLanguage(language);
        const QString name = QStringLiteral("%1-%2-%3").arg(entry.name, language).arg(size.width());
        for (int step = 0; step < panel().play().steps(); ++step) {
            SCOPED_TRACE(step);
            expectNothingCut(view);
            expectLargeType(view);
            savePicture(view, QStringLiteral("%1-%2a").arg(name).arg(step + 1));
            panel().reveal(LessonPlay::By::lecturer);
            panel().showWhy();
            expectNothingCut(view);
            if (panel().play().isRevealed()) {
                savePicture(view, QStringLiteral("%1-%2b").arg(name).arg(step + 1));
            }
            EXPECT_EQ(view.size(), size);
            panel().next();
        }
        EXPECT_TRUE(panel().isOver());
        expectNothingCut(view);
        window->lecture().leave();
    }
}

INSTANTIATE_TEST_SUITE_P(Projectors,
                         ProjectedLessonTest,
                         testing::Values(Projector{{1024, 768}, QStringLiteral("en")},
                                         Projector{{1024, 768}, QStringLiteral("de")},
                                         Projector{{1280, 720}, QStringLiteral("en")},
                                         Projector{{1280, 720}, QStringLiteral("de")}));

} // namespace
} // namespace flopsmith::ui
