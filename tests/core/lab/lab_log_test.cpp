// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lab/log/lab_log.h"

#include "core/ffn/dense.h"
#include "core/lab/log/lab_log_file.h"
#include "tests/core/lab/temporary_folder.h"

#include <gtest/gtest.h>

#include <sys/file.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <functional>
#include <limits>
#include <utility>

namespace {

// What the next lock does instead: 0, or the reason why it cannot be had.
std::function<int()> nextLock; // NOLINT: a function of C has no other way to it

} // namespace

// In place of that of the C library, for file systems that this machine does not have.
extern "C" int flock(int file, int operation) noexcept
{
    const int reason = nextLock ? std::exchange(nextLock, nullptr)() : 0;
    if (reason != 0) {
        errno = reason;
        return -1;
    }
    return static_cast<int>(::syscall(SYS_flock, file, operation));
}

namespace flopsmith {
namespace {

const RunKey kRun{.arm = "dense", .seed = 2, .rate = 0.003, .tuning = false};

LabPlan smallPlan(int seeds = 3)
{
    LabPlan plan{.task = FactsTask{.facts = 8, .classes = 2, .batch = 4},
                 .sizes = {.dModel = 4, .layers = 1, .heads = 1},
                 .seeds = seeds};
    return plannedLab(plan, {{.name = "dense", .ffn = DenseFfn{.dFf = 4}}}).value();
}

std::string wholeLog()
{
    return headerLine(smallPlan(), "this machine").text() + startLine(0, kRun, 4, 77).text()
        + pointLine(0, {.step = 0, .loss = 0.7, .score = 0.5}, 0).text()
        + stepsLine(0, 2, {.losses = {0.7, 0.6}, .gradientNorms = {1.0, 0.9}}).text()
        + pointLine(0,
                    {.step = 2, .flops = 0.0, .seconds = 0.25, .loss = 0.55, .score = 0.75},
                    Count(1) << 70U)
              .text()
        + endLine(0, RunEnd::finished, 2).text();
}

LabLog parsed(const std::string& text)
{
    const auto log = parsedLabLog(text, "log");
    EXPECT_TRUE(log.ok()) << log.error().message;
    return *log;
}

TEST(LabLog, ReadsWhatWasWritten)
{
    const LabLog log = parsed(wholeLog());

    EXPECT_EQ(log.plan, smallPlan());
    EXPECT_EQ(log.machine, "this machine");
    EXPECT_EQ(log.damagedLines, 0U);
    ASSERT_EQ(log.runs.size(), 1U);
    const LoggedRun& run = *log.run(kRun);
    EXPECT_EQ(run.end, RunEnd::finished);
    EXPECT_EQ(run.steps, 4);
    EXPECT_EQ(run.parameters, 77);
    EXPECT_EQ(run.curves.losses, (std::vector<double>{0.7, 0.6}));
    EXPECT_EQ(run.curves.gradientNorms, (std::vector<double>{1.0, 0.9}));
    ASSERT_EQ(run.points.size(), 2U);
    EXPECT_EQ(run.points[1],
              (LoggedPoint{.step = 2,
                           .flops = std::ldexp(1.0, 70),
                           .seconds = 0.25,
                           .loss = 0.55,
                           .score = 0.75}));
    EXPECT_EQ(log.run({.arm = "dense", .seed = 3, .rate = 0.003}), nullptr);
}

TEST(LabLog, KeepsBranchesTimingsAndLoadsOfExperts)
{
    const RunPart flops(0, LabView::flops);
    const LoggedSteps said{.losses = {0.6, 0.5},
                           .gradientNorms = {1.0, 2.0},
                           .balanceLosses = {0.01, 0.02},
                           .loadEntropies = {0.5, 0.75}};
    const LoggedPoint end{.step = 3, .flops = 30.0, .seconds = 3.0, .loss = 0.4, .score = 0.6};
    std::string text = headerLine(smallPlan(), "m", "0.9").text() + startLine(0, kRun, 4, 77).text()
        + stepsLine(0, 2, said).text() + branchLine(flops, 1, 3).text()
        + stepsLine(flops, 3, said).text() + pointLine(flops, end, 30).text()
        + endLine(flops, RunEnd::finished, 3).text()
        + timingLine("dense", {.steps = 50, .stepSeconds = 0.5}, Count(1) << 70U).text();
    const LabLog log = parsed(text);

    EXPECT_EQ(log.damagedLines, 0U);
    EXPECT_EQ(log.program, "0.9");
    EXPECT_EQ(log.timings.at("dense").stepSeconds, 0.5);
    EXPECT_EQ(log.timings.at("dense").stepFlops, std::ldexp(1.0, 70));
    const LoggedRun& run = log.runs.front();
    EXPECT_EQ(run.curves.loadEntropies, said.loadEntropies);
    EXPECT_EQ(run.end, RunEnd::open);
    ASSERT_NE(run.branch(LabView::flops), nullptr);
    EXPECT_EQ(run.branch(LabView::seconds), nullptr);
    const LoggedBranch& branch = *run.branch(LabView::flops);
    EXPECT_EQ(branch.from, 1);
    EXPECT_EQ(branch.steps, 3);
    EXPECT_EQ(branch.end, RunEnd::finished);
    EXPECT_EQ(branch.curves, said);
    EXPECT_EQ(branch.points, std::vector<LoggedPoint>{end});
    EXPECT_EQ(parsed(headerLine(smallPlan(), "m").text() + runLines(0, run)).runs.front(), run);

    // A run that resumes before a branch drops it; one that resumes after the branch began keeps it.
    EXPECT_EQ(parsed(text + resumedLine(0, 1).text()).runs.front().branches.size(), 1U);
    EXPECT_TRUE(parsed(text + resumedLine(0, 0).text()).runs.front().branches.empty());
    const LabLog back = parsed(text + resumedLine(flops, 2).text());
    EXPECT_EQ(back.runs.front().branches.front().curves.losses, std::vector<double>{0.6});
    EXPECT_TRUE(back.runs.front().branches.front().points.empty());
    EXPECT_EQ(back.runs.front().curves.losses.size(), 2U);
    EXPECT_EQ(parsed(text + resumedLine(flops, 0).text()).damagedLines, 1U);
}

TEST(LabLog, LosesAtMostALineWhereverItIsCut)
{
    const std::string text = wholeLog();
    const std::size_t header = headerLine(smallPlan(), "this machine").text().size();
    for (std::size_t length = header; length <= text.size(); ++length) {
        const LabLog log = parsed(text.substr(0, length));
        EXPECT_LE(log.damagedLines, 1U) << length;
        EXPECT_EQ(log.damagedLines == 0, text[length - 1] == '\n') << length;
    }
    EXPECT_FALSE(parsedLabLog(text.substr(0, header - 1), "log").ok());
    EXPECT_FALSE(parsedLabLog("", "log").ok());
    EXPECT_FALSE(parsedLabLog("{}\n", "log").ok());
}

TEST(LabLog, ReadsOverDamagedLines)
{
    const LabLog log =
        parsed(headerLine(smallPlan(), "m").text() + "noise\n" + startLine(0, kRun, 4, 77).text()
               + "{\"run\":9,\"steps\":1,\"losses\":[],\"gradient_norms\":[]}\n"
               + "{\"run\":0,\"evaluated\":\"two\"}\n"
               + "{\"run\":0,\"steps\":9,\"losses\":[1],\"gradient_norms\":[1]}\n" + "[1]\n\n"
               + stepsLine(0, 1, {.losses = {0.7}, .gradientNorms = {1.0}}).text());

    EXPECT_EQ(log.damagedLines, 6U);
    EXPECT_EQ(log.run(kRun)->curves.losses, (std::vector<double>{0.7}));
}

TEST(LabLog, KeepsWhatIsNotFinite)
{
    const double nothing = std::numeric_limits<double>::quiet_NaN();
    const LabLog log =
        parsed(headerLine(smallPlan(), "m").text() + startLine(0, kRun, 4, 77).text()
               + stepsLine(0, 1, {.losses = {nothing}, .gradientNorms = {nothing}}).text()
               + endLine(0, RunEnd::diverged, 0).text());

    EXPECT_TRUE(std::isnan(log.run(kRun)->curves.losses.at(0)));
    EXPECT_EQ(log.run(kRun)->end, RunEnd::diverged);
}

TEST(LabLog, ForgetsWhatCameAfterAResumedStep)
{
    const std::string log = wholeLog();
    const LabLog resumed = parsed(log + resumedLine(0, 1).text());
    EXPECT_EQ(resumed.runs[0].curves.losses.size(), 1U);
    EXPECT_EQ(resumed.runs[0].points.size(), 1U);
    EXPECT_EQ(resumed.runs[0].end, RunEnd::open);

    const LabLog anew = parsed(log + startLine(0, kRun, 4, 77).text());
    EXPECT_TRUE(anew.runs[0].curves.losses.empty());
    EXPECT_EQ(anew.runs.size(), 1U);
}

class LabLogFiles : public test::WithFolder
{};

TEST_F(LabLogFiles, GoOnBehindACutLine)
{
    const std::string path = written("log.jsonl", wholeLog() + "{\"run\":0,\"resu");

    {
        auto log = LabLogFile::open(path, smallPlan(), "other machine");
        ASSERT_TRUE(log.ok()) << log.error().message;
        EXPECT_EQ(log->log().machine, "this machine");
        ASSERT_TRUE(log->append(startLine(1, {.arm = "none", .seed = 1}, 4, 0)).ok());
        EXPECT_EQ(log->log().runs.size(), 2U);
    }

    const LabLog read = readLabLog(path).value();
    EXPECT_EQ(read.damagedLines, 0U);
    EXPECT_EQ(read.runs.size(), 2U);
}

TEST_F(LabLogFiles, BeginAgainWhereTheFirstLineWasCut)
{
    const std::string header = headerLine(smallPlan(), "m").text();
    const std::string path = written("log.jsonl", header.substr(0, header.size() / 2));

    ASSERT_TRUE(LabLogFile::open(path, smallPlan(), "m").ok());
    EXPECT_EQ(contentOf(path), header);
}

TEST_F(LabLogFiles, AreOfOnePlanAndOneWriter)
{
    const std::string path = file("log.jsonl");
    const auto first = LabLogFile::open(path, smallPlan(), "m");
    ASSERT_TRUE(first.ok());

    const auto second = LabLogFile::reopen(path);
    ASSERT_FALSE(second.ok());
    EXPECT_NE(second.error().message.find("another run"), std::string::npos);

    const std::string other = written("other.jsonl", wholeLog());
    const auto wrongPlan = LabLogFile::open(other, smallPlan(4), "m");
    ASSERT_FALSE(wrongPlan.ok());
    EXPECT_NE(wrongPlan.error().message.find("another lab"), std::string::npos);
    EXPECT_EQ(contentOf(other), wholeLog());
}

TEST_F(LabLogFiles, AreWrittenWhereThereAreNoLocks)
{
    for (const int reason : {ENOSYS, ENOLCK, EOPNOTSUPP}) {
        const std::string path = file(std::to_string(reason) + ".jsonl");
        nextLock = [=] { return reason; };
        auto log = LabLogFile::open(path, smallPlan(), "m");

        ASSERT_TRUE(log.ok()) << log.error().message;
        EXPECT_EQ(log->lock(), LogLock::impossible);
        EXPECT_TRUE(log->append(startLine(0, kRun, 4, 77)).ok());
        EXPECT_TRUE(log->append(endLine(0, RunEnd::finished, 4)).ok());
        EXPECT_EQ(readLabLog(path).value().runs, log->log().runs);
    }
    EXPECT_EQ(LabLogFile::open(file("l.jsonl"), smallPlan(), "m").value().lock(), LogLock::held);
}

TEST_F(LabLogFiles, WithoutLocksTakeNoLinesAfterThoseOfAnother)
{
    const std::string path = file("log.jsonl");
    nextLock = [] { return ENOSYS; };
    LabLogFile first = LabLogFile::open(path, smallPlan(), "m").value();
    nextLock = [] { return ENOSYS; };
    LabLogFile second = LabLogFile::reopen(path).value();
    ASSERT_TRUE(second.append(startLine(0, kRun, 4, 77)).ok());
    const std::string text = contentOf(path);

    const Status refused = first.append(endLine(0, RunEnd::finished, 4));

    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().message.find("another run"), std::string::npos);
    EXPECT_EQ(contentOf(path), text);
    EXPECT_TRUE(second.append(endLine(0, RunEnd::finished, 4)).ok());
}

TEST_F(LabLogFiles, SayWhyTheyCannotBeLocked)
{
    nextLock = [] { return EIO; };

    const auto log = LabLogFile::open(file("log.jsonl"), smallPlan(), "m");

    ASSERT_FALSE(log.ok());
    EXPECT_NE(log.error().message.find("cannot be locked"), std::string::npos);
    EXPECT_EQ(log.error().message.find("another run"), std::string::npos) << log.error().message;
}

TEST_F(LabLogFiles, AreNotWrittenOnceAnotherFileHasTheirName)
{
    const std::string path = written("log.jsonl", wholeLog());
    nextLock = [&] {
        std::filesystem::rename(written("other.jsonl", wholeLog()), path);
        return 0;
    };

    const auto log = LabLogFile::reopen(path);

    ASSERT_FALSE(log.ok());
    EXPECT_NE(log.error().message.find("replaced"), std::string::npos) << log.error().message;
    EXPECT_TRUE(LabLogFile::reopen(path).ok());
}

TEST_F(LabLogFiles, SayThatTheDataChanged)
{
    LabPlan plan{.task = TextTask{.file = "a.txt", .sha256 = std::string(64, 'a')}};
    plan = plannedLab(plan, {}).value();
    const std::string path = file("text.jsonl");
    ASSERT_TRUE(LabLogFile::open(path, plan, "m").ok());
    std::get<TextTask>(plan.task).sha256 = std::string(64, 'b');

    const auto changed = LabLogFile::open(path, plan, "m");
    ASSERT_FALSE(changed.ok());
    EXPECT_NE(changed.error().message.find("other data"), std::string::npos);
}

/// Within its lifetime no file grows beyond a size, as on a full disk.
class FullDisk
{
public:
    explicit FullDisk(std::uintmax_t size)
        : m_handler(std::signal(SIGXFSZ, SIG_IGN))
    {
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        rlimit limit = m_before;
        limit.rlim_cur = size;
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }

