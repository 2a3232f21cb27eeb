// SPDX-License-Identifier: MIT
#include "app/bench/shared/program.h"

#include "core/base/threads.h"
#include "core/protocol/wire/line_splitter.h"
#include "core/protocol/wire/wire.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace flopsmith::bench {
namespace {

constexpr int kWatchMilliseconds = 100;

// The reader is gone: exits without cleaning up after a running job.
[[noreturn]] void leave()
{
    std::_Exit(EXIT_SUCCESS);
}

void writeLine(const Answer& answer)
{
    const std::string line = lineOf(answer) + '\n';
    std::string_view left = line;
    while (!left.empty()) {
        const ssize_t count = ::write(STDOUT_FILENO, left.data(), left.size());
        if (count > 0) {
            left.remove_prefix(static_cast<std::size_t>(count));
        } else if (errno != EINTR) {
            leave();
        }
    }
}

// Waits for input, or until the output pipe has no reader.
void awaitInput()
{
    std::array<pollfd, 2> files{{{STDIN_FILENO, POLLIN, 0}, {STDOUT_FILENO, 0, 0}}};
    while (files[0].revents == 0) {
        if (::poll(files.data(), files.size(), -1) > 0 && files[1].revents != 0) {
            leave();
        }
    }
}

void readLines(Server& server)
{
    LineSplitter lines;
    std::array<char, 65536> piece{};
    for (;;) {
        awaitInput();
        const ssize_t count = ::read(STDIN_FILENO, piece.data(), piece.size());
        if (count < 0 && errno == EINTR) {
            continue;
        }
        const bool ended = count <= 0;
        if (!ended) {
            lines.add({piece.data(), static_cast<std::size_t>(count)});
        }
        for (auto line = lines.next(); line; line = lines.next()) {
            line->tooLong ? server.acceptTooLong() : server.accept(line->text);
        }
        if (ended) {
            if (const auto line = lines.rest()) {
                line->tooLong ? server.acceptTooLong() : server.accept(line->text);
            }
            server.close();
            return;
        }
    }
}

// After the end of the input, a long run must not outlive the reader of its result: poll() reports
// an error on a pipe without a reader.
void watchOutput(const std::atomic<bool>& done)
{
    while (!done) {
        pollfd output{.fd = STDOUT_FILENO, .events = 0, .revents = 0};
        if (::poll(&output, 1, kWatchMilliseconds) > 0 && (output.revents & POLLERR) != 0) {
            leave();
        }
    }
}

int serve(const Server::Work& answerTo)
{
    std::signal(SIGPIPE, SIG_IGN);
    Server server(answerTo, writeLine);
    std::atomic<bool> done = false;
    std::vector<std::jthread> reader;
    const Status started = startThread(reader, [&] {
        readLines(server);
        watchOutput(done);
    });
    if (!started) {
        std::fprintf(stderr, "%s\n", started.error().message.c_str());
        return EXIT_FAILURE;
    }
    server.work();
    done = true;
    return EXIT_SUCCESS;
}

} // namespace

int runProgram(const Program& program, int argc, char** argv)
{
    const std::string_view option = argc > 1 ? argv[1] : "";
    if (argc == 1) {
        return serve(program.answerTo);
    }
    if (argc == 2 && option == "--version") {
        std::puts(program.version.c_str());
        return EXIT_SUCCESS;
    }
    if (argc == 2 && (option == "--help" || option == "-h")) {
        std::fputs(program.help.c_str(), stdout);
        return EXIT_SUCCESS;
    }
    std::fprintf(stderr,
                 "%s: it takes no arguments but --help and --version, found \"%s\"\n",
                 program.name.c_str(),
                 argv[1]);
    return 2;
}

} // namespace flopsmith::bench
