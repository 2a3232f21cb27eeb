// SPDX-License-Identifier: MIT
#include "app/bench_torch/jobs/jobs.h"
#include "core/base/text.h"

#include <algorithm>
#include <cctype>

namespace flopsmith::bench {
namespace {

constexpr double kCompileSeconds = 600.0; // torch.compile takes minutes on a slow processor

std::string platformText(const TorchFacts& facts)
{
    return facts.platform + (facts.platformVersion.empty() ? "" : " " + facts.platformVersion);
}

std::string kindOf(const TorchFacts& facts)
{
    std::string kind = facts.platform;
    std::transform(kind.begin(), kind.end(), kind.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    return kind;
}

// As flopsmith-bench calls a processor.
std::string processorName(const Environment& environment)
{
    const std::string model = environment.cpuModel.empty() ? environment.architecture + " processor"
                                                           : environment.cpuModel;
    const int cores = std::max(1, environment.usableCores);
    return model + ", " + std::to_string(cores) + (cores == 1 ? " core" : " cores");
}

std::string modeName(const TorchOptions& options)
{
    return options.compiles ? "compiled" : "eager";
}

// Eager and compiled are two devices: results of one are not outdated by those of the other, nor are
// those of this processor's own kernels.
std::string deviceName(const TorchFacts& facts,
                       const TorchOptions& options,
                       const Environment& environment)
{
    const std::string memory =
        facts.bytes > 0 ? ", " + bytesText(static_cast<double>(facts.bytes)) : "";
    return (facts.isCpu() ? processorName(environment) : facts.title + memory) + ", PyTorch "
        + modeName(options);
}

} // namespace

std::string torchProgramVersion()
{
    return "flopsmith-bench-torch " FLOPSMITH_VERSION;
}

Answer torchDescribed(TorchWorker& worker,
                      const DescribeRequest& request,
                      const std::stop_token& stop)
{
    try {
        const TorchFacts& facts = worker.facts(stop);
        Described described{.id = request.id, .kind = kindOf(facts)};
        described.program = "PyTorch " + facts.torch + ", " + modeName(worker.options()) + ", "
            + platformText(facts);
        described.libraries = {{"flopsmith-bench-torch", FLOPSMITH_VERSION},
                               {"Python", facts.python}};
        described.environment =
            currentEnvironment(facts.isCpu() ? std::max(1, currentEnvironment(1).usableCores) : 1);
        described.preparingSeconds = worker.options().compiles ? kCompileSeconds : 0.0;
        described.device = deviceName(facts, worker.options(), described.environment);
        return described;
    } catch (const TorchFailure& failure) {
        return Failure{request.id, failure.code(), failure.what()};
    }
}

} // namespace flopsmith::bench
