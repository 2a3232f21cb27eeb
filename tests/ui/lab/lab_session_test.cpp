// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/lab_session.h"

#include "core/base/text_file.h"
#include "core/ffn/dense.h"
#include "core/io/project/version.h"
#include "core/lab/log/lab_log_file.h"
#include "core/lab/log/lab_merge.h"
#include "core/lab/plan/lab_file.h"
#include "core/lab/results/lab_results.h"
#include "tests/support/file_size_limit.h"
#include "tests/ui/lab/fake_worker.h"
#include "tests/ui/waiting.h"

#include <gtest/gtest.h>

#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace flopsmith::ui {
namespace {

LabPlan smallPlan(bool tunes = false)
{
    const LabPlan plan{.task = FactsTask{.facts = 16, .classes = 4, .batch = 8},
                       .sizes = {.dModel = 8, .layers = 1, .heads = 1},
                       .seeds = 2,
                       .budget = {.kind = BudgetKind::steps, .steps = 4},
                       .tunes = tunes};
    return plannedLab(plan, {{.name = "dense", .ffn = DenseFfn{.dFf = 8}}}).value();
}

class LabSessionTest : public testing::Test
{
protected:
    LabSessionTest() { open(test::workerThatLearns()); }

    void open(const std::vector<std::string>& worker, std::size_t count = 2)
    {
        session = std::make_unique<LabSession>();
        session->setFolder(folder.filePath(QStringLiteral("logs")));
        session->setWorkers({count, worker});
        failures = std::make_unique<QSignalSpy>(session.get(), &LabSession::failed);
        const QString plan = folder.filePath(QStringLiteral("a.flopsmith-lab"));
        ASSERT_TRUE(writeFile(plan.toStdString(), labFileText(smallPlan())).ok());
        const Status opened = session->open(plan);
        ASSERT_TRUE(opened.ok()) << opened.error().message;
    }

    void playToTheEnd()
    {
        session->play();
        ASSERT_SOON(session->state() == LabSession::State::complete);
    }

    QString failure() const
    {
        return failures->isEmpty() ? QString() : failures->last().front().toString();
    }

