// SPDX-License-Identifier: GPL-3.0-or-later
// Building by hand, as a person does it: with the keys of the stack and the mouse, from an empty
// model. A seeded monkey uses every gesture in any order; whatever it does, the model stays legal,
// undoing everything gives back the first document and redoing everything the last one.
#include "core/base/random.h"
#include "core/model/presets.h"
#include "core/parameter/validation.h"
#include "ui/canvas/stack_view.h"
#include "ui/document/edits/model_edit.h"

#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QTest>

#include <cstdlib>
#include <functional>
#include <iterator>

namespace flopsmith::ui {
namespace {

constexpr std::uint64_t kBuilderSeed = 20261123;
constexpr int kBuilderSteps = 5'000;
constexpr int kMaxBuiltLayers = 200; // a stack that only grows would say nothing new

// FLOPSMITH_MONKEY_STEPS makes a longer run of it, as `ctest -L slow -R Monkey` does.
int builderSteps()
{
    const char* steps = std::getenv("FLOPSMITH_MONKEY_STEPS");
    return steps == nullptr ? kBuilderSteps : std::atoi(steps);
}

class Builder : public testing::Test
{
protected:
    Builder()
    {
        QGuiApplication::clipboard()->clear();
        view.resize(620, 700);
        view.show();
        view.activateWindow();
        EXPECT_TRUE(QTest::qWaitForWindowActive(&view));
        view.setFocus();
        document.select(Selection::ofRun(0));
    }
    ~Builder() override { QGuiApplication::clipboard()->clear(); }

    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::keyClick(&view, key, modifiers);
    }

    // Chooses from the list that the key opens.
    void type(Qt::Key key, const QString& query, Qt::Key end = Qt::Key_Return)
    {
        press(key);
        auto* list = view.findChild<TypedList*>(QStringLiteral("stack.chooser"));
        if (list != nullptr && list->isVisible()) {
            QTest::keyClicks(&list->box(), query);
            QTest::keyClick(&list->box(), end);
            QTest::keyClick(&list->box(), Qt::Key_Escape); // if it is still open
        }
    }

    // Begins an edit of many blocks and types the rest of it.
    void typePhrase(QAction& action, const QString& rest)
    {
        action.trigger();
        auto* list = view.findChild<TypedList*>(QStringLiteral("stack.chooser"));
        if (list != nullptr && list->isVisible()) {
            QTest::keyClicks(&list->box(), rest);
            QTest::keyClick(&list->box(), Qt::Key_Return);
            QTest::keyClick(&list->box(), Qt::Key_Escape); // if it is still open
        }
    }

    // Clicks the "+" of a gap, if the pointer is in one there, and chooses what comes into it.
    void insertAt(const QPoint& place, const QString& query)
    {
        QTest::mouseMove(view.viewport(), place);
        QCoreApplication::processEvents();
        auto* plus = view.findChild<QAbstractButton*>(QStringLiteral("stack.plus"));
        if (!plus->isVisible()) {
            return;
        }
        QTest::mouseClick(plus, Qt::LeftButton);
        auto* list = view.findChild<TypedList*>(QStringLiteral("stack.chooser"));
        QTest::keyClicks(&list->box(), query);
        QTest::keyClick(&list->box(), Qt::Key_Return);
        QTest::keyClick(&list->box(), Qt::Key_Escape);
    }

    const Model& model() const { return document.model(); }

    // The blocks one by one, D dense, M experts, U ultra-efficient.
    std::string blocks() const
    {
        std::string all;
        for (const BlockRun& run : model().runs) {
            const FfnSpec& ffn = run.block.ffn;
            all.append(static_cast<std::size_t>(run.repeat),
                       holds_alternative<DenseFfn>(ffn)     ? 'D'
                           : holds_alternative<MoeFfn>(ffn) ? 'M'
                                                            : 'U');
        }
        return all;
    }

    void undoAll()
    {
        while (document.undoStack().canUndo()) {
            document.undoStack().undo();
        }
    }

