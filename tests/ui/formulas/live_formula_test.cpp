// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/dense.h"
#include "core/ffn/no_ffn.h"
#include "core/model/presets.h"
#include "core/parameter/parameter_lookup.h"
#include "ui/document/edits/parameter_edit.h"
#include "ui/document/edits/rule_edit.h"
#include "ui/formulas/formula_page.h"
#include "ui/formulas/live_sheet.h"
#include "ui/theme/theme.h"
#include "ui/widgets/values/value_text.h"

#include <gtest/gtest.h>

#include <QAccessible>
#include <QApplication>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTest>

#include <memory>
#include <set>
#include <string>

namespace flopsmith::ui {
namespace {

Scenario gpt2()
{
    return {.model = *presetNamed("gpt2")};
}

class LiveFormula : public testing::Test
{
protected:
    explicit LiveFormula(Scenario scenario = gpt2())
        : document(std::move(scenario))
        , page(document)
    {
        applyTheme(*qApp, lightTheme());
        document.setLens(LensId::matmul);
        page.resize(1000, 700);
    }

    void SetUp() override
    {
        page.show();
        ASSERT_TRUE(QTest::qWaitFor([this] { return page.formula().has_value(); }));
        sheet = page.findChild<LiveSheet*>(QStringLiteral("formulas.sheet"));
        ASSERT_NE(sheet, nullptr);
    }

    SymbolHandle& handle(const char* letter)
    {
        auto* found = page.findChild<SymbolHandle*>(QStringLiteral("formulas.sheet.symbol.")
                                                    + QLatin1String(letter));
        FLOPSMITH_CHECK(found != nullptr);
        return *found;
    }

    // A mouse event at so many pixels from where the letter was pressed.
    void mouse(SymbolHandle& letter,
               QEvent::Type type,
               int pixels,
               Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        const bool moves = type == QEvent::MouseMove;
        const QPointF place(100.0 + pixels, 100.0);
        QMouseEvent event(type,
                          QPointF(letter.rect().center()),
                          place,
                          moves ? Qt::NoButton : Qt::LeftButton,
                          type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton,
                          modifiers);
        QApplication::sendEvent(&letter, &event);
    }

    void drag(SymbolHandle& letter, int pixels)
    {
        mouse(letter, QEvent::MouseButtonPress, 0);
        for (int step = 1; step <= 4; ++step) {
            mouse(letter, QEvent::MouseMove, pixels * step / 4);
        }
        mouse(letter, QEvent::MouseButtonRelease, pixels);
    }

    FieldValue valueOf(const char* key) const
    {
        return firstParameter(document.scenario(), key)->value(document.scenario());
    }

