// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

// Other programs as the system sees them (POSIX): starting, ending, being gone.
namespace flopsmith {

using Milliseconds = std::chrono::milliseconds;

/// The time that is left until then; zero once it has passed.
Milliseconds leftUntil(std::chrono::steady_clock::time_point end);

/// Descriptors that a new process gets as its standard input, output and errors.
struct StandardFiles
{
    int input = -1;
    int output = -1;
    int errors = -1;
};

/// Starts a program in a process group of its own, with the signals as a program expects them,
/// whatever this one blocks or ignores. Its process id, or 0 and errno.
int spawn(const std::vector<std::string>& command, const StandardFiles& files);

/// The exit status of the process; nothing if it does not end within the time, or within a second.
std::optional<int> reaped(int process, Milliseconds time);

/// "ended with exit code 3"
std::string howItEnded(std::optional<int> status);

/// Kills a process with its group, without waiting until it is gone.
void killGroup(int process);

/// Waits until all programs that killGroup() ended are gone, of all threads, a second at most or
/// until it is stopped.
void waitForKilled(const std::stop_token& stop);

} // namespace flopsmith
