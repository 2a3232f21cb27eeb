// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/base/random.h"
#include "core/base/text_file.h"
#include "core/io/journal/journal_file.h"
#include "core/io/project/project_file.h"
#include "core/io/reading.h"
#include "core/model/presets.h"
#include "tests/support/programs.h"
#include "ui/document/journal/unsaved_work.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>
#include <vector>

// The real window is killed at random moments of editing and saving.
namespace flopsmith {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kFirst = 100; // the sequence that the file begins with
constexpr std::int64_t kMaxLost = 2000; // milliseconds

struct Event
{
    char what; // a: acted, s: begins to save, S: has saved
    std::int64_t at; // milliseconds
    std::int64_t sequence; // of the document from then on
};

class Victim
{
public:
    Victim(const fs::path& home, std::uint64_t seed, bool saves)
        : m_file(home / "model.flopsmith")
        , m_journals(home / "state/flopsmith/journal")
    {
        Project project{.scenario = {.model = *presetNamed("tiny")}};
        project.scenario.workload.sequence = kFirst;
        FLOPSMITH_CHECK(writeFile(m_file.string(), projectText(project)).ok());
        std::array<int, 2> ends{};
        FLOPSMITH_CHECK(::pipe2(ends.data(), O_CLOEXEC) == 0);
        m_output = ends[0];
        m_process = ::fork();
        if (m_process == 0) {
            ::dup2(ends[1], STDOUT_FILENO);
            start(home, std::to_string(seed), saves ? "1" : "0");
        }
        ::close(ends[1]);
    }
    Victim(const Victim&) = delete;
    Victim& operator=(const Victim&) = delete;
    ~Victim()
    {
        ::kill(m_process, SIGKILL);
        ::waitpid(m_process, nullptr, 0);
        ::close(m_output);
    }

    // Listens until that many lines were said.
    void waitForLines(std::size_t count)
    {
        while (static_cast<std::size_t>(std::count(m_said.begin(), m_said.end(), '\n')) < count) {
            FLOPSMITH_CHECK(listen());
        }
    }

    void listenFor(std::chrono::milliseconds time)
    {
        const auto end = std::chrono::steady_clock::now() + time;
        for (auto left = time; left.count() > 0;
             left = std::chrono::duration_cast<std::chrono::milliseconds>(
                 end - std::chrono::steady_clock::now())) {
            pollfd ready{.fd = m_output, .events = POLLIN, .revents = 0};
            if (::poll(&ready, 1, static_cast<int>(left.count())) > 0) {
                listen();
            }
        }
    }

    // Sends the signal, and gives the one that ended the process.
    int end(int signal)
    {
        ::kill(m_process, signal);
        while (listen()) {}
        int status = 0;
        ::waitpid(m_process, &status, 0);
        return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    }

    std::vector<Event> events() const
    {
        std::istringstream lines(m_said);
        std::vector<Event> all;
        for (Event event{}; lines >> event.what >> event.at >> event.sequence;) {
            all.push_back(event);
        }
        return all;
    }

    Result<Loaded> file() const { return loadModel(m_file.string()); }
    std::vector<AbandonedJournal> journals() const { return ui::unsavedWork(m_journals); }

private:
    bool listen()
    {
        std::array<char, 4096> piece{};
        const ssize_t count = ::read(m_output, piece.data(), piece.size());
        m_said.append(piece.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
        return count > 0;
    }

    [[noreturn]] void start(const fs::path& home,
                            const std::string& seed,
                            const std::string& saves) const
    {
        for (const char* name : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"}) {
            ::setenv(name, home.c_str(), 1);
        }
        ::setenv("XDG_STATE_HOME", (home / "state").c_str(), 1);
        ::setenv("QT_QPA_PLATFORM", "offscreen", 1);
        const std::string program = builtProgram("crash_victim");
        ::execl(program.c_str(),
                program.c_str(),
                m_file.c_str(),
                seed.c_str(),
                saves.c_str(),
                static_cast<char*>(nullptr));
        ::_exit(127);
    }

    fs::path m_file;
    fs::path m_journals;
    pid_t m_process = -1;
    int m_output = -1;
    std::string m_said;
};

class Kill : public testing::Test
{
protected:
    Kill()
    {
        std::string name = (fs::temp_directory_path() / "flopsmith-kill-XXXXXX").string();
        FLOPSMITH_CHECK(mkdtemp(name.data()) != nullptr);
        top = name;
    }
    ~Kill() override { fs::remove_all(top); }

