// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/devices_edit.h"

#include "core/protocol/device/command_text.h"
#include "core/protocol/device/device_list.h"
#include "core/protocol/device/torch_devices.h"
#include "core/protocol/process/interrupt.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace flopsmith::app {
namespace {

constexpr const char* kAddFooter =
    "What stands behind -- is started whenever the device is asked, without a shell in between.\n"
    "It must speak the protocol on its standard input and output, as flopsmith-bench and\n"
    "flopsmith-bench-cuda do.\n\n"
    "  flopsmith devices add \"GPU box\" -- ssh -o BatchMode=yes gpu-box flopsmith-bench-cuda\n"
    "  flopsmith devices add a100 -- srun --partition gpu --gpus 1 flopsmith-bench-cuda\n\n"
    "With --torch it is what a Python with PyTorch 2.0 or later computes on: a GPU of NVIDIA, "
    "AMD,\n"
    "Intel or Apple, or the processor.\n\n"
    "  flopsmith devices add \"laptop GPU\" --torch\n"
    "  flopsmith devices add second --torch ~/venv/bin/python --torch-device cuda:1 --compile";

struct NewDevice
{
    Device device;
    std::string python; ///< with PyTorch; empty: the device is a command
    TorchSetting torch;
};

Outcome saved(const Result<std::vector<Device>>& listed, const std::string& sentence)
{
    if (!listed) {
        return Outcome::badInput({"devices: " + listed.error().message});
    }
    if (const Status status = saveDevices(*listed); !status) {
        return Outcome::badInput(status.error());
    }
    return Outcome::success(sentence + "\n");
}

Outcome add(const Device& device)
{
    Result<std::vector<Device>> listed = listedDevices();
    if (!listed) {
        return Outcome::badInput(listed.error());
    }
    return saved(withDevice(std::move(*listed), device),
                 "added \"" + device.name + "\": " + commandText(device.command)
                     + "\nwhether it answers: flopsmith devices");
}

// The device of that name, or the best one.
Result<TorchDevice> deviceAmong(const std::vector<TorchDevice>& seen, const std::string& name)
{
    const auto found = std::ranges::find_if(seen, [&](const TorchDevice& device) {
        return name.empty() || device.name == name || device.name == name + ":0";
    });
    if (found == seen.end()) {
        return Error{"--torch-device: PyTorch sees no " + name + "; it sees " + textOf(seen)};
    }
    return *found;
}

// PyTorch is asked first, so that no entry is added that cannot measure.
Outcome addTorch(NewDevice added)
{
    if (const Status valid = validDeviceName(added.device.name); !valid) {
        return Outcome::badInput({"devices: " + valid.error().message});
    }
    const Interrupt interrupt;
    const Result<std::vector<TorchDevice>> seen = torchDevices(added.python, interrupt.token());
    const Result<TorchDevice> device =
        seen ? deviceAmong(*seen, added.torch.device) : Result<TorchDevice>(seen.error());
    if (!device) {
        return Outcome::badInput(device.error());
    }
    added.torch.python = added.python;
    added.torch.device = device->name;
    added.device.command = torchCommand(added.torch);
    Outcome outcome = add(added.device);
    outcome.notes.push_back("it measures on " + textOf(std::vector<TorchDevice>{*device})
                            + "; PyTorch sees " + textOf(*seen));
    return outcome;
}

Outcome addEither(const NewDevice& device)
{
    if (device.device.command.empty() == device.python.empty()) {
        return Outcome::failure(ExitCode::wrongUsage,
                                "devices add: expected either a COMMAND behind -- or --torch (see "
                                "flopsmith help devices add)");
    }
    return device.python.empty() ? add(device.device) : addTorch(device);
}

Outcome removeNamed(const std::string& name)
{
    Result<std::vector<Device>> listed = listedDevices();
    if (!listed) {
        return Outcome::badInput(listed.error());
    }
    return saved(withoutDevice(std::move(*listed), name), "removed \"" + name + "\"");
}

} // namespace

void addDeviceEditing(ArgumentParser devices, Command& chosen)
{
    auto device = std::make_shared<NewDevice>();
    const ArgumentParser adding = devices.addCommand("add", "Add a device: a name and a command");
    adding.addOption("NAME", device->device.name, "What --device and the window call it")
        .required();
    adding.addOption("COMMAND", device->device.command, "Program and arguments, behind --");
    const Option torch =
        adding.addOption("--torch", device->python, "Measure with this Python's PyTorch")
            .typeName("PYTHON")
            .valueIfAlone("python3");
    adding
        .addOption("--torch-device",
                   device->torch.device,
                   "Which of several devices: cuda:1, xpu, mps, cpu (default: the best)")
        .typeName("DEVICE")
        .needs(torch);
    adding.addFlag("--compile", device->torch.compiles, "With torch.compile").needs(torch);
    adding.footer(kAddFooter);
    adding.callback([device, &chosen] { chosen = [device] { return addEither(*device); }; });

    auto name = std::make_shared<std::string>();
    const ArgumentParser removing = devices.addCommand("remove", "Take a device off the list");
    removing.addOption("NAME", *name, "As it was added").required();
    removing.callback([name, &chosen] { chosen = [name] { return removeNamed(*name); }; });
}

} // namespace flopsmith::app