    QTemporaryDir folder;
    std::unique_ptr<LabSession> session;
    std::unique_ptr<QSignalSpy> failures;
};

TEST_F(LabSessionTest, TrainsAllThatItsPlanAsksFor)
{
    EXPECT_EQ(session->plan(), smallPlan());
    EXPECT_EQ(session->logPath(), QString());

    playToTheEnd();

    EXPECT_EQ(session->runs().done, 6U);
    EXPECT_EQ(session->runs().planned, 6U);
    EXPECT_EQ(failure(), QString());
    const LabLog read = readLabLog(session->logPath().toStdString()).value();
    EXPECT_EQ(read.runs, session->log().runs);
    EXPECT_EQ(read.damagedLines, 0U);
    EXPECT_TRUE(session->runsUnderWay().empty());
}

TEST_F(LabSessionTest, AnArmMoreKeepsWhatWasTrained)
{
    playToTheEnd();
    const QString before = session->logPath();

    ASSERT_TRUE(session
                    ->change([](LabPlan&, std::vector<Arm>& arms) {
                        arms.push_back(
                            {.name = "spectral", .ffn = armNamed("spectral", 8).value()});
                    })
                    .ok());
    EXPECT_EQ(session->runs().done, 6U);
    EXPECT_EQ(session->state(), LabSession::State::ready);
    playToTheEnd();

    EXPECT_NE(session->logPath(), before);
    EXPECT_TRUE(QFile::exists(before));
    EXPECT_EQ(session->runs().done, 2U * session->plan().arms.size());
}

// A log that is longer than what is read of it at one poll.
TEST_F(LabSessionTest, AChangeKeepsAlsoTheRunsThatAreNotReadYet)
{
    LabLog log{.plan = smallPlan(), .machine = "m", .runs = {}};
    for (const Arm& arm : log.plan.arms) {
        for (const int seed : {1, 2}) {
            log.runs.push_back({.key = {.arm = arm.name, .seed = seed, .rate = log.plan.baseRate},
                                .steps = 10'000,
                                .end = RunEnd::finished,
                                .curves = {.losses = std::vector<double>(10'000, 1.5),
                                           .gradientNorms = std::vector<double>(10'000, 0.5)},
                                .points = {}});
        }
    }
    const QString path = folder.filePath(QStringLiteral("long.jsonl"));
    ASSERT_TRUE(writeFile(path.toStdString(), logText(log)).ok());
    ASSERT_TRUE(session->open(path).ok());
    ASSERT_LT(session->runs().done, log.runs.size());

    ASSERT_TRUE(session
                    ->change([](LabPlan&, std::vector<Arm>& arms) {
                        arms.push_back(
                            {.name = "spectral", .ffn = armNamed("spectral", 8).value()});
                    })
                    .ok());

    EXPECT_EQ(session->runs().done, log.runs.size());
}

// Without it the command line would refuse to merge such a log with its own.
TEST_F(LabSessionTest, ItsLogsNameTheVersionThatTrained)
{
    playToTheEnd();
    EXPECT_EQ(session->log().program, programVersion());

    ASSERT_TRUE(
        session->change([](LabPlan& plan, std::vector<Arm>&) { plan.baseRate = 0.1; }).ok());
    playToTheEnd();
    EXPECT_EQ(readLabLog(session->logPath().toStdString()).value().program, programVersion());
}

TEST_F(LabSessionTest, AFullDiskIsSaidAndLeavesNoEmptyLog)
{
    {
        const flopsmith::test::FileSizeLimit full(0);
        session->play();
    }
    EXPECT_TRUE(failure().contains(QLatin1String("logs"))) << failure().toStdString();
    EXPECT_EQ(session->state(), LabSession::State::ready);
    EXPECT_EQ(session->logPath(), QString());
    EXPECT_TRUE(QDir(folder.filePath(QStringLiteral("logs"))).entryList({"*.jsonl"}).isEmpty());

    playToTheEnd();
    EXPECT_EQ(session->runs().done, 6U);
}

// As after a kill.
TEST_F(LabSessionTest, GoesOnWithALogWhoseLastLineWasCutOff)
{
    const std::string path = folder.filePath(QStringLiteral("torn.jsonl")).toStdString();
    ASSERT_TRUE(writeFile(path, headerLine(smallPlan(), "m").text() + "{\"run\":0,\"sta").ok());
    ASSERT_TRUE(session->open(QString::fromStdString(path)).ok());

    playToTheEnd();

    EXPECT_EQ(failure(), QString());
    EXPECT_EQ(session->log().runs, readLabLog(path).value().runs);
    EXPECT_EQ(session->log().damagedLines, 0U);
}

TEST_F(LabSessionTest, AnotherRateBeginsAnew)
{
    playToTheEnd();

    ASSERT_TRUE(
        session->change([](LabPlan& plan, std::vector<Arm>&) { plan.baseRate = 0.1; }).ok());

    EXPECT_EQ(session->runs().done, 0U);
    EXPECT_TRUE(session->log().runs.empty());
}

// As by the keys of a slider: each log would have programs of its own.
TEST_F(LabSessionTest, ChangesInQuickSuccessionBeginOneLog)
{
    open(test::workerThatWaits(), 1);
    session->play();
    for (const double rate : {0.01, 0.02, 0.05}) {
        ASSERT_TRUE(
            session->change([rate](LabPlan& plan, std::vector<Arm>&) { plan.baseRate = rate; })
                .ok());
    }
    EXPECT_EQ(session->state(), LabSession::State::training);
    ASSERT_SOON(!session->logPath().isEmpty());

    EXPECT_EQ(session->state(), LabSession::State::training);
    EXPECT_EQ(session->plan().baseRate, 0.05);
    EXPECT_EQ(QDir(folder.filePath(QStringLiteral("logs"))).entryList({"*.jsonl"}).size(), 2);
    EXPECT_EQ(failure(), QString());
}

TEST_F(LabSessionTest, WhatAChangeIsToBeginCanBePaused)
{
    open(test::workerThatWaits(), 1);
    session->play();
    ASSERT_TRUE(
        session->change([](LabPlan& plan, std::vector<Arm>&) { plan.baseRate = 0.1; }).ok());
    EXPECT_EQ(session->state(), LabSession::State::training);

    session->pause();

    EXPECT_EQ(session->state(), LabSession::State::ready);
    EXPECT_FALSE(session->isTraining());
    session->play();
    EXPECT_FALSE(session->logPath().isEmpty()); // at once
}

TEST_F(LabSessionTest, OpeningTheLogThatIsTrainedChangesNothing)
{
    open(test::workerThatWaits(), 1);
    session->step();
    ASSERT_SOON(!session->runsUnderWay().empty());

    ASSERT_TRUE(session->open(session->logPath()).ok());

    EXPECT_EQ(session->state(), LabSession::State::paused);
    EXPECT_FALSE(session->runsUnderWay().empty());
}

TEST_F(LabSessionTest, WhatIsNotLegalIsSaidAndChangesNothing)
{
    const LabPlan before = session->plan();

    const Status done =
        session->change([](LabPlan& plan, std::vector<Arm>&) { plan.seeds = 1'000; });

    ASSERT_FALSE(done.ok());
    EXPECT_NE(done.error().message.find("seeds"), std::string::npos);
    EXPECT_EQ(session->plan(), before);
}

TEST_F(LabSessionTest, SingleStepsAreTakenOneByOne)
{
    open(test::workerThatWaits(), 1);

    session->step();
    EXPECT_EQ(session->state(), LabSession::State::paused);
    ASSERT_SOON(!session->log().runs.empty() && !session->log().runs[0].curves.losses.empty());
    session->step();
    ASSERT_SOON(session->log().runs[0].curves.losses.size() == std::size_t{2});

    EXPECT_FALSE(session->runsUnderWay().empty());
    EXPECT_EQ(failure(), QString());
    const std::string log = session->logPath().toStdString();
    session.reset();
    EXPECT_EQ(readLabLog(log).value().runs[0].curves.losses.size(), 2U);
}

TEST_F(LabSessionTest, ClosingKeepsTheLogAndAnotherWindowGoesOn)
{
    open(test::workerThatWaits(), 1);
    session->step();
    ASSERT_SOON(!session->log().runs.empty() && !session->log().runs[0].curves.losses.empty());
    const QString log = session->logPath();
    session.reset();

    open(test::workerThatLearns());
    ASSERT_TRUE(session->open(log).ok());
    playToTheEnd();

    EXPECT_EQ(session->logPath(), log);
    EXPECT_EQ(session->runs().done, 6U);
}

// Half a run of six in 30 seconds: eleven halves are missing.
TEST_F(LabSessionTest, TheTimeLeftFollowsFromTheRunsTrainedSoFar)
{
    open(test::workerHalfThrough(), 1);
    double now = 0.0;
    session->setClock([&now] { return now; });
    session->play();
    EXPECT_EQ(session->secondsLeft(), std::nullopt);
    ASSERT_SOON(session->secondsLeft().has_value());

    now = 30.0;
    session->poll();

    ASSERT_TRUE(session->secondsLeft().has_value());
    EXPECT_DOUBLE_EQ(*session->secondsLeft(), 330.0);
}

TEST_F(LabSessionTest, AProgramThatIsNotThereIsNamed)
{
    open({"/nonexistent/flopsmith-train"});

    session->play();

    ASSERT_SOON(!failures->isEmpty());
    EXPECT_TRUE(failure().contains(QLatin1String("flopsmith-train"))) << failure().toStdString();
    EXPECT_EQ(session->state(), LabSession::State::ready);
}

TEST_F(LabSessionTest, AProgramThatDiesIsSaidAndTheLogGoesOn)
{
    open({"/bin/sh", "-c", "read -r job; kill -9 $$"});
    session->play();
    ASSERT_SOON(!failures->isEmpty());
    EXPECT_TRUE(failure().contains(QLatin1String("arm "))) << failure().toStdString();
    const QString log = session->logPath();

    open(test::workerThatLearns());
    ASSERT_TRUE(session->open(log).ok());
    playToTheEnd();
    EXPECT_EQ(session->runs().done, 6U);
}

TEST_F(LabSessionTest, FilesThatAreNoLabsAreRefusedInASentence)
{
    const auto refusal = [this](const QString& name, const std::string& text) {
        const QString path = folder.filePath(name);
        EXPECT_TRUE(writeFile(path.toStdString(), text).ok());
        const Status opened = session->open(path);
        return opened.ok() ? std::string() : opened.error().message;
    };
    EXPECT_NE(refusal(QStringLiteral("x.flopsmith-lab"), "{").find("x.flopsmith-lab"),
              std::string::npos);
    EXPECT_NE(refusal(QStringLiteral("x.jsonl"), "no log\n").find("no log of a lab"),
              std::string::npos);
    EXPECT_NE(refusal(QStringLiteral("y.jsonl"),
                      R"({"flopsmith_lab_log":99,"lab":{}})"
                      "\n")
                  .find("another version"),
              std::string::npos);
    EXPECT_EQ(session->plan(), smallPlan()); // as before
}

TEST_F(LabSessionTest, ATextThatIsTooShortIsSaidAtOnce)
{
    const QString text = folder.filePath(QStringLiteral("short.txt"));
    ASSERT_TRUE(writeFile(text.toStdString(), "too short").ok());

    const Status changed = session->change([&](LabPlan& plan, std::vector<Arm>&) {
        plan.task = TextTask{.file = text.toStdString(), .sha256 = {}};
    });

    ASSERT_FALSE(changed.ok());
    EXPECT_NE(changed.error().message.find("short.txt has 9 characters"), std::string::npos)
        << changed.error().message;
}

// In the same second, perhaps.
TEST_F(LabSessionTest, TwoWindowsBeginLogsOfTheirOwn)
{
    open(test::workerThatWaits(), 1);
    LabSession other;
    other.setFolder(folder.filePath(QStringLiteral("logs")));
    other.setWorkers({test::workerThatWaits()});
    ASSERT_TRUE(other.open(folder.filePath(QStringLiteral("a.flopsmith-lab"))).ok());

    session->play();
    other.play();

    EXPECT_EQ(failure(), QString());
    EXPECT_NE(session->logPath(), other.logPath());
    EXPECT_EQ(QDir(folder.filePath(QStringLiteral("logs"))).entryList({"*.jsonl"}).size(), 2);
}

TEST_F(LabSessionTest, AFolderThatCannotBeWrittenIsSaid)
{
    session->setFolder(QStringLiteral("/proc/nowhere"));

    session->play();

    EXPECT_TRUE(failure().contains(QLatin1String("/proc/nowhere"))) << failure().toStdString();
    EXPECT_EQ(session->state(), LabSession::State::ready);
}

TEST_F(LabSessionTest, ALogThatAnotherProgramWritesIsFollowed)
{
    const QString path = folder.filePath(QStringLiteral("other.jsonl"));
    LabLogFile other = LabLogFile::open(path.toStdString(), smallPlan(), "m").value();
    ASSERT_TRUE(session->open(path).ok());
    const RunKey key{.arm = "dense", .seed = 1, .rate = 0.003};
    ASSERT_TRUE(other.append(startLine(0, key, 4, 9)).ok());

    ASSERT_SOON(session->log().runs.size() == std::size_t{1});

    session->play();
    ASSERT_SOON(!failures->isEmpty());
    EXPECT_TRUE(failure().contains(QLatin1String("being written"))) << failure().toStdString();
}

} // namespace
} // namespace flopsmith::ui
