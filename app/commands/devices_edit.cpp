// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/devices_edit.h"

#include "core/protocol/device/command_text.h"
#include "core/protocol/device/device_list.h"

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
    "  flopsmith devices add a100 -- srun --partition gpu --gpus 1 flopsmith-bench-cuda";

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
    auto device = std::make_shared<Device>();
    const ArgumentParser adding = devices.addCommand("add", "Add a device: a name and a command");
    adding.addOption("NAME", device->name, "What --device and the window call it").required();
    adding.addOption("COMMAND", device->command, "Program and arguments, behind --").required();
    adding.footer(kAddFooter);
    adding.callback([device, &chosen] { chosen = [device] { return add(*device); }; });

    auto name = std::make_shared<std::string>();
    const ArgumentParser removing = devices.addCommand("remove", "Take a device off the list");
    removing.addOption("NAME", *name, "As it was added").required();
    removing.callback([name, &chosen] { chosen = [name] { return removeNamed(*name); }; });
}

} // namespace flopsmith::app
