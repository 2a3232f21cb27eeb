// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/files/export_actions.h"

#include "tests/ui/waiting.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/export/source_view.h"
#include "ui/window/window_picture.h"

#include <QAction>
#include <QMenu>

namespace flopsmith::ui {
namespace {

class ExportActionsTest : public test::WindowTest
{
protected:
    QList<ExportDialog*> dialogs() const { return window->findChildren<ExportDialog*>(); }
};

TEST_F(ExportActionsTest, HaveAnEntryForEachTarget)
{
    for (const ExportTarget& target : exportTargets()) {
        const auto& entry =
            child<QAction>(qPrintable(QStringLiteral("file.export.") + target.name));
        EXPECT_TRUE(child<QMenu>("file.export").actions().contains(&entry));
        EXPECT_TRUE(entry.isEnabled());
        EXPECT_EQ(entry.toolTip(), target.tip);
    }
}

TEST_F(ExportActionsTest, ShowTheProgramOfTheDesign)
{
    child<QAction>("file.export.torch").trigger();

    ASSERT_EQ(dialogs().size(), 1);
    ExportDialog& dialog = *dialogs().front();
    EXPECT_TRUE(shownDialogs(*window).contains(&dialog)); // and so on a screenshot
    EXPECT_TRUE(QTest::qWaitFor(
        [&dialog] { return dialog.source().toPlainText().contains(QLatin1String("class Model(")); },
        test::kLong));
}

TEST_F(ExportActionsTest, BringAnOpenDialogToTheFront)
{
    child<QAction>("file.export.torch").trigger();
    child<QAction>("file.export.torch").trigger();

    EXPECT_EQ(dialogs().size(), 1);
}

} // namespace
} // namespace flopsmith::ui
