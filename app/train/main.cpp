// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fast/fast_engine.h"
#include "core/lab/run/run_control.h"
#include "core/lab/run/worker_run.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <string>
#include <string_view>
#include <thread>

namespace {

using namespace flopsmith;

constexpr const char* kHelp =
    R"(Trains one run of a lab on one core of this CPU, for flopsmith lab run.

usage: flopsmith-train             reads a run, one JSON object on one line, from standard input
                                   and writes the lines of its log to standard output; then
                                   "pause", "resume" and "step" (one and no further), and
                                   "stop", or the end of the input, which saves the run
       flopsmith-train --version
       flopsmith-train --help
)";

constexpr double kProgressEvery = 0.1; ///< seconds

// False if the reader has closed.
bool writeOut(std::string_view text)
{
    while (!text.empty()) {
        const ssize_t count = ::write(STDOUT_FILENO, text.data(), text.size());
        if (count > 0) {
            text.remove_prefix(static_cast<std::size_t>(count));
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

// Obeys the lines of the input until "stop", or the end of the input.
void follow(std::stop_source stop, RunControl& control)
{
    std::string line;
    while (std::getline(std::cin, line) && line != kStopLine) {
        obey(line, control);
    }
    stop.request_stop();
}

int train(const RunJob& job)
{
    std::stop_source stop;
    static RunControl control; // of the thread, which waits for input until the program ends
    if (job.paused) {
        control.pause();
    }
    std::thread(follow, stop, std::ref(control)).detach();
    const Clock clock = steadyClock();
    double shown = 0.0;
    const RunSink sink{.write =
                           [](const LogLine& line) {
                               return writeOut(line.text())
                                   ? Status(Done{})
                                   : Error{"nobody reads the log of the run"};
                           },
                       .progress =
                           [&](const RunProgress& progress) {
                               if (const double now = clock(); now - shown >= kProgressEvery) {
                                   shown = now;
                                   writeOut(progressLine(progress));
                               }
                           }};
    const Engines engines{.float32 = fastEngine(cpu::Threads{1})};
    const Result<LabEnd> end = trainRun(job, engines, sink, clock, stop.get_token(), &control);
    writeOut(end ? endedLine(*end) : errorLine(end.error()));
    return end ? EXIT_SUCCESS : EXIT_FAILURE;
}

int readAndTrain()
{
    std::signal(SIGPIPE, SIG_IGN);
    std::string line;
    if (!std::getline(std::cin, line)) {
        std::fputs("flopsmith-train: no run came on standard input\n", stderr);
        return 2;
    }
    const Result<RunJob> job = jobOfLine(line);
    if (!job) {
        writeOut(errorLine(job.error()));
        return EXIT_FAILURE;
    }
    const int status = train(*job);
    std::_Exit(status); // without waiting for the thread that reads
}

} // namespace

int main(int argc, char** argv)
{
    const std::string_view option = argc > 1 ? argv[1] : "";
    if (argc == 1) {
        return readAndTrain();
    }
    if (argc == 2 && option == "--version") {
        std::puts("flopsmith-train " FLOPSMITH_VERSION);
        return EXIT_SUCCESS;
    }
    if (argc == 2 && (option == "--help" || option == "-h")) {
        std::fputs(kHelp, stdout);
        return EXIT_SUCCESS;
    }
    std::fprintf(stderr,
                 "flopsmith-train: it takes no arguments but --help and --version, found \"%s\"\n",
                 argv[1]);
    return 2;
}
