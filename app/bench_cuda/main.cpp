// SPDX-License-Identifier: MIT
#include "app/bench/shared/program.h"
#include "app/bench_cuda/jobs/jobs.h"
#include "core/measure/memory.h"

namespace {

using namespace flopsmith;

constexpr const char* kHelp =
    R"(Measures transformer operations on an NVIDIA GPU for flopsmith.

usage: flopsmith-bench-cuda        reads requests from standard input and writes answers to
                                   standard output, one JSON object per line
       flopsmith-bench-cuda --version
       flopsmith-bench-cuda --help

It uses the first GPU; CUDA_VISIBLE_DEVICES chooses another one.

Try:   echo '{"protocol":1,"type":"describe","id":1}' | flopsmith-bench-cuda
)";

Answer answerTo(const Request& request,
                const std::stop_token& stop,
                const bench::Server::Report& report)
{
    if (const auto* describe = std::get_if<DescribeRequest>(&request)) {
        return bench::cudaDescribed(*describe);
    }
    if (const auto* peaks = std::get_if<PeaksRequest>(&request)) {
        return bench::cudaPeaks(*peaks, stop);
    }
    return bench::cudaMeasured(
        std::get<MeasureRequest>(request), stop, report, [] { return availableMemoryBytes(); });
}

} // namespace

int main(int argc, char** argv)
{
    const bench::Program program{.name = "flopsmith-bench-cuda",
                                 .version = bench::cudaProgramVersion(),
                                 .help = kHelp,
                                 .answerTo = answerTo};
    return bench::runProgram(program, argc, argv);
}
