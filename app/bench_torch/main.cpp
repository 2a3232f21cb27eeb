// SPDX-License-Identifier: MIT
#include "app/bench/shared/program.h"
#include "app/bench_torch/jobs/jobs.h"
#include "core/json/json_text.h"
#include "core/measure/memory.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace {

using namespace flopsmith;

constexpr const char* kHelp =
    R"(Measures transformer operations for flopsmith on what a Python with PyTorch computes on: NVIDIA's and
AMD's GPUs, Intel's, Apple's, or the processor.

usage: flopsmith-bench-torch [options]          reads requests from standard input and writes answers to
                                                standard output, one JSON object per line
       flopsmith-bench-torch --list [--python PYTHON]
                                                the devices that PyTorch sees, the best first, as
                                                one JSON object
       flopsmith-bench-torch --version
       flopsmith-bench-torch --help

  --python PYTHON   a Python with PyTorch 2.0 or later (python3)
  --device DEVICE   as PyTorch calls it: cuda:1, xpu, mps, cpu (the best one)
  --compile         what torch.compile makes of the modules

Try:   echo '{"protocol":1,"type":"describe","id":1}' | flopsmith-bench-torch
)";

struct CommandLine
{
    bench::TorchOptions torch;
    bool lists = false;
    std::vector<char*> others; ///< which every measuring program knows
};

CommandLine parsed(int argc, char** argv)
{
    CommandLine line;
    line.others.push_back(argv[0]);
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        const bool hasValue = i + 1 < argc && *argv[i + 1] != '\0';
        if (word == "--python" && hasValue) {
            line.torch.python = argv[++i];
        } else if (word == "--device" && hasValue) {
            line.torch.device = argv[++i];
        } else if (word == "--compile") {
            line.torch.compiles = true;
        } else if (word == "--list") {
            line.lists = true;
        } else {
            line.others.push_back(argv[i]);
        }
    }
    return line;
}

int listDevices(bench::TorchWorker& worker)
{
    Json answer;
    try {
        Json devices = Json::array();
        for (const auto& [name, title] : worker.facts({}).devices) {
            devices.push_back({{"name", name}, {"title", title}});
        }
        answer["devices"] = devices;
    } catch (const bench::TorchFailure& failure) {
        answer["error"] = failure.what();
    }
    std::puts(jsonText(answer).c_str());
    return answer.contains("error") ? EXIT_FAILURE : EXIT_SUCCESS;
}

Answer answerTo(bench::TorchWorker& worker,
                const Request& request,
                const std::stop_token& stop,
                const bench::Server::Report& report)
{
    if (const auto* describe = std::get_if<DescribeRequest>(&request)) {
        return bench::torchDescribed(worker, *describe, stop);
    }
    if (const auto* peaks = std::get_if<PeaksRequest>(&request)) {
        return bench::torchPeaks(worker, *peaks, stop);
    }
    const auto available = [] { return availableMemoryBytes(); };
    return bench::torchMeasured(worker, std::get<MeasureRequest>(request), stop, report, available);
}

} // namespace

int main(int argc, char** argv)
{
    CommandLine line = parsed(argc, argv);
    bench::TorchWorker worker(line.torch);
    if (line.lists && line.others.size() == 1) {
        return listDevices(worker);
    }
    const bench::Program program{.name = "flopsmith-bench-torch",
                                 .version = bench::torchProgramVersion(),
                                 .help = kHelp,
                                 .answerTo = [&worker](const Request& request,
                                                       const std::stop_token& stop,
                                                       const bench::Server::Report& report) {
                                     return answerTo(worker, request, stop, report);
                                 }};
    return bench::runProgram(program, static_cast<int>(line.others.size()), line.others.data());
}