    fs::path home(int run) const
    {
        fs::path made = top / std::to_string(run);
        fs::create_directory(made);
        return made;
    }

    fs::path top;
};

// What the file may hold: the state saved last, or the one that was being saved.
std::set<std::int64_t> saved(const std::vector<Event>& events)
{
    std::set<std::int64_t> possible{kFirst};
    for (const Event& event : events) {
        if (event.what == 'S') {
            possible.clear();
        }
        if (event.what != 'a') {
            possible.insert(event.sequence);
        }
    }
    return possible;
}

// What may be there again: every state that the document had in the last two seconds.
std::set<std::int64_t> recent(const std::vector<Event>& events)
{
    std::set<std::int64_t> states{kFirst};
    for (const Event& event : events) {
        if (event.at <= events.back().at - kMaxLost) {
            states.clear();
        }
        states.insert(event.sequence);
    }
    return states;
}

void expectNothingLost(const Victim& victim)
{
    const std::vector<Event> events = victim.events();
    const Result<Loaded> file = victim.file();
    ASSERT_TRUE(file.ok()) << file.error().message;
    const std::int64_t inFile = file->project.scenario.workload.sequence;
    EXPECT_TRUE(saved(events).count(inFile) > 0) << inFile;

    const std::vector<AbandonedJournal> journals = victim.journals();
    ASSERT_LE(journals.size(), 1U);
    std::int64_t recovered = inFile;
    if (!journals.empty()) {
        ASSERT_TRUE(journals.front().history.ok()) << journals.front().history.error().message;
        recovered = journals.front().history->last().project.scenario.workload.sequence;
    }
    EXPECT_TRUE(recent(events).count(recovered) > 0)
        << "recovered " << recovered << ", had " << events.back().sequence;
}

int timesToKill()
{
    const char* times = std::getenv("FLOPSMITH_KILLS");
    return times == nullptr ? 20 : std::atoi(times);
}

TEST_F(Kill, AtAnyMomentTheFileIsWholeAndTwoSecondsAreTheMostThatIsLost)
{
    Random random(19);
    int withJournal = 0;
    for (int run = 0; run < timesToKill(); ++run) {
        Victim victim(home(run), static_cast<std::uint64_t>(run), run % 2 == 0);
        victim.waitForLines(1);
        victim.listenFor(std::chrono::milliseconds(random.integer(0, run % 4 == 1 ? 3500 : 800)));

        ASSERT_EQ(victim.end(SIGKILL), SIGKILL);

        SCOPED_TRACE(run);
        expectNothingLost(victim);
        withJournal += victim.journals().empty() ? 0 : 1;
    }
    EXPECT_GT(withJournal, timesToKill() / 4);
}

TEST_F(Kill, ASignalToEndLeavesEveryStepInTheJournal)
{
    int run = 0;
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
        Victim victim(home(run++), 1, false);
        victim.waitForLines(30);

        EXPECT_EQ(victim.end(signal), signal);

        const std::vector<AbandonedJournal> journals = victim.journals();
        ASSERT_EQ(journals.size(), 1U);
        EXPECT_EQ(journals.front().history->last().project.scenario.workload.sequence,
                  victim.events().back().sequence);
        EXPECT_GT(journals.front().history->entries.size(), 5U);
    }
}

TEST_F(Kill, TheJournalOfALivingWindowIsNotOffered)
{
    Victim victim(home(0), 1, false);
    victim.waitForLines(30);
    victim.listenFor(std::chrono::milliseconds(800));

    EXPECT_TRUE(victim.journals().empty());

    victim.end(SIGKILL);
    EXPECT_EQ(victim.journals().size(), 1U);
}

} // namespace
} // namespace flopsmith
