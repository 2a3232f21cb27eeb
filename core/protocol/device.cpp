// SPDX-License-Identifier: MIT
#include "core/protocol/device.h"

#include "core/model/spec_json.h"
#include "core/protocol/json_reader.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <system_error>

namespace flopsmith {
namespace {

using Json = nlohmann::ordered_json;

std::string setting(const char* name)
{
    const char* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): nobody sets any
    return value == nullptr ? "" : value;
}

Result<Device> deviceOf(const Json& json, const std::string& place)
{
    JsonReader read(json, place);
    Device device{.name = read.text("name"), .command = read.texts("command")};
    if (const Status status = read.status(); !status) {
        return status.error();
    }
    if (device.name.empty() || device.command.empty() || device.command.front().empty()) {
        return Error{place + ": a device needs a name and a command with at least its program"};
    }
    return device;
}

Result<std::string> textOf(const std::filesystem::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    if (!stream.good() && !stream.eof()) {
        return Error{file.string() + ": cannot be read"};
    }
    return text;
}

} // namespace

std::filesystem::path programFolder()
{
    std::error_code ignored;
    return std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
}

std::vector<Device> ownDevices(const std::filesystem::path& folder)
{
    std::vector<Device> devices{{"this CPU", {(folder / "flopsmith-bench").string()}}};
    std::error_code ignored;
    if (const auto cuda = folder / "flopsmith-bench-cuda"; std::filesystem::exists(cuda, ignored)) {
        devices.push_back({"this GPU", {cuda.string()}});
    }
    return devices;
}

Result<std::vector<Device>> devicesOf(std::string_view json, const std::string& source)
{
    const Result<Json> parsed = parsedJson(json, source);
    if (!parsed) {
        return parsed.error();
    }
    if (!parsed->is_array()) {
        return Error{source + R"(: expected a list like [{"name": "GPU box", "command": )"
                     + R"(["ssh", "gpu-box", "flopsmith-bench-cuda"]}])"};
    }
    std::vector<Device> devices;
    for (const Json& entry : *parsed) {
        const std::string place = source + "[" + std::to_string(devices.size()) + "]";
        const Result<Device> device = deviceOf(entry, place);
        if (!device) {
            return device.error();
        }
        devices.push_back(*device);
    }
    return devices;
}

std::filesystem::path deviceFile()
{
    std::filesystem::path base = setting("XDG_CONFIG_HOME");
    if (base.empty()) {
        const std::filesystem::path home = setting("HOME");
        base = home.empty() ? home : home / ".config";
    }
    return base.empty() ? base : base / "flopsmith" / "devices.json";
}

Result<std::vector<Device>> allDevices(const std::filesystem::path& file,
                                       const std::filesystem::path& folder)
{
    std::vector<Device> devices = ownDevices(folder);
    std::error_code ignored;
    if (file.empty() || !std::filesystem::exists(file, ignored)) {
        return devices;
    }
    const Result<std::string> text = textOf(file);
    if (!text) {
        return text.error();
    }
    const Result<std::vector<Device>> more = devicesOf(*text, file.string());
    if (!more) {
        return more.error();
    }
    devices.insert(devices.end(), more->begin(), more->end());
    return devices;
}

Result<Device> deviceNamed(std::string_view name, const std::vector<Device>& devices)
{
    std::string known;
    for (const Device& device : devices) {
        if (device.name == name) {
            return device;
        }
        known += (known.empty() ? "\"" : ", \"") + device.name + "\"";
    }
    return Error{"there is no device \"" + std::string(name) + "\"; known are " + known};
}

} // namespace flopsmith
