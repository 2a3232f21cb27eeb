// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/text_file.h"
#include "core/ffn/dense.h"
#include "core/lab/plan/lab_file.h"
#include "core/model/presets.h"
#include "tests/ui/lab/fake_worker.h"
#include "tests/ui/waiting.h"
#include "ui/document/document.h"
#include "ui/lab/arm_chip.h"
#include "ui/lab/lab_page.h"
#include "ui/lab/lab_session.h"
#include "ui/lab/play_bar.h"
#include "ui/lab/sample_writer.h"
#include "ui/widgets/message_bar.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QWidget>

#include <memory>

namespace flopsmith::ui::test {

/// A page with a small plan, a worker of a shell script, and settings of its own.
class LabPageTest : public testing::Test
{
protected:
    LabPageTest()
        : document({.model = presets().front().make()})
    {
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder.path());
        QCoreApplication::setOrganizationName(QStringLiteral("flopsmith-test"));
        page = std::make_unique<LabPage>(document, messages);
        page->session().setFolder(folder.filePath(QStringLiteral("logs")));
        page->session().setWorkers({test::workerThatLearns()});
        page->samples().setProgram(QStringLiteral("/bin/false"));
        const LabPlan plan{.task = FactsTask{.facts = 16, .classes = 4, .batch = 8},
                           .sizes = {.dModel = 8, .layers = 1, .heads = 1},
                           .seeds = 2,
                           .budget = {.kind = BudgetKind::steps, .steps = 4}};
        const QString file = folder.filePath(QStringLiteral("a.flopsmith-lab"));
        EXPECT_TRUE(
            writeFile(file.toStdString(),
                      labFileText(
                          plannedLab(plan, {{.name = "dense", .ffn = DenseFfn{.dFf = 8}}}).value()))
                .ok());
        page->resize(1240, 560);
        page->show();
        EXPECT_TRUE(page->open(file));
    }

    template <class Widget>
    Widget& child(const char* name)
    {
        auto* found = page->findChild<Widget*>(QLatin1String(name));
        FLOPSMITH_CHECK(found != nullptr);
        return *found;
    }

    LabSession& session() { return page->session(); }

    void trainAll()
    {
        page->playBar().play().trigger();
        ASSERT_SOON(session().state() == LabSession::State::complete);
        page->settle();
    }

    QStringList arms() const
    {
        QStringList names;
        for (const ArmChip* chip : page->arms().chips()) {
            names << chip->arm();
        }
        return names;
    }

    QTemporaryDir folder;
    Document document;
    QWidget window;
    MessageBar messages{&window};
    std::unique_ptr<LabPage> page;
};

} // namespace flopsmith::ui::test
