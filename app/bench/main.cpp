// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/jobs/describe.h"
#include "app/bench/jobs/measure.h"
#include "app/bench/jobs/peaks.h"
#include "app/bench/shared/program.h"
#include "core/measure/memory.h"

namespace {

using namespace flopsmith;

constexpr const char* kHelp =
    R"(Measures transformer operations on this CPU for flopsmith.

usage: flopsmith-bench             reads requests from standard input and writes answers to
                                   standard output, one JSON object per line
       flopsmith-bench --version
       flopsmith-bench --help

Try:   echo '{"protocol":1,"type":"describe","id":1}' | flopsmith-bench
)";

Answer answerTo(const Request& request,
                const std::stop_token& stop,
                const bench::Server::Report& report)
{
    if (const auto* describe = std::get_if<DescribeRequest>(&request)) {
        return bench::described(*describe);
    }
    if (const auto* peaks = std::get_if<PeaksRequest>(&request)) {
        return bench::peaks(*peaks, stop);
    }
    return bench::measured(
        std::get<MeasureRequest>(request), stop, report, [] { return availableMemoryBytes(); });
}

} // namespace

int main(int argc, char** argv)
{
    const bench::Program program{.name = "flopsmith-bench",
                                 .version = bench::programVersion(),
                                 .help = kHelp,
                                 .answerTo = answerTo};
    return bench::runProgram(program, argc, argv);
}
