// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/lab/lab_page_fixture.h"
#include "tests/ui/waiting.h"
#include "ui/lab/checkpoint_writer.h"
#include "ui/lab/result_actions.h"

#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QThread>

#include <algorithm>

namespace flopsmith::ui {
namespace {

// In place of this program: it tells its arguments, or refuses a folder that is there.
class CheckpointTest : public test::LabPageTest
{
protected:
    CheckpointTest()
    {
        const QString program = folder.filePath(QStringLiteral("program"));
        EXPECT_TRUE(
            writeFile(program.toStdString(),
                      "#!/bin/sh\n"
                      "if [ -e \"$5\" ]; then echo \"flopsmith: $5 exists\" >&2; exit 2; fi\n"
                      "echo \"$@\"\n")
                .ok());
        QFile::setPermissions(program, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        page->results().writer().setProgram(program);
    }

    QStringList entries()
    {
        QMenu& menu = page->results().checkpoints();
        Q_EMIT menu.aboutToShow();
        QStringList texts;
        for (const QAction* action : menu.actions()) {
            texts << (action->isEnabled() ? action->text() : QStringLiteral("disabled"));
        }
        return texts;
    }

    static void put(const std::string& path)
    {
        QDir().mkpath(QFileInfo(QString::fromStdString(path)).path());
        EXPECT_TRUE(writeFile(path, "weights").ok());
    }
};

// It ends before it can be stopped, and before anybody has taken its text.
TEST_F(CheckpointTest, NothingThatAModelOfAnotherLabWroteIsShown)
{
    child<QAction>("lab.task.grammar").trigger();
    trainAll();
    const auto& runs = session().log().runs;
    const auto run =
        std::ranges::find(runs, 1, [](const LoggedRun& each) { return each.key.seed; });
    ASSERT_NE(run, runs.end());
    const QString written = folder.filePath(QStringLiteral("written"));
    const QString program = folder.filePath(QStringLiteral("writer"));
    const std::string script =
        "#!/bin/sh\necho words of a model\ntouch '" + written.toStdString() + "'\n";
    ASSERT_TRUE(writeFile(program.toStdString(), script).ok());
    QFile::setPermissions(program, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    page->samples().setProgram(program);
    put(modelPath(session().logPath().toStdString(), run->key));

    page->samples().poll();
    const QDeadlineTimer patience(test::kLong);
    while (!QFile::exists(written) && !patience.hasExpired()) {
        QThread::yieldCurrentThread();
    }
    ASSERT_TRUE(QFile::exists(written));
    child<QAction>("lab.reset").trigger();
    ASSERT_SOON(!page->samples().isWriting());

    EXPECT_EQ(page->samples().text(), QString());
    EXPECT_FALSE(child<QLabel>("lab.now.sample").isVisibleTo(page.get()));
}

TEST_F(CheckpointTest, ListsTheModelsWhoseWeightsAreThere)
{
    EXPECT_EQ(entries(), (QStringList{"disabled"}));
    trainAll();
    EXPECT_EQ(entries(), (QStringList{"disabled"})); // the worker keeps none

    put(modelPath(session().logPath().toStdString(),
                  {.arm = "dense", .seed = 2, .rate = 0.003, .tuning = false}));
    ASSERT_EQ(entries().size(), 1);
    EXPECT_EQ(entries().front(), QStringLiteral("dense, seed 2, loss 1.25"));
    EXPECT_EQ(savedCheckpoints(session()).front().folder, QStringLiteral("dense-seed-2"));
}

TEST_F(CheckpointTest, ARunThatIsPausedComesFirst)
{
    session().setWorkers({test::workerThatWaits()});
    page->playBar().step().trigger();
    ASSERT_SOON(!session().log().runs.empty());
    put(statePath(session().logPath().toStdString(), 0));

    ASSERT_EQ(entries().size(), 1);
    EXPECT_EQ(entries().front(), QStringLiteral("dense, tuning at 3e-4, under way"));
}

TEST_F(CheckpointTest, IsSavedByTheCommandLineInAProgramOfItsOwn)
{
    CheckpointWriter& writer = page->results().writer();
    const QString target = folder.filePath(QStringLiteral("dense"));
    const Checkpoint model{.title = {}, .file = QStringLiteral("a.safetensors"), .folder = {}};

    writer.save(model, target);
    EXPECT_TRUE(writer.isWriting());
    writer.save(model, target);
    EXPECT_TRUE(messages.sentence().startsWith(QLatin1String("Another checkpoint")));
    ASSERT_SOON(!writer.isWriting());
    EXPECT_EQ(messages.sentence(),
              QStringLiteral("lab export a.safetensors -o %1 --train").arg(target)); // of facts

    child<QAction>("lab.task.grammar").trigger();
    writer.save(model, target);
    ASSERT_SOON(!writer.isWriting());
    EXPECT_EQ(messages.sentence(), QStringLiteral("lab export a.safetensors -o %1").arg(target));

    writer.save(model, folder.path());
    ASSERT_SOON(!writer.isWriting());
    EXPECT_EQ(messages.sentence(), folder.path() + QStringLiteral(" exists"));

    writer.setProgram(QStringLiteral("/nonexistent/flopsmith"));
    writer.save(model, target);
    ASSERT_SOON(messages.sentence().contains(QLatin1String("/nonexistent/flopsmith")));
}

} // namespace
} // namespace flopsmith::ui
