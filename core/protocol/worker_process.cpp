// SPDX-License-Identifier: MIT
#include "core/protocol/worker_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <functional>
#include <mutex>

extern char** environ; // NOLINT: POSIX leaves its declaration to the program

namespace flopsmith {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kLastWords = 400;
constexpr Milliseconds kReapTime(1000);
constexpr Milliseconds kReapPause(1);

struct Pipe
{
    FileHandle from;
    FileHandle to;
};

Result<Pipe> makePipe()
{
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
        return Error{std::string("no pipe can be made: ") + std::strerror(errno)};
    }
    return Pipe{FileHandle(ends[0]), FileHandle(ends[1])};
}

void makeNonBlocking(const FileHandle& file)
{
    fcntl(file.descriptor(), F_SETFL, fcntl(file.descriptor(), F_GETFL) | O_NONBLOCK);
}

// What the new process starts with: the three pipes, a process group of its own, and the signals
// as a program expects them, whatever this one blocks or ignores.
class SpawnSettings
{
public:
    SpawnSettings(const Pipe& input, const Pipe& output, const Pipe& errors)
    {
        posix_spawn_file_actions_init(&m_files);
        posix_spawn_file_actions_adddup2(&m_files, input.from.descriptor(), STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&m_files, output.to.descriptor(), STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&m_files, errors.to.descriptor(), STDERR_FILENO);
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
        for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGQUIT}) {
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

    /// Its process id, or 0 and errno.
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

// While it lives, a write to a pipe that nobody reads is an error of this thread and not the end
// of the program.
class PipeSignalBlock
{
public:
    PipeSignalBlock()
    {
        sigemptyset(&m_pipe);
        sigaddset(&m_pipe, SIGPIPE);
        sigset_t pending;
        sigpending(&pending);
        m_wasPending = sigismember(&pending, SIGPIPE) == 1;
        pthread_sigmask(SIG_BLOCK, &m_pipe, &m_before);
    }

    ~PipeSignalBlock()
    {
        if (!m_wasPending) {
            const timespec now{};
            while (sigtimedwait(&m_pipe, nullptr, &now) == -1 && errno == EINTR) {}
        }
        pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
    }
    PipeSignalBlock(const PipeSignalBlock&) = delete;
    PipeSignalBlock& operator=(const PipeSignalBlock&) = delete;

private:
    sigset_t m_pipe{};
    sigset_t m_before{};
    bool m_wasPending = false;
};

// Makes a stop request visible to poll().
class StopSignal
{
public:
    explicit StopSignal(const std::stop_token& stop)
        : m_event(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
        , m_callback(stop, [this] { eventfd_write(m_event.descriptor(), 1); })
    {}

    int descriptor() const { return m_event.descriptor(); }

private:
    FileHandle m_event;
    std::stop_callback<std::function<void()>> m_callback;
};

Milliseconds leftUntil(Clock::time_point end)
{
    return std::max(Milliseconds(0), std::chrono::ceil<Milliseconds>(end - Clock::now()));
}

int millisecondsUntil(Clock::time_point end)
{
    return static_cast<int>(std::min<std::int64_t>(leftUntil(end).count(), 1'000'000'000));
}

// Everything that can be read now. False once the other side has closed.
template <class Take>
bool readAll(FileHandle& file, Take take)
{
    std::array<char, 65536> piece{};
    for (;;) {
        const ssize_t count = read(file.descriptor(), piece.data(), piece.size());
        if (count > 0) {
            take(std::string_view(piece.data(), static_cast<std::size_t>(count)));
        } else if (count == 0 || (errno != EINTR && errno != EAGAIN)) {
            return false;
        } else if (errno == EAGAIN) {
            return true;
        }
    }
}

// The status of the process once it has ended; nothing if it does not within the time.
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

    // Until all are gone, the time is over, or it is stopped.
    void waitFor(Milliseconds time, const std::stop_token& stop)
    {
        const auto end = Clock::now() + time;
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

// The last words on one line.
std::string oneLine(std::string text)
{
    std::replace(text.begin(), text.end(), '\n', ' ');
    const std::size_t last = text.find_last_not_of(" \r\t");
    return last == std::string::npos ? "" : text.substr(0, last + 1);
}

} // namespace

Result<WorkerProcess> WorkerProcess::start(const std::vector<std::string>& command,
                                           const std::stop_token& stop)
{
    if (command.empty() || command.front().empty()) {
        return Error{"no command is given"};
    }
    dying().waitFor(kReapTime, stop);
    Result<Pipe> input = makePipe();
    Result<Pipe> output = makePipe();
    Result<Pipe> errors = makePipe();
    for (const auto* pipe : {&input, &output, &errors}) {
        if (!*pipe) {
            return pipe->error();
        }
    }
    const int process = SpawnSettings(*input, *output, *errors).spawn(command);
    if (process == 0) {
        return Error{"\"" + command.front() + "\" cannot be started: " + std::strerror(errno)};
    }
    return WorkerProcess(
        process, std::move(input->to), std::move(output->from), std::move(errors->from));
}

WorkerProcess::WorkerProcess(int process, FileHandle input, FileHandle output, FileHandle errors)
    : m_process(process)
    , m_input(std::move(input))
    , m_output(std::move(output))
    , m_errors(std::move(errors))
{
    makeNonBlocking(m_input);
    makeNonBlocking(m_output);
    makeNonBlocking(m_errors);
}

WorkerProcess::WorkerProcess(WorkerProcess&& other) noexcept
    : m_process(std::exchange(other.m_process, -1))
    , m_input(std::move(other.m_input))
    , m_output(std::move(other.m_output))
    , m_errors(std::move(other.m_errors))
    , m_lines(std::move(other.m_lines))
    , m_lastWords(std::move(other.m_lastWords))
    , m_ended(std::move(other.m_ended))
{}

WorkerProcess::~WorkerProcess()
{
    kill();
}

Status WorkerProcess::send(std::string_view line, Milliseconds time)
{
    const PipeSignalBlock block;
    const auto end = Clock::now() + time;
    const std::string bytes = std::string(line) + '\n';
    std::string_view left = bytes;
    while (!left.empty()) {
        const ssize_t count = write(m_input.descriptor(), left.data(), left.size());
        if (count > 0) {
            left.remove_prefix(static_cast<std::size_t>(count));
        } else if (errno == EAGAIN) {
            pollfd writable{.fd = m_input.descriptor(), .events = POLLOUT, .revents = 0};
            if (millisecondsUntil(end) == 0) {
                return Error{"it does not read its input"};
            }
            poll(&writable, 1, millisecondsUntil(end));
        } else if (errno != EINTR) {
            return Error{"it no longer reads its input"};
        }
    }
    return Done{};
}

WorkerProcess::Event WorkerProcess::receive(Milliseconds time, const std::stop_token& stop)
{
    const StopSignal stopped(stop);
    const auto end = Clock::now() + time;
    for (;;) {
        if (std::optional<LineSplitter::Line> line = m_lines.next()) {
            return line->tooLong ? Event(TooLong{}) : Event(Line{std::move(line->text)});
        }
        if (!m_output.isOpen()) {
            return this->end(leftUntil(end));
        }
        if (stop.stop_requested()) {
            return Stopped{};
        }
        std::array<pollfd, 3> files{{{m_output.descriptor(), POLLIN, 0},
                                     {m_errors.descriptor(), POLLIN, 0},
                                     {stopped.descriptor(), POLLIN, 0}}};
        const int ready = poll(files.data(), files.size(), millisecondsUntil(end));
        if (files[1].revents != 0) {
            readErrors();
        }
        if (files[0].revents != 0) {
            readOutput();
        }
        if (ready == 0 && Clock::now() >= end) {
            return Silent{};
        }
    }
}

void WorkerProcess::readOutput()
{
    if (!readAll(m_output, [this](std::string_view piece) { m_lines.add(piece); })) {
        m_output.close();
    }
}

void WorkerProcess::readErrors()
{
    const bool open = readAll(m_errors, [this](std::string_view piece) {
        m_lastWords += piece;
        if (m_lastWords.size() > kLastWords) {
            m_lastWords.erase(0, m_lastWords.size() - kLastWords);
        }
    });
    if (!open) {
        m_errors.close();
    }
}

WorkerProcess::Ended WorkerProcess::end(Milliseconds time)
{
    if (!m_ended) {
        if (m_errors.isOpen()) {
            readErrors();
        }
        m_input.close();
        const std::optional<int> status = reaped(m_process, time);
        if (status) {
            ::kill(-m_process, SIGKILL); // what it left behind in its group
            m_process = -1;
        } else {
            kill();
        }
        const std::string words = oneLine(m_lastWords);
        m_ended = Ended{howItEnded(status) + (words.empty() ? "" : ": " + words)};
    }
    return *m_ended;
}

void WorkerProcess::kill()
{
    if (m_process > 0) {
        ::kill(-m_process, SIGKILL);
        ::kill(m_process, SIGKILL); // should it not lead its group
        dying().add(m_process);
        m_process = -1;
    }
    m_input.close();
}

} // namespace flopsmith
