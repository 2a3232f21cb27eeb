// SPDX-License-Identifier: MIT
#include "core/protocol/device/device_list.h"

#include "core/base/printable.h"
#include "core/base/text_file.h"
#include "core/json/json_text.h"

#include <algorithm>
#include <system_error>

namespace flopsmith {
namespace {

constexpr int kIndent = 2;

auto positionOf(const std::vector<Device>& devices, std::string_view name)
{
    return std::find_if(devices.begin(), devices.end(), [name](const Device& device) {
        return device.name == name;
    });
}

// The entries of the present file; empty if it is not a list.
Json entriesOf(const std::filesystem::path& file)
{
    std::error_code ignored;
    const Result<std::string> text = std::filesystem::exists(file, ignored)
        ? textOfFile(file.string())
        : Result<std::string>(Error{});
    Json json = text ? ownJson(*text) : Json();
    return json.is_array() ? json : Json::array();
}

// Includes the unknown keys of the device's previous entry.
Json entryOf(const Device& device, const Json& before)
{
    Json entry = Json::object();
    for (const Json& each : before) {
        if (each.is_object() && each.contains("name") && each["name"] == device.name) {
            entry = each;
        }
    }
    entry["name"] = device.name;
    entry["command"] = device.command;
    return entry;
}

std::string textOf(const std::vector<Device>& devices, const Json& before)
{
    Json json = Json::array();
    for (const Device& device : devices) {
        json.push_back(entryOf(device, before));
    }
    return jsonText(json, kIndent) + "\n";
}

} // namespace

std::string textOf(const std::vector<Device>& devices)
{
    return textOf(devices, Json::array());
}

Result<std::vector<Device>> listedDevices(const std::filesystem::path& file)
{
    std::error_code ignored;
    if (file.empty() || !std::filesystem::exists(file, ignored)) {
        return std::vector<Device>{};
    }
    FLOPSMITH_TRY(const std::string text, textOfFile(file.string()));
    return devicesOf(text, file.string());
}

Status saveDevices(const std::vector<Device>& listed, const std::filesystem::path& file)
{
    if (file.empty()) {
        return Error{"there is no place for a list of devices: set HOME or XDG_CONFIG_HOME"};
    }
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    if (error) {
        return Error{file.parent_path().string() + ": cannot be made: " + error.message()};
    }
    return writeFile(file.string(), textOf(listed, entriesOf(file)));
}

bool isOwnDevice(std::string_view name)
{
    return name == kThisCpu || name == kThisGpu;
}

Status validDeviceName(std::string_view name)
{
    if (name.empty()) {
        return Error{"a device needs a name, such as \"GPU box\""};
    }
    if (!isPrintable(name) || name.front() == ' ' || name.back() == ' ') {
        return Error{"the name of a device is one line without blanks at its ends"};
    }
    if (isOwnDevice(name)) {
        return Error{"\"" + std::string(name)
                     + "\" is a device of this program itself; choose another name"};
    }
    return Done{};
}

Result<std::vector<Device>> withDevice(std::vector<Device> listed, const Device& device)
{
    FLOPSMITH_RETURN_IF_ERROR(validDeviceName(device.name));
    if (positionOf(listed, device.name) != listed.end()) {
        return Error{"there is a device \"" + device.name
                     + "\" already; remove it first, or choose another name"};
    }
    if (device.command.empty() || device.command.front().empty()) {
        return Error{"the device \"" + device.name
                     + "\" needs a command that starts its measuring program, such as ssh gpu-box "
                       "flopsmith-bench-cuda"};
    }
    listed.push_back(device);
    return listed;
}

Result<std::vector<Device>> withoutDevice(std::vector<Device> listed, std::string_view name)
{
    const auto found = positionOf(listed, name);
    if (found != listed.end()) {
        listed.erase(found);
        return listed;
    }
    if (isOwnDevice(name)) {
        return Error{"\"" + std::string(name) + "\" belongs to this program and stays"};
    }
    std::string known;
    for (const Device& device : listed) {
        known += (known.empty() ? "\"" : ", \"") + device.name + "\"";
    }
    return Error{"there is no device \"" + excerpt(name) + "\" in the list"
                 + (known.empty() ? ", which is empty" : "; known are " + known)};
}

} // namespace flopsmith
