// SPDX-License-Identifier: MIT
#pragma once

#include "app/bench/shared/server.h"

#include <string>

namespace flopsmith::bench {

/// A measuring program: name, version, help, and its answers to requests.
struct Program
{
    std::string name; ///< "flopsmith-bench"
    std::string version; ///< "flopsmith-bench 0.1.0"
    std::string help;
    Server::Work answerTo;
};

/// Reads requests from standard input and writes answers to standard output, one line each, until
/// the input ends and its jobs are done, or the output has no reader. Also handles --help and
/// --version. Returns the exit code.
int runProgram(const Program& program, int argc, char** argv);

} // namespace flopsmith::bench