    ~FullDisk()
    {
        ::setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_handler);
    }

    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;

private:
    rlimit m_before{};
    void (*m_handler)(int);
};

TEST_F(LabLogFiles, KeepWholeLinesOnAFullDisk)
{
    const std::string path = file("log.jsonl");
    LabLogFile log = LabLogFile::open(path, smallPlan(), "m").value();
    ASSERT_TRUE(log.append(startLine(0, kRun, 4, 77)).ok());
    const std::uintmax_t size = std::filesystem::file_size(path);
    {
        const FullDisk disk(size + 10);
        const Status full = log.append(endLine(0, RunEnd::finished, 4));
        ASSERT_FALSE(full.ok());
        EXPECT_NE(full.error().message.find("log.jsonl: cannot be written"), std::string::npos)
            << full.error().message;
    }
    EXPECT_EQ(std::filesystem::file_size(path), size);
    EXPECT_EQ(log.log().runs.front().end, RunEnd::open);
    ASSERT_TRUE(log.append(endLine(0, RunEnd::finished, 4)).ok());
    EXPECT_EQ(readLabLog(path).value().damagedLines, 0U);
}

TEST_F(LabLogFiles, AreNoOtherFiles)
{
    const std::string text = written("notes.txt", "my notes\nstay\n");

    EXPECT_FALSE(LabLogFile::open(text, smallPlan(), "m").ok());
    EXPECT_FALSE(LabLogFile::open(file("no/such/folder.jsonl"), smallPlan(), "m").ok());
    EXPECT_FALSE(LabLogFile::reopen(file("none.jsonl")).ok());
    EXPECT_EQ(contentOf(text), "my notes\nstay\n");
}

} // namespace
} // namespace flopsmith