    void redoAll()
    {
        while (document.undoStack().canRedo()) {
            document.undoStack().redo();
        }
    }

    const Scenario first{.model = newModel()};
    Document document{first};
    StackView view{document};
};

TEST_F(Builder, MakesTheUnusualStackInEightSteps)
{
    type(Qt::Key_A, QStringLiteral("ultra x2"));
    press(Qt::Key_Up);
    press(Qt::Key_Plus);
    press(Qt::Key_Plus);
    type(Qt::Key_A, QStringLiteral("moe"));
    type(Qt::Key_A, QStringLiteral("dense x2"));
    press(Qt::Key_Up);
    press(Qt::Key_Up, Qt::ShiftModifier);
    press(Qt::Key_G, Qt::ControlModifier);
    press(Qt::Key_Plus);

    EXPECT_EQ(blocks(), "DDDMDDDMDDUU");
    ASSERT_EQ(model().patterns.size(), 1U);
    EXPECT_EQ(model().patterns[0].times, 2);
    EXPECT_LE(document.undoStack().count(), 8);
    const Scenario built = document.scenario();
    undoAll();
    EXPECT_EQ(document.scenario(), first);
    redoAll();
    EXPECT_EQ(document.scenario(), built);
}

TEST_F(Builder, MakesTheSameStackInAnotherOrder)
{
    type(Qt::Key_A, QStringLiteral("moe"));
    type(Qt::Key_A, QStringLiteral("2 dense"));
    type(Qt::Key_A, QStringLiteral("2 ultra"));
    for (int row = 0; row < 3; ++row) {
        press(Qt::Key_Up);
    }
    press(Qt::Key_Plus);
    press(Qt::Key_Plus);
    press(Qt::Key_Down, Qt::ShiftModifier);
    press(Qt::Key_G, Qt::ControlModifier);
    press(Qt::Key_Plus);

    EXPECT_EQ(blocks(), "DDDMDDDMDDUU");
    EXPECT_LE(document.undoStack().count(), 8);
}

TEST_F(Builder, EscapeAtAnyPointOfADragLeavesTheDocument)
{
    type(Qt::Key_A, QStringLiteral("moe"));
    type(Qt::Key_A, QStringLiteral("ultra x2"));
    const Scenario before = document.scenario();
    const int steps = document.undoStack().count();
    for (int moves = 0; moves < 6; ++moves) {
        press(Qt::Key_M);
        for (int move = 0; move < moves; ++move) {
            press(move % 2 == 0 ? Qt::Key_Up : Qt::Key_Down,
                  move % 3 == 0 ? Qt::ShiftModifier : Qt::NoModifier);
        }
        press(Qt::Key_Escape);
        EXPECT_EQ(document.scenario(), before) << moves;
        EXPECT_EQ(document.undoStack().count(), steps) << moves;
    }
}

TEST_F(Builder, SurvivesAMonkeyThatUsesEveryGesture)
{
    Random random(kBuilderSeed);
    const auto below = [&random](std::int64_t count) {
        return static_cast<std::size_t>(random.integer(0, count - 1));
    };
    const auto place = [&] {
        return QPoint(static_cast<int>(below(view.viewport()->width())),
                      static_cast<int>(below(view.viewport()->height())));
    };
    const Qt::KeyboardModifiers modifiers[] = {
        Qt::NoModifier, Qt::ShiftModifier, Qt::ControlModifier, Qt::AltModifier};
    const auto anyModifier = [&] { return modifiers[below(std::ssize(modifiers))]; };
    const QString queries[] = {QStringLiteral("moe"),
                               QStringLiteral("ultra x2"),
                               QStringLiteral("swi"),
                               QStringLiteral("fourier mixer"),
                               QStringLiteral("copy"),
                               QStringLiteral("nothing like it")};
    const std::pair<Qt::Key, Qt::KeyboardModifiers> keys[] = {
        {Qt::Key_Up, {}},
        {Qt::Key_Down, {}},
        {Qt::Key_Up, Qt::ShiftModifier},
        {Qt::Key_Down, Qt::ShiftModifier},
        {Qt::Key_A, Qt::ControlModifier},
        {Qt::Key_G, Qt::ControlModifier},
        {Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier},
        {Qt::Key_Plus, {}},
        {Qt::Key_Minus, {}},
        {Qt::Key_H, {}},
        {Qt::Key_H, Qt::ShiftModifier},
        {Qt::Key_D, Qt::ControlModifier},
        {Qt::Key_C, Qt::ControlModifier},
        {Qt::Key_X, Qt::ControlModifier},
        {Qt::Key_V, Qt::ControlModifier},
        {Qt::Key_V, Qt::ControlModifier | Qt::ShiftModifier},
        {Qt::Key_Up, Qt::AltModifier},
        {Qt::Key_Down, Qt::AltModifier},
        {Qt::Key_Delete, {}},
        {Qt::Key_Escape, {}},
        {Qt::Key_Z, {}},
        {Qt::Key_1, {}},
    };
    const std::function<void()> acts[] = {
        [&] {
            const auto& [key, with] = keys[below(std::ssize(keys))];
            press(key, with);
        },
        [&] {
            type(below(2) == 0 ? Qt::Key_A : Qt::Key_R,
                 queries[below(std::ssize(queries))],
                 below(4) == 0 ? Qt::Key_Escape : Qt::Key_Return);
        },
        [&] {
            press(Qt::Key_M);
            for (std::size_t moves = below(5); moves > 0; --moves) {
                press(below(2) == 0 ? Qt::Key_Up : Qt::Key_Down,
                      below(2) == 0 ? Qt::ShiftModifier : Qt::NoModifier);
            }
            press(below(3) == 0 ? Qt::Key_Escape : Qt::Key_Return, anyModifier());
        },
        [&] {
            const Qt::KeyboardModifiers with = anyModifier();
            QTest::mousePress(view.viewport(), Qt::LeftButton, with, place());
            for (std::size_t moves = below(4); moves > 0; --moves) {
                const QPoint at = place();
                QMouseEvent move(QEvent::MouseMove,
                                 QPointF(at),
                                 view.viewport()->mapToGlobal(QPointF(at)),
                                 Qt::NoButton,
                                 Qt::LeftButton,
                                 with);
                QApplication::sendEvent(view.viewport(), &move);
            }
            const Scenario before = document.scenario();
            if (below(3) == 0) {
                press(Qt::Key_Escape);
                EXPECT_EQ(document.scenario(), before);
            }
            QTest::mouseRelease(view.viewport(), Qt::LeftButton, with, place());
        },
        [&] { insertAt(place(), queries[below(std::ssize(queries))]); },
        [&] {
            PatternActions& patterns = view.actionsOfStack().patterns();
            if (below(3) == 0) {
                typePhrase(patterns.repeat(), {});
            } else {
                const char* const rests[] = {"moe", "ultra", "swi", "fourier", "dense, last 2 moe"};
                typePhrase(patterns.everyNth(), QLatin1String(rests[below(std::ssize(rests))]));
            }
        },
        [&] { below(2) == 0 ? document.undoStack().undo() : document.undoStack().redo(); },
    };
    for (int step = 0, steps = builderSteps(); step < steps; ++step) {
        acts[below(std::ssize(acts))]();
        QCoreApplication::processEvents();
        if (model().layers() > kMaxBuiltLayers) {
            replaceModel(document, newModel());
            document.select(Selection::ofRun(0));
        }
        const Status status = validated(document.scenario());
        ASSERT_TRUE(status.ok()) << "step " << step << ": " << status.error().message;
    }
    redoAll();
    const Scenario last = document.scenario();
    undoAll();
    EXPECT_EQ(document.scenario(), first);
    redoAll();
    EXPECT_EQ(document.scenario(), last);
}

} // namespace
} // namespace flopsmith::ui
