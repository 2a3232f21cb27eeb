// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/actions/block_clipboard.h"

#include "core/base/random.h"
#include "core/model/presets.h"
#include "core/parameter/validation.h"
#include "tests/support/patterned.h"
#include "ui/canvas/stack_view.h"
#include "ui/document/block_paste.h"
#include "ui/document/edits/parameter_edit.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>
#include <QSignalSpy>

#include <functional>

namespace flopsmith::ui {
namespace {

Scenario scenarioOfPreset(const char* preset)
{
    return {.model = *presetNamed(preset)};
}

class BlockClipboardTest : public testing::Test
{
protected:
    BlockClipboardTest() { QGuiApplication::clipboard()->clear(); }
    ~BlockClipboardTest() override { QGuiApplication::clipboard()->clear(); }

    BlockClipboard& clipboard() { return view.actionsOfStack().clipboard(); }
    const BlockRun& run(std::size_t index) { return document.model().runs.at(index); }

    // Pastes a text, which must be refused with a sentence that has this in it.
    void expectRefused(const QString& text, const char* part)
    {
        QGuiApplication::clipboard()->setText(text);
        const QSignalSpy refused(&document, &Document::changeRefused);
        const Scenario before = document.scenario();

        clipboard().paste().trigger();

        ASSERT_EQ(refused.count(), 1) << part;
        const QString sentence = refused.front().front().toString();
        EXPECT_TRUE(sentence.contains(QLatin1String(part))) << qPrintable(sentence);
        EXPECT_EQ(document.scenario(), before);
    }

    Document document{scenarioOfPreset("gpt2-half-swapped")};
    StackView view{document};
};

TEST_F(BlockClipboardTest, CopiedRunsArePastedBehindTheSelectionAndSelected)
{
    document.select(Selection::ofRuns({0, 1}, 0));
    clipboard().copy().trigger();
    EXPECT_EQ(document.undoStack().count(), 0);
    document.select(Selection::ofRun(0));
    clipboard().paste().trigger();

    EXPECT_EQ(document.model().runs.size(), 4U);
    EXPECT_EQ(run(1), run(0));
    EXPECT_EQ(run(2), run(3));
    EXPECT_EQ(document.selection(), Selection::ofRuns({1, 2}, 1));
    EXPECT_TRUE(document.notice().isEmpty());
    EXPECT_EQ(document.undoStack().count(), 1);
    document.undoStack().undo();
    EXPECT_EQ(document.scenario(), scenarioOfPreset("gpt2-half-swapped"));
}

TEST_F(BlockClipboardTest, CutAndPasteIsTheIdentity)
{
    document.select(Selection::ofRun(1));
    clipboard().cut().trigger();
    EXPECT_EQ(document.model().runs.size(), 1U);
    EXPECT_FALSE(clipboard().cut().isEnabled()); // a stack needs a block
    clipboard().paste().trigger();

    EXPECT_EQ(document.scenario(), scenarioOfPreset("gpt2-half-swapped"));
    EXPECT_EQ(document.undoStack().count(), 2);
}

TEST_F(BlockClipboardTest, AnotherWindowPastesTheSameBlocks)
{
    document.select(Selection::ofRun(1));
    clipboard().copy().trigger();
    Document other{scenarioOfPreset("gpt2")};
    StackView otherView{other};
    otherView.actionsOfStack().clipboard().paste().trigger();

    ASSERT_EQ(other.model().runs.size(), 2U);
    EXPECT_EQ(other.model().runs[1], run(1));
}

TEST_F(BlockClipboardTest, TheTextOfTheClipboardIsPastedToo)
{
    document.select(Selection::ofRun(1));
    clipboard().copy().trigger();
    const QString text = QGuiApplication::clipboard()->text();
    QGuiApplication::clipboard()->setText(text);
    clipboard().paste().trigger();

    EXPECT_TRUE(text.startsWith(QLatin1String("{\n  \"flopsmith_blocks\": 1")));
    ASSERT_EQ(document.model().runs.size(), 3U);
    EXPECT_EQ(run(2), run(1));
}

TEST_F(BlockClipboardTest, TheFfnAloneReplacesThoseOfAllSelectedRuns)
{
    document.select(Selection::ofRun(1));
    clipboard().copy().trigger();
    document.apply(QStringLiteral("split"), [](DocumentState& state) {
        splitRun(state.scenario, 0);
        state.selection = Selection::ofRuns({0, 1}, 1);
    });
    clipboard().pasteFfn().trigger();

    EXPECT_EQ(run(0).block.ffn, run(2).block.ffn);
    EXPECT_EQ(run(1).block.ffn, run(2).block.ffn);
    EXPECT_EQ(document.selection(), Selection::ofRuns({0, 1}, 1));
    EXPECT_EQ(document.undoStack().count(), 2);
}

TEST_F(BlockClipboardTest, RepairedValuesAreNoticed)
{
    document.select(Selection::ofRun(1));
    clipboard().copy().trigger();
    Document narrow{scenarioOfPreset("gpt2")};
    setParameter(narrow, modelParameters().front(), std::int64_t{96});
    StackView otherView{narrow};
    otherView.actionsOfStack().clipboard().paste().trigger();

    EXPECT_EQ(narrow.model().dModel, 96);
    EXPECT_TRUE(validated(narrow.scenario()).ok());
    EXPECT_TRUE(narrow.notice().text.startsWith(QStringLiteral("64 is more than 49")))
        << qPrintable(narrow.notice().text);
}

TEST_F(BlockClipboardTest, WhatIsNoBlockIsRefusedWithASentence)
{
    const Model both = *presetNamed("t5-small");
    BlockClip million{768, document.model().runs};
    million.runs.front().repeat = 1'000'000;
    QString newer = QString::fromStdString(clipText({768, document.model().runs}));
    newer.replace(QStringLiteral("\"flopsmith_blocks\": 1"),
                  QStringLiteral("\"flopsmith_blocks\": 2"));

    expectRefused(QStringLiteral("Dear all"), "holds no blocks");
    expectRefused(newer, "newer Flopsmith");
    expectRefused(QString::fromStdString(clipText(million)), "too many");
    expectRefused(QString::fromStdString(clipText({both.dModel, both.runs})), "no encoder");
}

TEST_F(BlockClipboardTest, MoreLayersThanAModelCanHaveAreRefusedAndNoBlockIsCut)
{
    document.start(Scenario{.model = flopsmith::test::patterned(3)});
    document.select(Selection::ofRun(1));
    BlockClip clip = copied(document.model(), {0});
    clip.runs.front().repeat = 2'000; // thrice in the pattern, beside 12 layers

    expectRefused(QString::fromStdString(clipText(clip)), "6012 layers");
}

TEST_F(BlockClipboardTest, ActionsFollowSelectionAndClipboard)
{
    EXPECT_FALSE(clipboard().paste().isEnabled());
    EXPECT_TRUE(clipboard().copy().isEnabled());
    clipboard().copy().trigger();
    EXPECT_TRUE(clipboard().paste().isEnabled());
    EXPECT_TRUE(clipboard().pasteFfn().isEnabled());

    document.select(Selection::of(Selection::Part::head));
    EXPECT_FALSE(clipboard().copy().isEnabled());
    EXPECT_FALSE(clipboard().cut().isEnabled());
    EXPECT_FALSE(clipboard().pasteFfn().isEnabled());
    EXPECT_TRUE(clipboard().paste().isEnabled()); // behind the last block
}

TEST_F(BlockClipboardTest, KeysAreTheCanvassAlone)
{
    for (const QAction* action : clipboard().actions()) {
        EXPECT_EQ(action->shortcutContext(), Qt::WidgetShortcut)
            << qPrintable(action->objectName());
        EXPECT_FALSE(action->shortcut().isEmpty());
    }
}

// Random edits of several runs in a stack.
class RandomEdits
{
public:
    RandomEdits(Document& document, StackView& view, std::uint64_t seed)
        : m_document(document)
        , m_actions(view.actionsOfStack())
        , m_random(seed)
    {}

