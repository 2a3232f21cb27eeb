// SPDX-License-Identifier: MIT
#include "core/lab/run/training_device.h"

#include "core/base/printable.h"

namespace flopsmith {
namespace {

// The place of the program's name in a word, if the word ends with it.
std::size_t programAt(const std::string& word)
{
    const std::size_t slash = word.rfind('/');
    const std::size_t begin = slash == std::string::npos ? 0 : slash + 1;
    const std::string name = word.substr(begin);
    return name == "flopsmith-bench" || name == "flopsmith-bench-cuda" ? begin : std::string::npos;
}

} // namespace

Result<std::vector<std::string>> trainingCommand(const Device& device)
{
    if (device.name == kThisGpu) {
        return Error{"labs train on CPUs; on this GPU with --engine torch"};
    }
    for (std::size_t i = device.command.size(); i-- > 0;) {
        const std::size_t begin = programAt(device.command[i]);
        if (begin != std::string::npos) {
            // Words after it are arguments of the measuring program.
            std::vector<std::string> command(device.command.begin(),
                                             device.command.begin() + std::ptrdiff_t(i) + 1);
            command[i] = command[i].substr(0, begin) + "flopsmith-train";
            return command;
        }
    }
    return Error{"the device " + excerpt(device.name)
                 + " names no flopsmith-bench in whose place flopsmith-train could stand; give its "
                   "command by --worker"};
}

} // namespace flopsmith
