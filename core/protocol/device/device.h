// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// A device that can measure: a command that speaks this folder's protocol on its standard input
/// and output, locally or through ssh or srun.
struct Device
{
    std::string name; ///< "this CPU"
    std::vector<std::string> command; ///< program and arguments

    bool operator==(const Device&) const = default;
};

/// The names of the own devices, reserved for them.
inline constexpr std::string_view kThisCpu = "this CPU";
inline constexpr std::string_view kThisGpu = "this GPU";

/// The folder of the running program, or an empty path if the system does not report it.
std::filesystem::path programFolder();

/// "this CPU", and "this GPU" if its program exists in the folder too.
std::vector<Device> ownDevices(const std::filesystem::path& folder = programFolder());

/// [{"name": "GPU box", "command": ["ssh", "gpu-box", "flopsmith-bench-cuda"]}, …]. `source` names
/// the text in errors. Names are unique and not those of own devices.
Result<std::vector<Device>> devicesOf(std::string_view json, const std::string& source);

/// The file where a person lists more devices: $XDG_CONFIG_HOME/flopsmith/devices.json, or the same
/// under $HOME/.config; empty without either.
std::filesystem::path deviceFile();

/// The own devices and those of the file (no file: none). A file that cannot be read is an Error.
Result<std::vector<Device>> allDevices(const std::filesystem::path& file = deviceFile(),
                                       const std::filesystem::path& folder = programFolder());

/// The device of that name, or an Error with the known names.
Result<Device> deviceNamed(std::string_view name, const std::vector<Device>& devices);

} // namespace flopsmith
