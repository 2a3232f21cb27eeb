// SPDX-License-Identifier: MIT
#include "core/protocol/device/device.h"

#include "core/base/printable.h"
#include "core/base/user_folder.h"
#include "core/json/json_text.h"
#include "core/json/object_reader.h"
#include "core/protocol/device/device_list.h"

#include <system_error>
#include <utility>

namespace flopsmith {
namespace {

Result<Device> deviceOf(const Json& json, const std::string& place)
{
    ObjectReader read(json, place);
    return read.judged(Device{.name = read.text("name"), .command = read.texts("command")});
}

} // namespace

std::filesystem::path programFolder()
{
    std::error_code ignored;
    return std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
}

std::vector<Device> ownDevices(const std::filesystem::path& folder)
{
    std::vector<Device> devices{{std::string(kThisCpu), {(folder / "flopsmith-bench").string()}}};
    std::error_code ignored;
    if (const auto cuda = folder / "flopsmith-bench-cuda"; std::filesystem::exists(cuda, ignored)) {
        devices.push_back({std::string(kThisGpu), {cuda.string()}});
    }
    return devices;
}

Result<std::vector<Device>> devicesOf(std::string_view json, const std::string& source)
{
    FLOPSMITH_TRY(const Json parsed, parsedJson(json, source));
    if (!parsed.is_array()) {
        return Error{source + R"(: expected a list like [{"name": "GPU box", "command": )"
                     + R"(["ssh", "gpu-box", "flopsmith-bench-cuda"]}])"};
    }
    std::vector<Device> devices;
    for (const Json& entry : parsed) {
        const std::string place = source + "[" + std::to_string(devices.size()) + "]";
        FLOPSMITH_TRY(const Device device, deviceOf(entry, place));
        Result<std::vector<Device>> more = withDevice(std::move(devices), device);
        if (!more) {
            return Error{place + ": " + more.error().message};
        }
        devices = std::move(*more);
    }
    return devices;
}

std::filesystem::path deviceFile()
{
    const std::filesystem::path base = userFolder("XDG_CONFIG_HOME", ".config");
    return base.empty() ? base : base / "flopsmith" / "devices.json";
}

Result<std::vector<Device>> allDevices(const std::filesystem::path& file,
                                       const std::filesystem::path& folder)
{
    std::vector<Device> devices = ownDevices(folder);
    FLOPSMITH_TRY(const std::vector<Device> more, listedDevices(file));
    devices.insert(devices.end(), more.begin(), more.end());
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
    return Error{"there is no device \"" + excerpt(name) + "\"; known are " + known};
}

} // namespace flopsmith
