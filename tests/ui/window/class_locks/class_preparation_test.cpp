// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/class_locks/class_preparation.h"

#include "core/io/project/project_file.h"
#include "core/model/presets.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/exercises/exercise_panel.h"
#include "ui/inspector/inspector.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/class_locks/class_lock_dialog.h"
#include "ui/widgets/values/stop_slider.h"
#include "ui/widgets/values/value_box.h"
#include "ui/window/bars/top_bar.h"
#include "ui/window/files/question_bars.h"

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTabBar>

namespace flopsmith::ui {
namespace {

using Kind = ClassLock::Kind;

class ClassPreparationTest : public test::WindowTest
{
protected:
    void start(std::vector<ClassLock> locks)
    {
        Project project{.scenario = {.model = *presetNamed("gpt2")}};
        project.classLocks = std::move(locks);
        document().start(project);
    }

    Document& document() { return window->document(); }

    QString banner() { return window->questions().sentence(QStringLiteral("class")); }

    void press(const char* button)
    {
        removeOld();
        child<QPushButton>(button).click();
    }

    // Bars and dialogs that were answered, whose buttons have the same names.
    static void removeOld() { QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); }

    // Chooses from the menu of a parameter's row.
    bool choose(const char* row, const char* name)
    {
        for (ParameterEditor* editor : window->inspector().editors()) {
            if (keyInBlock(editor->parameter()) == QLatin1String(row)) {
                window->inspector().openRowMenu(*editor, window->mapToGlobal(QPoint(100, 100)));
            }
        }
        return chooseFrom("inspector.rowMenu", name);
    }

    bool chooseFrom(const char* menuName, const char* name)
    {
        auto* menu = window->findChild<QMenu*>(QLatin1String(menuName));
        if (menu == nullptr) {
            return false;
        }
        auto* action = menu->findChild<QAction*>(
            QStringLiteral("%1.%2").arg(QLatin1String(menuName), QLatin1String(name)));
        if (action != nullptr) {
            action->trigger();
        }
        menu->close();
        removeOld();
        return action != nullptr;
    }

