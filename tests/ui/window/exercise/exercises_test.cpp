// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/exercise/exercises.h"

#include "core/base/text_file.h"
#include "core/exercise/exercise_answer.h"
#include "core/exercise/exercise_reading.h"
#include "core/model/presets.h"
#include "tests/ui/inspector/qts_own.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/document/edits/model_edit.h"
#include "ui/document/recent_files.h"
#include "ui/exercises/exercise_panel.h"
#include "ui/window/stack/stack_pages.h"

#include <QAction>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QTextEdit>
#include <QTimer>

namespace flopsmith::ui {
namespace {

class ExercisesTest : public test::WindowTest
{
protected:
    QString write(const char* name, const std::string& text) const
    {
        QString path = folder.filePath(QLatin1String(name));
        EXPECT_TRUE(writeFile(path.toStdString(), text).ok());
        return path;
    }

    static Exercise shipped(const char* id) { return exerciseNamed(id).value(); }

    ExercisePanel& panel() { return window->exercisePanel(); }

    // What somebody answers to the question about an unsaved answer.
    void answerQuestion(QMessageBox::StandardButton button)
    {
        QTimer::singleShot(0, window.get(), [button] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            ASSERT_NE(box, nullptr);
            box->button(button)->click();
        });
    }
};

TEST_F(ExercisesTest, OneOfTheProgramBeginsBesideItsDesign)
{
    EXPECT_TRUE(panel().isHidden());

    child<QAction>("help.exercise.01-smallest-cache").trigger();

    EXPECT_TRUE(panel().isVisible());
    EXPECT_EQ(window->document().scenario(), projectOf(shipped("smallest-cache").start)->scenario);
    EXPECT_EQ(window->document().lens(), LensId::matmul);
    EXPECT_FALSE(window->document().isModified());
    for (const QWidget* widget : panel().findChildren<QWidget*>()) {
        if (!test::isQtsOwn(*widget) && widget->isVisible()) {
            EXPECT_FALSE(widget->objectName().isEmpty()) << widget->metaObject()->className();
            EXPECT_FALSE(widget->accessibleName().isEmpty()) << qPrintable(widget->objectName());
        }
    }

    child<QPushButton>("exercise.close").click();
    EXPECT_TRUE(panel().isHidden());
    EXPECT_EQ(panel().play(), nullptr);
}

TEST_F(ExercisesTest, AFileIsOpenedLikeAModelAndAnswered)
{
    clearRecentFiles();
    const Exercise release = released(shipped("your-own-crossing")).value();
    const QString path = write("class.flopsmith-exercise", exerciseJson(release));

    ASSERT_TRUE(window->openFile(path));
    EXPECT_EQ(window->document().rules().ties.size(), 2U);
    EXPECT_EQ(recentFiles(), QStringList(path));
    auto& box = child<QLineEdit>("exercise.check.multiple.number");
    box.setText(QStringLiteral("4"));
    Q_EMIT box.editingFinished();
    const QString saved = folder.filePath(QStringLiteral("a.flopsmith-answer"));
    EXPECT_TRUE(window->exercises().saveTo(saved));

    const Result<std::string> text = textOfFile(saved.toStdString());
    ASSERT_TRUE(text.ok());
    const Result<ExerciseAnswer> answer = readAnswer(*text, "saved");
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    const ExerciseMarker marker = ExerciseMarker::create(shipped("your-own-crossing")).value();
    EXPECT_TRUE(isAnswerTo(marker, *answer).ok());
    EXPECT_EQ(marker.points(marker.marks(answer->design.scenario, answer->numbers)), 1);
}

TEST_F(ExercisesTest, ASavedAnswerGoesOnWhereItWasLeft)
{
    ASSERT_TRUE(window->exercises().begin(shipped("two-papers")));
    ASSERT_FALSE(panel().play()->exercise().checks.empty());
    window->document().apply(QStringLiteral("Shorter"), [](DocumentState& state) {
        state.scenario.model.runs.front().repeat = 5;
    });
    child<QLineEdit>("exercise.student").setText(QStringLiteral("Ada"));
    child<QTextEdit>("exercise.words").setPlainText(QStringLiteral("One counts MACs."));
    panel().setUnlocked();
    const QList<QLineEdit*> boxes = panel().findChildren<QLineEdit*>(
        QRegularExpression(QStringLiteral("exercise\\.check\\..*\\.number")));
    ASSERT_FALSE(boxes.isEmpty());
    QLineEdit* box = boxes.front();
    const QString name = box->objectName();
    box->setText(QStringLiteral("17.5 G"));
    Q_EMIT box->editingFinished();
    const ExerciseAnswer saved = panel().answer();
    const QString path = folder.filePath(QStringLiteral("ada.flopsmith-answer"));
    ASSERT_TRUE(window->exercises().saveTo(path));
    child<QPushButton>("exercise.close").click();
    replaceModel(window->document(), *presetNamed("tiny"));

    ASSERT_TRUE(window->exercises().open(path));

    EXPECT_TRUE(panel().isVisible());
    EXPECT_FALSE(panel().hasUnsaved());
    ExerciseAnswer resumed = panel().answer();
    resumed.seconds = saved.seconds;
    EXPECT_EQ(resumed, saved);
    EXPECT_EQ(child<QLineEdit>(qPrintable(name)).text(), QStringLiteral("17500000000"));
}

TEST_F(ExercisesTest, AnAnswerToAnUnknownExerciseSaysSo)
{
    Exercise own = shipped("two-papers");
    own.id = "own";
    ASSERT_TRUE(window->exercises().begin(own));
    const QString path = folder.filePath(QStringLiteral("a.flopsmith-answer"));
    ASSERT_TRUE(window->exercises().saveTo(path));
    child<QPushButton>("exercise.close").click();

    EXPECT_FALSE(window->exercises().open(path));
    EXPECT_TRUE(window->messages().sentence().contains(
        QStringLiteral("\"own\" does not come with this program")));

    write("mine.flopsmith-exercise", exerciseJson(own));
    EXPECT_TRUE(window->exercises().open(path));

    own.checks.front().points += 1;
    write("mine.flopsmith-exercise", exerciseJson(own));
    EXPECT_FALSE(window->exercises().open(path));
    EXPECT_TRUE(window->messages().sentence().contains(QStringLiteral("other checks")));
}

TEST_F(ExercisesTest, ABrokenFileSaysWhyAndKeepsWhatIsOpen)
{
    const Scenario before = window->document().scenario();

    EXPECT_FALSE(
        window->openFile(write("broken.flopsmith-exercise", "{\"flopsmith_exercise\": 1}")));

    EXPECT_TRUE(
        window->messages().sentence().contains(QStringLiteral("broken.flopsmith-exercise")));
    EXPECT_EQ(window->document().scenario(), before);
    EXPECT_TRUE(panel().isHidden());
}

TEST_F(ExercisesTest, AnUnsavedAnswerIsAskedAbout)
{
    ASSERT_TRUE(window->exercises().begin(shipped("two-papers")));
    EXPECT_TRUE(window->exercises().mayLeave());
    child<QLineEdit>("exercise.student").setText(QStringLiteral("Ada"));

    answerQuestion(QMessageBox::Cancel);
    child<QPushButton>("exercise.close").click();
    EXPECT_TRUE(panel().isVisible());

    answerQuestion(QMessageBox::Discard);
    child<QPushButton>("exercise.close").click();
    EXPECT_TRUE(panel().isHidden());
}

TEST_F(ExercisesTest, ThePanelsKeepTheirWidthsWhenItCloses)
{
    const int before = window->stackPages().width();

    ASSERT_TRUE(window->exercises().begin(shipped("two-papers")));
    child<QPushButton>("exercise.close").click();
    QCoreApplication::processEvents();

    EXPECT_NEAR(window->stackPages().width(), before, 2);
}

} // namespace
} // namespace flopsmith::ui
