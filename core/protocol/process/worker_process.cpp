// SPDX-License-Identifier: MIT
#include "core/protocol/process/worker_process.h"

#include "core/protocol/process/being_built.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <functional>

namespace flopsmith {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kLastWords = 400;

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

// While it lives, writing to a pipe without a reader is an error of this thread and does not end
// the program.
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

int millisecondsUntil(Clock::time_point end)
{
    return static_cast<int>(std::min<std::int64_t>(leftUntil(end).count(), 1'000'000'000));
}

// Reads the available bytes, with a bound: a program that writes without end must not keep this one
// from checking the clock. False once the other side has closed.
template <class Take>
bool readSome(FileHandle& file, Take take)
{
    constexpr std::size_t kMax = kLongestLine;
    std::array<char, 65536> piece{};
    for (std::size_t taken = 0; taken < kMax;) {
        const ssize_t count = read(file.descriptor(), piece.data(), piece.size());
        if (count > 0) {
            take(std::string_view(piece.data(), static_cast<std::size_t>(count)));
            taken += static_cast<std::size_t>(count);
        } else if (count == 0 || (errno != EINTR && errno != EAGAIN)) {
            return false;
        } else if (errno == EAGAIN) {
            return true;
        }
    }
    return true;
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
    waitForKilled(stop);
    Result<Pipe> input = makePipe();
    Result<Pipe> output = makePipe();
    Result<Pipe> errors = makePipe();
    for (const auto* pipe : {&input, &output, &errors}) {
        if (!*pipe) {
            return pipe->error();
        }
    }
    const int process = spawn(command,
                              {.input = input->from.descriptor(),
                               .output = output->to.descriptor(),
                               .errors = errors->to.descriptor()});
    if (process == 0) {
        const std::string reason = std::strerror(errno);
        if (const std::optional<std::string> building = beingBuiltText(command.front())) {
            return Error{*building};
        }
        return Error{"\"" + command.front() + "\" cannot be started: " + reason};
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
        if (stop.stop_requested()) {
            return Stopped{};
        }
        if (std::optional<LineSplitter::Line> line = m_lines.next()) {
            return line->tooLong ? Event(TooLong{}) : Event(Line{std::move(line->text)});
        }
        if (!m_output.isOpen()) {
            return this->end(leftUntil(end));
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
    if (!readSome(m_output, [this](std::string_view piece) { m_lines.add(piece); })) {
        m_output.close();
    }
}

void WorkerProcess::readErrors()
{
    const bool open = readSome(m_errors, [this](std::string_view piece) {
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
            ::kill(-m_process, SIGKILL); // the remaining processes of its group
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
        killGroup(m_process);
        m_process = -1;
    }
    m_input.close();
}

} // namespace flopsmith