    Document document;
    FormulaPage page;
    LiveSheet* sheet = nullptr;
};

TEST_F(LiveFormula, EveryLetterThatIsAParameterHasAHandle)
{
    std::set<QString> letters;
    for (const SymbolHandle* each : sheet->handles()) {
        letters.insert(each->symbol().name);
        EXPECT_TRUE(sheet->viewport()->rect().intersects(each->geometry()));
        EXPECT_EQ(each->cursor().shape(), Qt::SizeHorCursor);
    }

    EXPECT_EQ(letters,
              (std::set<QString>{QStringLiteral("d"),
                                 QStringLiteral("f"),
                                 QStringLiteral("V"),
                                 QStringLiteral("L"),
                                 QStringLiteral("B"),
                                 QStringLiteral("S")}));
}

TEST_F(LiveFormula, ADragIsTheSameEditAsTheInspectorsAndOneStep)
{
    for (const char* letter : {"d", "f", "L", "S", "V", "B"}) {
        const Scenario before = document.scenario();
        const int steps = document.undoStack().index();
        SymbolHandle& moved = handle(letter);
        const std::string key = moved.symbol().parameter.key;

        drag(moved, 60);

        const FieldValue value = valueOf(key.c_str());
        Document other(before);
        setParameter(other, *firstParameter(before, key), value);
        EXPECT_NE(document.scenario(), before) << letter;
        EXPECT_EQ(document.scenario(), other.scenario()) << letter;
        EXPECT_EQ(document.undoStack().index(), steps + 1) << letter;
        EXPECT_EQ(document.undoStack().text(steps), other.undoStack().text(0)) << letter;
        EXPECT_TRUE(firstParameter(before, key)->legal(before).contains(value)) << letter;
        document.undoStack().undo();
        EXPECT_EQ(document.scenario(), before) << letter;
        ASSERT_TRUE(QTest::qWaitFor([this] { return !page.isStale(); }));
    }
}

TEST_F(LiveFormula, DraggingBackOrEscLeavesNoStep)
{
    const Scenario before = document.scenario();
    SymbolHandle& letter = handle("S");

    mouse(letter, QEvent::MouseButtonPress, 0);
    mouse(letter, QEvent::MouseMove, 80);
    EXPECT_NE(document.scenario(), before);
    mouse(letter, QEvent::MouseMove, 0);
    mouse(letter, QEvent::MouseButtonRelease, 0);
    EXPECT_EQ(document.scenario(), before);
    EXPECT_EQ(document.undoStack().count(), 0);

    mouse(letter, QEvent::MouseButtonPress, 0);
    mouse(letter, QEvent::MouseMove, 80);
    EXPECT_NE(document.scenario(), before);
    QTest::keyClick(&letter, Qt::Key_Escape);
    EXPECT_FALSE(letter.isDragged());
    EXPECT_FALSE(document.history().isInGesture());
    mouse(letter, QEvent::MouseMove, 120);
    mouse(letter, QEvent::MouseButtonRelease, 120);
    EXPECT_EQ(document.scenario(), before);
    EXPECT_EQ(document.undoStack().count(), 0);
}

TEST_F(LiveFormula, ShiftMovesThroughAllLegalValues)
{
    SymbolHandle& letter = handle("S");
    const std::int64_t start = letter.value();

    mouse(letter, QEvent::MouseButtonPress, 0, Qt::ShiftModifier);
    mouse(letter, QEvent::MouseMove, 24, Qt::ShiftModifier);
    mouse(letter, QEvent::MouseButtonRelease, 24, Qt::ShiftModifier);

    EXPECT_EQ(letter.value(), start + 3);
}

TEST_F(LiveFormula, NumbersFollowDuringTheDrag)
{
    SymbolHandle& letter = handle("f");
    const Count before = page.formula()->value;

    mouse(letter, QEvent::MouseButtonPress, 0);
    mouse(letter, QEvent::MouseMove, 60);

    EXPECT_TRUE(QTest::qWaitFor(
        [this, before] { return page.formula() && page.formula()->value > before; }));
    EXPECT_TRUE(letter.isDragged());
    mouse(letter, QEvent::MouseMove, 90);
    mouse(letter, QEvent::MouseButtonRelease, 90);
    EXPECT_EQ(document.undoStack().count(), 1);
}

TEST_F(LiveFormula, KeysMoveALetterAndQuickOnesAreOneStep)
{
    SymbolHandle& letter = handle("S");
    const std::vector<FieldValue> stops = letter.legal().stops();
    const int start = stopIndex(stops, FieldValue(letter.value()));
    const auto valueAt = [&](int stop) {
        return std::get<std::int64_t>(stops.at(static_cast<std::size_t>(stop)));
    };

    QTest::keyClick(&letter, Qt::Key_Right);
    QTest::keyClick(&letter, Qt::Key_Up);
    EXPECT_EQ(letter.value(), valueAt(start + 2));
    EXPECT_EQ(document.undoStack().count(), 1);
    QTest::keyClick(&letter, Qt::Key_Left);
    EXPECT_EQ(letter.value(), valueAt(start + 1));
    QTest::keyClick(&letter, Qt::Key_Right, Qt::ShiftModifier);
    EXPECT_EQ(letter.value(), valueAt(start + 1) + 1);
    const std::int64_t before = letter.value();
    QTest::keyClick(&letter, Qt::Key_PageDown);
    EXPECT_LT(letter.value(), before);
    QTest::keyClick(&letter, Qt::Key_Home);
    EXPECT_EQ(letter.value(), valueAt(0));
}

TEST_F(LiveFormula, TabReachesEachLetterOnce)
{
    std::set<QString> reached;
    for (const SymbolHandle* each : sheet->handles()) {
        if ((each->focusPolicy() & Qt::TabFocus) == Qt::TabFocus) {
            EXPECT_TRUE(reached.insert(each->symbol().name).second)
                << qPrintable(each->objectName());
        }
    }
    EXPECT_EQ(reached.size(), 6U);
}

TEST_F(LiveFormula, AScreenReaderHearsValueAndRange)
{
    SymbolHandle& letter = handle("S");
    QAccessibleInterface* shown = QAccessible::queryAccessibleInterface(&letter);
    ASSERT_NE(shown, nullptr);
    ASSERT_NE(shown->valueInterface(), nullptr);

    EXPECT_EQ(shown->role(), QAccessible::Slider);
    EXPECT_FALSE(shown->text(QAccessible::Name).isEmpty());
    EXPECT_EQ(shown->text(QAccessible::Value), QString::number(letter.value()));
    EXPECT_EQ(shown->valueInterface()->currentValue().toDouble(),
              static_cast<double>(letter.value()));
    EXPECT_EQ(shown->valueInterface()->minimumValue().toDouble(), letter.legal().low());
    EXPECT_EQ(shown->valueInterface()->maximumValue().toDouble(), letter.legal().high());
    shown->valueInterface()->setCurrentValue(512.0);
    EXPECT_EQ(letter.value(), 512);
}

TEST_F(LiveFormula, TiesFollowAndALockRefusesInOneSentence)
{
    const auto parameter = [this](const char* key) {
        return *firstParameter(document.scenario(), key);
    };
    ASSERT_TRUE(tieParameter(document, parameter("d_ff"), QStringLiteral("4*d_model")).ok());
    drag(handle("d"), 60);
    EXPECT_EQ(std::get<std::int64_t>(valueOf("d_ff")),
              4 * std::get<std::int64_t>(valueOf("d_model")));

    ASSERT_TRUE(lockParameter(document, parameter("seq")).ok());
    const Scenario before = document.scenario();
    const QSignalSpy refused(&document, &Document::changeRefused);
    drag(handle("S"), 200);
    EXPECT_EQ(document.scenario(), before);
    ASSERT_EQ(refused.count(), 1);
    EXPECT_FALSE(refused.front().front().toString().isEmpty());
    EXPECT_FALSE(handle("S").isDragged());
}

TEST_F(LiveFormula, ALessonSaysWhichLettersMove)
{
    page.setMovable(QStringList{QStringLiteral("d_ff"), QStringLiteral("seq")});
    ASSERT_TRUE(QTest::qWaitFor([this] { return !page.isStale(); }));
    std::set<QString> letters;
    for (const SymbolHandle* each : sheet->handles()) {
        letters.insert(each->symbol().name);
    }
    EXPECT_EQ(letters, (std::set<QString>{QStringLiteral("f"), QStringLiteral("S")}));

    page.setMovable(QStringList{});
    ASSERT_TRUE(QTest::qWaitFor([this] { return sheet->handles().empty(); }));
}

TEST_F(LiveFormula, ALetterOfAnotherModelIsLeftAlone)
{
    SymbolHandle& letter = handle("f");
    document.apply(
        {}, [](DocumentState& state) { state.scenario.model.runs.front().block.ffn = NoFfn{}; });
    const Scenario before = document.scenario();

    QTest::keyClick(&letter, Qt::Key_Right); // before the page has caught up

    EXPECT_EQ(document.scenario(), before);
    EXPECT_EQ(letter.value(), 3072);
}

Scenario threeRuns()
{
    Scenario scenario = gpt2();
    const Block dense = scenario.model.runs.front().block;
    Block wide = dense;
    wide.ffn = DenseFfn{.dFf = 4096};
    scenario.model.runs = {{dense, 2}, {wide, 3}, {dense, 4}};
    return scenario;
}

class LiveFormulaOfRuns : public LiveFormula
{
protected:
    LiveFormulaOfRuns()
        : LiveFormula(threeRuns())
    {}
};

TEST_F(LiveFormulaOfRuns, ALetterMovesInEveryRunThatHasIt)
{
    drag(handle("f"), 60);

    const auto widthOf = [this](std::size_t run) {
        return get<DenseFfn>(document.model().runs.at(run).block.ffn).dFf;
    };
    EXPECT_NE(widthOf(0), 3072);
    EXPECT_EQ(widthOf(0), widthOf(2));
    EXPECT_EQ(widthOf(1), 4096);
    EXPECT_EQ(document.undoStack().count(), 1);
}

} // namespace
} // namespace flopsmith::ui
