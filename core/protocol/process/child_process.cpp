// SPDX-License-Identifier: MIT
#include "core/protocol/process/child_process.h"

#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>

extern char** environ; // NOLINT: POSIX leaves its declaration to the program

namespace flopsmith {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Milliseconds kReapTime(1000);
constexpr Milliseconds kReapPause(1);

class SpawnSettings
{
public:
    explicit SpawnSettings(const StandardFiles& files)
    {
        posix_spawn_file_actions_init(&m_files);
        posix_spawn_file_actions_adddup2(&m_files, files.input, STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&m_files, files.output, STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&m_files, files.errors, STDERR_FILENO);
        posix_spawnattr_init(&m_attributes);
        posix_spawnattr_setflags(&m_attributes,
                                 static_cast<short>(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK
                                                    | POSIX_SPAWN_SETSIGDEF));
        posix_spawnattr_setpgroup(&m_attributes, 0);
        sigset_t none;
        sigemptyset(&none);
        posix_spawnattr_setsigmask(&m_attributes, &none);
        sigset_t standard;
        sigemptyset(&standard);
        for (const int signal : {SIGPIPE, SIGXFSZ, SIGINT, SIGTERM, SIGQUIT}) {
            sigaddset(&standard, signal);
        }
        posix_spawnattr_setsigdefault(&m_attributes, &standard);
    }

    ~SpawnSettings()
    {
        posix_spawn_file_actions_destroy(&m_files);
        posix_spawnattr_destroy(&m_attributes);
    }
    SpawnSettings(const SpawnSettings&) = delete;
    SpawnSettings& operator=(const SpawnSettings&) = delete;

    int spawn(const std::vector<std::string>& command) const
    {
        std::vector<char*> arguments;
        for (const std::string& part : command) {
            arguments.push_back(const_cast<char*>(part.c_str())); // NOLINT: only read
        }
        arguments.push_back(nullptr);
        int process = 0;
        errno = posix_spawnp(
            &process, arguments[0], &m_files, &m_attributes, arguments.data(), environ);
        return errno == 0 ? process : 0;
    }

private:
    posix_spawn_file_actions_t m_files{};
    posix_spawnattr_t m_attributes{};
};

// Killed programs that were not gone yet when that was last looked at, of all threads.
class Dying
{
public:
    void add(int process)
    {
        const std::lock_guard lock(m_mutex);
        m_processes.push_back(process);
        reap();
    }

    void waitFor(const std::stop_token& stop)
    {
        const auto end = Clock::now() + kReapTime;
        while (!isOver() && !stop.stop_requested() && Clock::now() < end) {
            poll(nullptr, 0, static_cast<int>(kReapPause.count()));
        }
    }

private:
    bool isOver()
    {
        const std::lock_guard lock(m_mutex);
        reap();
        return m_processes.empty();
    }

    void reap()
    {
        std::erase_if(m_processes, [](int process) {
            const int found = waitpid(process, nullptr, WNOHANG);
            return found == process || (found == -1 && errno != EINTR);
        });
    }

    std::mutex m_mutex;
    std::vector<int> m_processes;
};

// Never destroyed: a thread may end after the program's static objects have.
Dying& dying()
{
    static auto* all = new Dying; // NOLINT(cppcoreguidelines-owning-memory)
    return *all;
}

} // namespace

Milliseconds leftUntil(Clock::time_point end)
{
    return std::max(Milliseconds(0), std::chrono::ceil<Milliseconds>(end - Clock::now()));
}

int spawn(const std::vector<std::string>& command, const StandardFiles& files)
{
    return SpawnSettings(files).spawn(command);
}

std::optional<int> reaped(int process, Milliseconds time)
{
    const auto end = Clock::now() + std::min(time, kReapTime);
    for (;;) {
        int status = 0;
        const int found = waitpid(process, &status, WNOHANG);
        if (found == process) {
            return status;
        }
        if ((found == -1 && errno != EINTR) || Clock::now() >= end) {
            return std::nullopt;
        }
        poll(nullptr, 0, static_cast<int>(kReapPause.count()));
    }
}

std::string howItEnded(std::optional<int> status)
{
    if (status && WIFSIGNALED(*status)) {
        const int signal = WTERMSIG(*status);
        return "was ended by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
    }
    if (status && WIFEXITED(*status)) {
        return "ended with exit code " + std::to_string(WEXITSTATUS(*status));
    }
    return "closed its output";
}

void killGroup(int process)
{
    kill(-process, SIGKILL);
    kill(process, SIGKILL); // should it not lead its group
    dying().add(process);
}

void waitForKilled(const std::stop_token& stop)
{
    dying().waitFor(stop);
}

} // namespace flopsmith