    void fillDialog(const char* line, const char* text)
    {
        child<QLineEdit>(line).setText(QString::fromUtf8(text));
    }
};

TEST_F(ClassPreparationTest, MenusLockOnlyWhileItIsPrepared)
{
    start({});
    EXPECT_FALSE(choose("block.ffn.d_ff", "class.fixed"));
    child<QAction>("help.prepare").trigger();
    EXPECT_TRUE(document().classLocks().isPreparing());
    EXPECT_TRUE(banner().contains(QStringLiteral("Preparing for class")));

    ASSERT_TRUE(choose("block.ffn.d_ff", "class.fixed"));
    fillDialog("classLock.sentence", "Equal for all.");
    press("classLock.ok");
    ASSERT_EQ(document().classLocks().all().size(), 1U);
    EXPECT_EQ(document().classLocks().all()[0].sentence, "Equal for all.");
    EXPECT_EQ(document().undoStack().count(), 1);

    ASSERT_TRUE(choose("block.ffn.d_ff", "class.allow"));
    EXPECT_FALSE(document().classLocks().isPrepared());
    document().undoStack().undo();
    press("question.class.done");
    EXPECT_FALSE(document().classLocks().isPreparing());
    EXPECT_FALSE(child<QAction>("help.prepare").isChecked());
    EXPECT_EQ(document().classLocks().held().size(), 1U);
    EXPECT_TRUE(banner().contains(QStringLiteral("Prepared for class")));
}

TEST_F(ClassPreparationTest, ARangeThatHoldsNothingIsSaidInTheDialog)
{
    start({});
    child<QAction>("help.prepare").trigger();
    ASSERT_TRUE(choose("block.ffn.d_ff", "class.bounded"));
    auto& dialog = child<ClassLockDialog>("classLock");
    fillDialog("classLock.min", "many");
    press("classLock.ok");
    EXPECT_TRUE(dialog.message().contains(QStringLiteral("is not a number")));
    fillDialog("classLock.min", "4096");
    fillDialog("classLock.max", "1024");
    press("classLock.ok");
    EXPECT_TRUE(dialog.message().contains(QStringLiteral("4096 to 1024")));
    EXPECT_FALSE(document().classLocks().isPrepared());
    fillDialog("classLock.min", "512");
    press("classLock.ok");
    ASSERT_TRUE(document().classLocks().isPrepared());
    EXPECT_EQ(document().classLocks().all()[0].min, 512);
}

TEST_F(ClassPreparationTest, AFixedRowHasAPadlockAndTheSentence)
{
    start({{.key = "ffn.d_ff", .kind = Kind::fixed, .sentence = "Equal for all."}});
    auto& slider = child<StopSlider>("inspector.block.ffn.d_ff.slider");
    auto& box = child<ValueBox>("inspector.block.ffn.d_ff.box");
    EXPECT_FALSE(slider.isEnabled());
    EXPECT_FALSE(child<QLabel>("inspector.block.ffn.d_ff.symbol").pixmap().isNull());
    EXPECT_TRUE(box.toolTip().contains(QStringLiteral("Equal for all.")));
    EXPECT_TRUE(box.accessibleDescription().contains(QStringLiteral("Equal for all.")));

    box.enter(2048);
    EXPECT_EQ(box.value(), FieldValue(std::int64_t{3072}));
    EXPECT_TRUE(window->messages().sentence().contains(QStringLiteral("Equal for all.")));
    EXPECT_FALSE(document().isModified());
}

TEST_F(ClassPreparationTest, ABoundedRowHasItsRangeAndAHiddenOneIsNotThere)
{
    start({{.key = "ffn.d_ff", .kind = Kind::bounded, .min = 1000, .max = 4000}, {.key = "heads"}});
    const auto& stops = child<StopSlider>("inspector.block.ffn.d_ff.slider").stops();
    for (const FieldValue& stop : stops) {
        EXPECT_GE(std::get<std::int64_t>(stop), 1000);
        EXPECT_LE(std::get<std::int64_t>(stop), 4000);
    }
    EXPECT_EQ(child<QLabel>("inspector.block.ffn.d_ff.hint").text(), QStringLiteral("1000 … 4000"));
    EXPECT_TRUE(child<QWidget>("inspector.block.mixer.heads.box").isHidden());

    auto& box = child<ValueBox>("inspector.block.ffn.d_ff.box");
    box.enter(9000);
    EXPECT_EQ(box.value(), FieldValue(std::int64_t{4000}));

    document().classLocks().unlock();
    EXPECT_FALSE(child<QWidget>("inspector.block.mixer.heads.box").isHidden());
    EXPECT_GT(
        std::get<std::int64_t>(child<StopSlider>("inspector.block.ffn.d_ff.slider").stops().back()),
        4000);
}

TEST_F(ClassPreparationTest, PagesLensAndActionsAreLockedToo)
{
    start(
        {{.key = "page:memory"}, {.key = "lens", .kind = Kind::fixed}, {.key = "action:edit.fit"}});
    Pages& pages = window->pages();
    pages.setCurrentName(QStringLiteral("budgets"));
    EXPECT_NE(pages.currentName(), QStringLiteral("budgets"));
    EXPECT_FALSE(window->bar().lensChip().isEnabled());
    EXPECT_TRUE(window->bar().lensChip().toolTip().contains(QStringLiteral("fixed")));
    EXPECT_FALSE(child<QAction>("edit.fit").isVisible());

    document().classLocks().unlock();
    pages.setCurrentName(QStringLiteral("budgets"));
    EXPECT_EQ(pages.currentName(), QStringLiteral("budgets"));
    EXPECT_TRUE(window->bar().lensChip().isEnabled());
    EXPECT_TRUE(child<QAction>("edit.fit").isVisible());
}

TEST_F(ClassPreparationTest, TheMenusOfTabsAndLensLockThem)
{
    child<QAction>("help.prepare").trigger();
    QTabBar& tabs = window->pages().tabs();
    Q_EMIT tabs.customContextMenuRequested(tabs.tabRect(1).center());
    ASSERT_TRUE(chooseFrom("pageMenu", "class.hidden"));
    press("classLock.ok");
    QWidget& lens = window->bar().lensChip();
    Q_EMIT lens.customContextMenuRequested(lens.rect().center());
    ASSERT_TRUE(chooseFrom("lensMenu", "class.fixed"));
    press("classLock.ok");
    ASSERT_EQ(document().classLocks().all().size(), 2U);
    EXPECT_EQ(document().classLocks().all()[0].key, "page:memory");
    EXPECT_EQ(document().classLocks().all()[1].key, "lens");
    EXPECT_TRUE(tabs.isTabVisible(1)); // for who prepares
    EXPECT_FALSE(tabs.tabIcon(1).isNull());
    press("question.class.done");
    EXPECT_FALSE(tabs.isTabVisible(1));
}

TEST_F(ClassPreparationTest, UnlockingAsksOnceAndIsRecorded)
{
    start({{.key = "heads"}});
    press("question.class.unlock");
    EXPECT_TRUE(banner().contains(QStringLiteral("cannot be undone")));
    press("question.class.keep");
    EXPECT_FALSE(document().classLocks().isUnlocked());
    EXPECT_TRUE(banner().contains(QStringLiteral("Prepared for class")));

    press("question.class.unlock");
    press("question.class.confirm");
    EXPECT_TRUE(document().classLocks().isUnlocked());
    EXPECT_TRUE(banner().isEmpty());
    EXPECT_TRUE(document().file().project().unlocked);
}

TEST_F(ClassPreparationTest, PreparingALockedDesignAsksFirst)
{
    start({{.key = "heads"}});
    child<QAction>("help.prepare").trigger();
    EXPECT_FALSE(document().classLocks().isPreparing());
    EXPECT_FALSE(child<QAction>("help.prepare").isChecked());
    press("question.class.confirm");
    EXPECT_TRUE(document().classLocks().isPreparing());
    EXPECT_TRUE(child<QAction>("help.prepare").isChecked());
    start({});
    EXPECT_FALSE(child<QAction>("help.prepare").isChecked());
    EXPECT_TRUE(banner().isEmpty());
}

} // namespace
} // namespace flopsmith::ui
