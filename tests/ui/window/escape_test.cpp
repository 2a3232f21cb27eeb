// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/presets.h"
#include "tests/ui/lessons/sample_lesson.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/canvas/find/find_bar.h"
#include "ui/canvas/stack_view.h"
#include "ui/document/edits/rule_edit.h"
#include "ui/inspector/inspector.h"
#include "ui/inspector/tie_line.h"
#include "ui/lessons/lesson_panel.h"
#include "ui/measuring/devices_window.h"
#include "ui/widgets/class_locks/class_lock_dialog.h"
#include "ui/widgets/typed/typed_list.h"
#include "ui/widgets/values/stop_slider.h"
#include "ui/window/lecture/lecture.h"
#include "ui/window/lecture/lecture_window.h"

#include <QAbstractSpinBox>
#include <QAction>
#include <QDialog>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPointer>

namespace flopsmith::ui {
namespace {

QLineEdit& lineOf(QWidget& field)
{
    auto* line = qobject_cast<QLineEdit*>(&field);
    return line != nullptr ? *line : *field.findChild<QLineEdit*>();
}

// All lines and boxes below a widget that can be typed in now.
QList<QPointer<QWidget>> fieldsIn(QWidget& place)
{
    QList<QPointer<QWidget>> fields;
    for (QWidget* each : place.findChildren<QWidget*>()) {
        const bool isBox = qobject_cast<QAbstractSpinBox*>(each) != nullptr;
        const bool isLine = qobject_cast<QLineEdit*>(each) != nullptr
            && qobject_cast<QAbstractSpinBox*>(each->parentWidget()) == nullptr;
        if ((isBox || isLine) && each->isVisible() && each->isEnabled()
            && !lineOf(*each).isReadOnly()) {
            fields << each;
        }
    }
    return fields;
}

class EscapeTest : public test::WindowTest
{
protected:
    EscapeTest() { window->document().start(Scenario{.model = *presetNamed("gpt2-half-swapped")}); }

    ~EscapeTest() override
    {
        window->lecture().leave();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }

    Document& document() { return window->document(); }

    void expectRestored(QWidget& field)
    {
        const QPointer<QWidget> there(&field);
        const std::string name = field.objectName().toStdString();
        const DocumentState before = document().state();
        const int steps = document().undoStack().count();
        QLineEdit& line = lineOf(field);
        field.setFocus(Qt::TabFocusReason);
        const QString text = line.text();
        line.selectAll();
        QTest::keyClicks(&field, QStringLiteral("73"));
        ASSERT_TRUE(there != nullptr && line.text() != text) << name;

        QTest::keyClick(&field, Qt::Key_Escape);

        ASSERT_TRUE(there != nullptr && field.isVisible()) << name << " is closed as well";
        EXPECT_EQ(line.text(), text) << name;
        field.clearFocus();
        QCoreApplication::processEvents();
        EXPECT_TRUE(document().state().isAs(before)) << name;
        EXPECT_EQ(document().undoStack().count(), steps) << name;
    }

    void expectAllRestored(QWidget& place, int fewest)
    {
        const auto fields = fieldsIn(place);
        EXPECT_GE(fields.size(), fewest) << place.objectName().toStdString();
        for (const QPointer<QWidget>& field : fields) {
            if (field != nullptr && field->isVisible()) {
                expectRestored(*field);
            }
        }
    }