    void step()
    {
        select();
        BlockClipboard& clipboard = m_actions.clipboard();
        const std::vector<std::function<void()>> acts{
            [&] { m_actions.remove().trigger(); },
            [&] { m_actions.moveUp().trigger(); },
            [&] { m_actions.moveDown().trigger(); },
            [&] { clipboard.copy().trigger(); },
            [&] { clipboard.cut().trigger(); },
            [&] { clipboard.pasteFfn().trigger(); },
            [&] { set(); },
            [&] { put(); },
            [&] { grow(clipboard.paste()); },
            [&] { grow(m_actions.duplicate()); },
            [&] { grow(m_actions.split()); },
        };
        acts[below(acts.size())]();
    }

private:
    std::size_t below(std::size_t count)
    {
        return static_cast<std::size_t>(m_random.integer(0, static_cast<std::int64_t>(count) - 1));
    }

    int anyRun() { return static_cast<int>(below(m_document.model().runs.size())); }

    void select()
    {
        Selection selection = Selection::ofRun(anyRun());
        for (std::size_t more = below(4); more > 0; --more) {
            const int run = anyRun();
            selection = below(2) == 0 ? selection.withToggled(run) : selection.withRangeTo(run);
        }
        m_document.select(selection);
    }

    // A stack that only grows would say nothing new.
    void grow(QAction& action)
    {
        if (m_document.model().runs.size() < 12) {
            action.trigger();
        }
    }

    void put()
    {
        const auto& entries = paletteEntries();
        applyEntry(m_document, entries[below(entries.size())]);
    }

    void set()
    {
        const Scenario& scenario = m_document.scenario();
        const auto all = blockParameters(scenario, m_document.selection().run);
        const Parameter& one = all[below(all.size())];
        const std::vector<FieldValue> stops = one.legal(scenario).stops();
        if (one.applies(scenario) && !stops.empty() && one.text.key != "repeat") {
            enterParameter(m_document, one, FieldValue(stops[below(stops.size())]));
        }
    }

    Document& m_document;
    StackActions& m_actions;
    Random m_random;
};

TEST_F(BlockClipboardTest, RandomEditsUndoToTheFirstDocumentAndRedoToTheLast)
{
    for (const char* preset : {"gpt2-half-swapped", "t5-small", "albert-base"}) {
        document.start(scenarioOfPreset(preset));
        const Scenario first = document.scenario();
        RandomEdits edits(document, view, 11);
        for (int step = 0; step < 150; ++step) {
            edits.step();
            ASSERT_TRUE(validated(document.scenario()).ok())
                << preset << " " << step << ": " << validated(document.scenario()).error().message;
            ASSERT_EQ(document.selection(), document.selection().within(document.model()));
        }
        const Scenario last = document.scenario();
        ASSERT_GT(document.undoStack().count(), 20) << preset;

        document.undoStack().setIndex(0);
        EXPECT_EQ(document.scenario(), first) << preset;
        document.undoStack().setIndex(document.undoStack().count());
        EXPECT_EQ(document.scenario(), last) << preset;
    }
}

} // namespace
} // namespace flopsmith::ui
