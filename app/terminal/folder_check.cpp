// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/terminal/folder_check.h"

#include "app/terminal/progress_line.h"
#include "core/base/file_handle.h"
#include "core/protocol/process/child_process.h"
#include "core/protocol/process/interrupt.h"

#include <fcntl.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>

namespace flopsmith::app {
namespace {

constexpr Milliseconds kLongest(600'000);
constexpr Milliseconds kPause(200);

struct CloseFile
{
    void operator()(std::FILE* file) const { std::fclose(file); }
};

using File = std::unique_ptr<std::FILE, CloseFile>; // without a name

std::string contentOf(std::FILE* file)
{
    std::string text;
    std::rewind(file);
    char piece[4096];
    while (const std::size_t count = std::fread(piece, 1, sizeof piece, file)) {
        text.append(piece, count);
    }
    return text;
}

FolderVerdict notRun(const std::string& python, const std::string& why)
{
    return {FolderVerdict::Kind::notRun, python, why};
}

// Where this program's children find it.
void setEnvironment()
{
    for (const std::string& setting : checkingEnvironment()) {
        const std::size_t equals = setting.find('=');
        ::setenv(setting.substr(0, equals).c_str(), // NOLINT(concurrency-mt-unsafe)
                 setting.substr(equals + 1).c_str(),
                 1);
    }
}

// Its exit status; nothing if it was killed because it took too long.
std::optional<int> statusOf(int process, const std::stop_token& stop)
{
    const auto end = std::chrono::steady_clock::now() + kLongest;
    while (!stop.stop_requested() && leftUntil(end) > Milliseconds(0)) {
        if (const std::optional<int> status = reaped(process, kPause)) {
            return status;
        }
    }
    killGroup(process);
    return std::nullopt;
}

FolderVerdict verdictOfScript(const std::string& script, const std::stop_token& stop)
{
    const std::string python = checkingPython();
    const File output(std::tmpfile());
    const File errors(std::tmpfile());
    const FileHandle input(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!output || !errors || !input.isOpen()) {
        return notRun(python, std::strerror(errno)); // NOLINT(concurrency-mt-unsafe)
    }
    const int process = spawn({python, script},
                              {.input = input.descriptor(),
                               .output = fileno(output.get()),
                               .errors = fileno(errors.get())});
    if (process == 0) {
        return notRun("", "there is no " + python);
    }
    const std::optional<int> status = statusOf(process, stop);
    if (!status) {
        return notRun(python, stop.stop_requested() ? "it was stopped" : "it did not end");
    }
    if (!WIFEXITED(*status)) {
        return notRun(python, "the script " + howItEnded(status));
    }
    return verdictOf(
        python, WEXITSTATUS(*status), contentOf(output.get()), contentOf(errors.get()));
}

} // namespace

FolderVerdict checkedFolder(const std::string& folder)
{
    FolderVerdict verdict;
    int signal = 0;
    setEnvironment();
    {
        const Interrupt interrupt;
        const ProgressLine line;
        line.show("checking " + folder + " by " + checkingPython());
        verdict = verdictOfScript(folder + "/check.py", interrupt.token());
        signal = interrupt.signal();
    }
    if (signal != 0) {
        std::raise(signal); // the folder stays; its README says that it was not checked
    }
    return verdict;
}

} // namespace flopsmith::app
