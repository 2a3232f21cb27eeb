// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/file_handle.h"
#include "core/base/result.h"
#include "core/protocol/process/child_process.h"
#include "core/protocol/wire/line_splitter.h"

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace flopsmith {

/// A program of its own that reads and writes lines (POSIX). It runs in its own process group, so
/// that this program handles an interrupt from the terminal and a kill reaches everything that the
/// command started. The destructor kills it. One thread uses it at a time.
class WorkerProcess
{
public:
    struct Line
    {
        std::string text;
    };
    struct TooLong
    {}; ///< a line above the limit arrived and was dropped
    struct Silent
    {}; ///< nothing arrived within the time
    struct Stopped
    {}; ///< a stop was requested
    struct Ended
    {
        std::string sentence; ///< how, with the last words of its standard error
    };
    using Event = std::variant<Line, TooLong, Silent, Stopped, Ended>;

    /// `command` is a program and its arguments; the program is looked up in PATH. A command that
    /// cannot be started is an Error; one that starts and dies shows in receive(). Programs that were
    /// killed before have their memory and cores until they are gone: it waits for that, at most a
    /// second or until it is stopped.
    static Result<WorkerProcess> start(const std::vector<std::string>& command,
                                       const std::stop_token& stop = {});

    ~WorkerProcess();
    WorkerProcess(WorkerProcess&& other) noexcept;
    WorkerProcess& operator=(WorkerProcess&&) = delete;

    /// Writes a line and its line feed. An Error if the program does not take it within `time`.
    Status send(std::string_view line, Milliseconds time = Milliseconds(2000));

    /// The next thing that happens within `time`. Lines that arrived before the program ended are
    /// delivered first.
    Event receive(Milliseconds time, const std::stop_token& stop = {});

    /// At once (SIGKILL to the process group), without waiting until it is gone, which takes a program
    /// of some GB its time: the system does the rest.
    void kill();

    /// Its process id; not above 0 once it has ended.
    int id() const { return m_process; }

    /// Whether it has not been seen to end.
    bool isRunning() const { return m_process > 0; }

private:
    WorkerProcess(int process, FileHandle input, FileHandle output, FileHandle errors);

    void readOutput();
    void readErrors();
    Ended end(Milliseconds time);

    int m_process = -1;
    FileHandle m_input; ///< its standard input
    FileHandle m_output;
    FileHandle m_errors;
    LineSplitter m_lines;
    std::string m_lastWords; ///< the end of its standard error
    std::optional<Ended> m_ended;
};

} // namespace flopsmith
