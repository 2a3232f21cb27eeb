// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/jobs/describe.h"

#include "core/kernels/cpu/libraries.h"

#include <algorithm>

namespace flopsmith::bench {
namespace {

int usableCores()
{
    static const int kCores = std::max(1, currentEnvironment(1).usableCores);
    return kCores;
}

std::string deviceName(const Environment& environment)
{
    const std::string model = environment.cpuModel.empty() ? environment.architecture + " processor"
                                                           : environment.cpuModel;
    const int cores = usableCores();
    return model + ", " + std::to_string(cores) + (cores == 1 ? " core" : " cores");
}

} // namespace

std::string programVersion()
{
    return "flopsmith-bench " FLOPSMITH_VERSION;
}

int threadsFor(int wanted)
{
    return wanted == 0 ? usableCores() : std::min(wanted, usableCores());
}

Described described(const DescribeRequest& request)
{
    Described described{.id = request.id, .kind = "cpu", .program = programVersion()};
    described.environment = currentEnvironment(threadsFor(0));
    described.environment.warning = cpu::libraryWarning(described.environment.instructionSets);
    described.device = deviceName(described.environment);
    for (const cpu::LibraryVersion& library : cpu::libraryVersions()) {
        described.libraries.push_back({library.name, library.version});
    }
    return described;
}

} // namespace flopsmith::bench
