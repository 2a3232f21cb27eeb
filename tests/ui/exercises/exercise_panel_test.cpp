// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/exercises/exercise_panel.h"

#include "core/parameter/parameter_table.h"
#include "tests/core/exercise/sample_exercise.h"
#include "ui/document/document.h"
#include "ui/document/edits/parameter_edit.h"
#include "ui/document/edits/rule_edit.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTextEdit>

namespace flopsmith::ui {
namespace {

class ExercisePanelTest : public testing::Test
{
protected:
    ExercisePanelTest()
        : document(flopsmith::test::designWithBlocks(12).scenario)
        , panel(document)
    {
        begin(flopsmith::test::sampleExercise());
    }

    void begin(const Exercise& exercise)
    {
        Result<ExerciseMarker> marker = ExerciseMarker::create(exercise);
        FLOPSMITH_CHECK(marker.ok());
        document.start(marker->start());
        panel.begin(ExercisePlay(std::move(*marker), "en"));
        panel.resize(360, 700);
        panel.show();
    }

    template <class Widget>
    Widget& child(const char* name)
    {
        auto* found = panel.findChild<Widget*>(QLatin1String(name));
        FLOPSMITH_CHECK(found != nullptr);
        return *found;
    }

    QString text(const char* name) { return child<QLabel>(name).text(); }

    void setBlocks(int blocks)
    {
        const Parameter layers = matchingParameters(document.scenario(), "layers").front();
        setParameter(document, layers, std::int64_t{blocks});
        panel.flush();
    }

    void type(const char* name, const char* typed)
    {
        auto& box = child<QLineEdit>(name);
        box.setText(QLatin1String(typed));
        Q_EMIT box.editingFinished();
    }

    Document document;
    ExercisePanel panel;
};

TEST_F(ExercisePanelTest, AMarkFollowsTheDesignWithASignAndWords)
{
    EXPECT_TRUE(text("exercise.check.blocks.mark").startsWith(QStringLiteral("○ not yet")));
    EXPECT_TRUE(text("exercise.check.width.mark").startsWith(QStringLiteral("○ open")));
    EXPECT_EQ(text("exercise.task"), QStringLiteral("768 is the width."));

    setBlocks(6);

    EXPECT_TRUE(text("exercise.check.blocks.mark").startsWith(QStringLiteral("● right")));
    EXPECT_EQ(child<QLabel>("exercise.check.blocks.mark").property("role"),
              QStringLiteral("positive"));
    EXPECT_EQ(text("exercise.points"), QStringLiteral("2 of 6 points"));

    document.undoStack().undo();
    panel.flush();
    EXPECT_EQ(text("exercise.points"), QStringLiteral("0 of 6 points"));
}

TEST_F(ExercisePanelTest, ADragIsOneTryAndUndoingIsNone)
{
    document.history().beginGesture();
    for (const int blocks : {11, 10, 9}) {
        setBlocks(blocks);
    }
    document.history().endGesture();
    EXPECT_EQ(panel.play()->tries("blocks"), 1);
    EXPECT_EQ(text("exercise.check.blocks.wrong"), QStringLiteral("Still too many."));
    EXPECT_TRUE(text("exercise.check.blocks.hint").isEmpty());

    document.undoStack().undo();
    EXPECT_EQ(panel.play()->tries("blocks"), 1);

    setBlocks(8);
    EXPECT_EQ(panel.play()->tries("blocks"), 2);
    EXPECT_TRUE(text("exercise.check.blocks.hint").contains(QStringLiteral("Use the slider.")));
}

TEST_F(ExercisePanelTest, ANumberIsMarkedWhenItIsTyped)
{
    type("exercise.check.width.number", "many");
    EXPECT_FALSE(text("exercise.check.width.problem").isEmpty());
    EXPECT_EQ(panel.play()->tries("width"), 0);

    type("exercise.check.width.number", "768");
    EXPECT_TRUE(text("exercise.check.width.problem").isEmpty());
    EXPECT_TRUE(text("exercise.check.width.mark").startsWith(QStringLiteral("● right")));
    EXPECT_EQ(text("exercise.points"), QStringLiteral("3 of 6 points"));
}

TEST_F(ExercisePanelTest, TheAnswerHasAllThatIsHandedIn)
{
    EXPECT_FALSE(panel.hasUnsaved());
    setBlocks(5);
    type("exercise.check.double.number", "10");
    child<QTextEdit>("exercise.words").setPlainText(QStringLiteral("Because."));
    child<QLineEdit>("exercise.student").setText(QStringLiteral("Ada"));
    EXPECT_TRUE(panel.hasUnsaved());

    const ExerciseAnswer answer = panel.answer();

    EXPECT_EQ(answer.student, "Ada");
    EXPECT_EQ(answer.words, "Because.");
    EXPECT_EQ(answer.design, document.file().project());
    EXPECT_EQ(answer.numbers, (TypedNumbers{{"double", 10.0}}));
    EXPECT_FALSE(answer.unlocked);
    EXPECT_EQ(readAnswer(answerJson(answer), "again").value(), answer);
    panel.setUnlocked();
    EXPECT_TRUE(panel.answer().unlocked);
}

TEST_F(ExercisePanelTest, ResettingIsAStepThatCanBeUndoneAndNoTry)
{
    const Scenario start = document.scenario();
    setBlocks(3);
    const int tries = panel.play()->tries("blocks");

    child<QPushButton>("exercise.reset").click();
    EXPECT_EQ(document.scenario(), start);
    EXPECT_EQ(panel.play()->tries("blocks"), tries);

    document.undoStack().undo();
    EXPECT_NE(document.scenario(), start);
}

TEST_F(ExercisePanelTest, TakingOffALockOfTheStartIsNoted)
{
    Exercise locked = flopsmith::test::sampleExercise();
    Project start = flopsmith::test::designWithBlocks(12);
    ASSERT_TRUE(addLock(start.rules, start.scenario, {-1, "d_model"}).ok());
    locked.start = {.project = start};
    begin(locked);
    EXPECT_FALSE(panel.answer().unlocked);

    freeParameter(document, matchingParameters(document.scenario(), "d_model").front());

    EXPECT_TRUE(panel.answer().unlocked);
}

TEST_F(ExercisePanelTest, ChangesItsLanguageAndKeepsWhatWasTyped)
{
    type("exercise.check.width.number", "768");
    auto& language = child<QComboBox>("exercise.language");

    language.setCurrentIndex(language.findData(QStringLiteral("de")));

    EXPECT_EQ(text("exercise.task"), QStringLiteral("768 breit."));
    EXPECT_EQ(text("exercise.check.width.text"), QStringLiteral("Wie breit ist es?"));
    EXPECT_EQ(child<QLineEdit>("exercise.check.width.number").text(), QStringLiteral("768"));
}

TEST_F(ExercisePanelTest, EndsAndBeginsAgain)
{
    panel.end();
    EXPECT_EQ(panel.play(), nullptr);
    setBlocks(4); // nothing is marked

    begin(flopsmith::test::sampleExercise());
    EXPECT_EQ(panel.play()->tries("blocks"), 0);
    EXPECT_FALSE(panel.hasUnsaved());
}

} // namespace
} // namespace flopsmith::ui
