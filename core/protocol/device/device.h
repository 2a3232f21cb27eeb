// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// Something that can measure: a command that speaks the protocol of this folder on its standard
/// input and output, here or behind ssh or srun.
struct Device
{
    std::string name; ///< "this CPU"
    std::vector<std::string> command; ///< program and arguments

    bool operator==(const Device&) const = default;
};

/// The names of the own devices; no other may be called so.
inline constexpr std::string_view kThisCpu = "this CPU";
inline constexpr std::string_view kThisGpu = "this GPU";

/// Where the running program stands, or an empty path if the system does not say.
std::filesystem::path programFolder();

/// "this CPU", and "this GPU" if its program stands in the folder as well.
std::vector<Device> ownDevices(const std::filesystem::path& folder = programFolder());

/// [{"name": "GPU box", "command": ["ssh", "gpu-box", "flopsmith-bench-cuda"]}, …]. `source`
/// names the text in errors. Names are given once, and none is that of an own device.
Result<std::vector<Device>> devicesOf(std::string_view json, const std::string& source);

/// Where a person lists more devices: $XDG_CONFIG_HOME/flopsmith/devices.json, or the same under
/// $HOME/.config; empty without either.
std::filesystem::path deviceFile();

/// The own devices and those of the file (no file: none). A file that cannot be read is an Error.
Result<std::vector<Device>> allDevices(const std::filesystem::path& file = deviceFile(),
                                       const std::filesystem::path& folder = programFolder());

/// The device of that name, or a sentence with the known names.
Result<Device> deviceNamed(std::string_view name, const std::vector<Device>& devices);

} // namespace flopsmith
