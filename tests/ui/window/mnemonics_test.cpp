// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/gated.h"
#include "core/ffn/spectral.h"
#include "core/model/presets.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/canvas/stack_view.h"
#include "ui/document/edits/model_edit.h"

#include <QAction>
#include <QHash>
#include <QMenu>
#include <QPointer>

namespace flopsmith::ui {
namespace {

class MnemonicsTest : public test::WindowTest
{
protected:
    // Of entries that share a letter, Alt+letter chooses none.
    void expectDistinct(const QMenu& menu)
    {
        QHash<QString, QString> entries;
        for (const QAction* action : menu.actions()) {
            const QString key = QKeySequence::mnemonic(action->text()).toString();
            if (key.isEmpty() || !action->isEnabled() || !action->isVisible()) {
                continue;
            }
            EXPECT_FALSE(entries.contains(key))
                << qPrintable(key) << ": " << qPrintable(entries.value(key)) << " and "
                << qPrintable(action->text());
            entries.insert(key, action->text());
            ++m_mnemonics;
        }
    }

    void checkMenus()
    {
        QList<QPointer<QMenu>> menus; // some menus delete others when they are filled
        for (QMenu* menu : window->findChildren<QMenu*>()) {
            menus << menu;
        }
        for (const QPointer<QMenu>& menu : menus) {
            if (menu != nullptr) {
                Q_EMIT menu->aboutToShow();
                expectDistinct(*menu);
            }
        }
        QMenu ofTheStack;
        window->stack().actionsOfStack().fill(ofTheStack);
        expectDistinct(ofTheStack);
    }

    int m_mnemonics = 0;
};

TEST_F(MnemonicsTest, NoTwoEnabledEntriesOfAMenuShareOne)
{
    for (const char* preset : {"gpt2", "gpt2-half-swapped", "t5-small", "gpt2-shared"}) {
        replaceModel(window->document(), *presetNamed(preset));
        window->stack().actionsOfStack().clipboard().copy().trigger(); // so that one can paste
        checkMenus();
        window->stack().actionsOfStack().selectAll().trigger();
        checkMenus();
        window->document().select(Selection::of(Selection::Part::head));
        checkMenus();
    }
    EXPECT_GT(m_mnemonics, 100);
}

TEST_F(MnemonicsTest, NoTwoEntriesOfComposedBlocksShareOne)
{
    Document& document = window->document();
    document.apply(QStringLiteral("Add stages"), [](DocumentState& state) {
        addStage(state.scenario, state.selection.run, GatedFfn{});
        addStage(state.scenario, state.selection.run, SpectralFfn{});
    });

    checkMenus();
    EXPECT_GT(m_mnemonics, 30);
}

} // namespace
} // namespace flopsmith::ui