    QDialog& dialog(const char* name)
    {
        auto& found = child<QDialog>(name);
        EXPECT_TRUE(QTest::qWaitForWindowActive(&found));
        return found;
    }
};

TEST_F(EscapeTest, RestoresWhatStoodInAnyFieldOfTheWindow)
{
    for (int page = 0; page < window->pages().count(); ++page) {
        window->pages().setCurrent(page);
        QCoreApplication::processEvents();
        expectAllRestored(*window, 5);
    }
}

TEST_F(EscapeTest, RestoresWhatStoodInDialogs)
{
    child<QAction>("edit.fit").trigger();
    expectAllRestored(dialog("fit"), 2);
    dialog("fit").close();
    child<QAction>("file.rename").trigger();
    expectAllRestored(dialog("rename"), 1);
    dialog("rename").close();
    child<QAction>("file.start").trigger();
    expectAllRestored(dialog("start"), 1);
    dialog("start").close();
    (new ClassLockDialog(
         document(), {.key = "d_model", .kind = ClassLock::Kind::bounded, .max = 9}, *window))
        ->open();
    expectAllRestored(dialog("classLock"), 3);
    dialog("classLock").close();
    expectAllRestored(window->showDevices(), 2);
}

TEST_F(EscapeTest, ClosesTheDialogOfAFieldInWhichNothingIsTyped)
{
    child<QAction>("file.rename").trigger();
    QDialog& rename = dialog("rename");
    auto& line = *rename.findChild<QLineEdit*>();
    QTest::keyClicks(&line, QStringLiteral("other"));
    QTest::keyClick(&line, Qt::Key_Escape);
    ASSERT_TRUE(rename.isVisible());

    QTest::keyClick(&line, Qt::Key_Escape);

    EXPECT_FALSE(rename.isVisible());
    EXPECT_EQ(document().model(), *presetNamed("gpt2-half-swapped"));
}

TEST_F(EscapeTest, RestoresATieThatWasBegun)
{
    auto& tie = child<TieLine>("inspector.tie");
    const auto parameter = parameterAt(document().scenario(), ParameterPlace{0, "mixer.heads"});
    ASSERT_TRUE(parameter.has_value());
    tie.open(*parameter);

    expectRestored(tie.box());
    QTest::keyClick(&tie.box(), Qt::Key_Escape);

    EXPECT_FALSE(tie.isVisible());
    EXPECT_TRUE(document().rules().isEmpty());
}

TEST_F(EscapeTest, TakesATypedPredictionBack)
{
    window->lecture().startLesson(test::sampleLesson());
    LectureWindow& view = *window->lecture().view();
    LessonPanel& lesson = *view.lesson();
    lesson.next();
    expectAllRestored(lesson, 2); // votes
    lesson.reveal(LessonPlay::By::lecturer);
    lesson.next();
    while (lesson.findChild<QLineEdit*>(QStringLiteral("lesson.number.typed")) == nullptr) {
        lesson.next();
    }
    QCoreApplication::processEvents(); // which shows it
    auto& typed = *lesson.findChild<QLineEdit*>(QStringLiteral("lesson.number.typed"));
    expectRestored(typed);
    EXPECT_FALSE(lesson.play().prediction().has_value()) << "there was none before";

    QTest::keyClicks(&typed, QStringLiteral("2 G"));
    QTest::keyClick(&typed, Qt::Key_Return);
    typed.selectAll();
    QTest::keyClicks(&typed, QStringLiteral("9 G"));
    QTest::keyClick(&typed, Qt::Key_Escape);
    EXPECT_EQ(typed.text(), QStringLiteral("2 G"));
    EXPECT_DOUBLE_EQ(std::get<double>(*lesson.play().prediction()), 2e9);
    EXPECT_TRUE(window->lecture().isOn());
}

TEST_F(EscapeTest, RestoresTheLinesOfALessonThatIsWritten)
{
    child<QAction>("file.newLesson").trigger();
    auto* editor = window->findChild<QWidget*>(QStringLiteral("lessonEditor"));
    ASSERT_NE(editor, nullptr);
    ASSERT_TRUE(QTest::qWaitForWindowActive(editor));
    auto& undo = *editor->findChild<QAction*>(QStringLiteral("lessonEditor.undo"));

    expectAllRestored(*editor, 1);

    EXPECT_FALSE(undo.isEnabled());
    editor->close();
}

TEST_F(EscapeTest, ClosesTheBarOfASearchAndChangesNothing)
{
    const Scenario before = document().scenario();
    child<QAction>("stack.find").trigger();
    auto& find = child<FindBar>("stack.findBar");
    QTest::keyClicks(&find.box(), QStringLiteral("dense"));
    window->messages().show(MessageBar::Kind::error, QStringLiteral("said"));
    QTest::keyClick(&find.box(), Qt::Key_Escape);

    EXPECT_FALSE(find.isVisible());
    EXPECT_TRUE(window->messages().isVisible()) << "one thing at a time";
    EXPECT_EQ(document().scenario(), before);
    EXPECT_EQ(document().undoStack().count(), 0);
}

TEST_F(EscapeTest, ClosesTheMessageBeforeWhatIsBelowIt)
{
    document().select(Selection::ofRuns({0, 1}, 0));
    window->stack().setFocus();
    window->messages().show(MessageBar::Kind::note, QStringLiteral("said"));
    QTest::keyClick(&window->stack(), Qt::Key_Escape);
    EXPECT_FALSE(window->messages().isVisible());
    EXPECT_TRUE(document().selection().isSeveral());

    QTest::keyClick(&window->stack(), Qt::Key_Escape);
    EXPECT_FALSE(document().selection().isSeveral());
}

TEST_F(EscapeTest, PutsASliderThatIsHeldBackWithAnyModifier)
{
    document().select(Selection::ofRuns({0, 1}, 0));
    for (const auto held :
         {Qt::NoModifier, Qt::ShiftModifier, Qt::AltModifier, Qt::ControlModifier}) {
        const DocumentState before = document().state();
        auto& slider = child<StopSlider>("inspector.block.mixer.heads.slider");
        const QPoint start(slider.width() / 2, slider.height() / 2);
        const QPoint end(slider.width() - 3, slider.height() / 2);
        QTest::mousePress(&slider, Qt::LeftButton, held, start);
        QTest::mouseMove(&slider, end);
        EXPECT_FALSE(document().state().isAs(before));

        QTest::keyClick(&slider, Qt::Key_Escape, held);
        QTest::mouseMove(&slider, start);
        QTest::mouseRelease(&slider, Qt::LeftButton, held, start);

        EXPECT_TRUE(document().state().isAs(before));
        EXPECT_EQ(document().undoStack().count(), 0);
        EXPECT_FALSE(document().history().isInGesture());
    }
}

TEST_F(EscapeTest, LetsARubberBandGo)
{
    document().select(Selection::ofRun(1));
    StackView& stack = window->stack();
    QWidget& ground = *stack.viewport();
    const QPoint below = stack.mapFromScene(stack.geometryOfStack().dropZone.center());
    const QPoint above = stack.mapFromScene(stack.geometryOfStack().rows.front().frame.center());
    const auto moveTo = [&ground](const QPointF& place) {
        QMouseEvent move(QEvent::MouseMove,
                         place,
                         ground.mapToGlobal(place),
                         Qt::NoButton,
                         Qt::LeftButton,
                         Qt::NoModifier);
        QCoreApplication::sendEvent(&ground, &move);
    };
    QTest::mousePress(&ground, Qt::LeftButton, {}, below);
    moveTo(above);
    EXPECT_TRUE(document().selection().isSeveral());

    QTest::keyClick(&stack, Qt::Key_Escape);

    EXPECT_EQ(document().selection(), Selection::ofRun(1));
    moveTo(above + QPoint(3, 3));
    QTest::mouseRelease(&ground, Qt::LeftButton, {}, above);
    EXPECT_EQ(document().selection(), Selection::ofRun(1));
}

} // namespace
} // namespace flopsmith::ui
