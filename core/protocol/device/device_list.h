// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/protocol/device/device.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// The devices that a person adds beside the own ones, and the file that keeps them.
namespace flopsmith {

/// The file's text; devicesOf() reads it back.
std::string textOf(const std::vector<Device>& devices);

/// What the file lists (no file: nothing). A file that cannot be read is an Error.
Result<std::vector<Device>> listedDevices(const std::filesystem::path& file = deviceFile());

/// Replaces the file as a whole, with its folder if there is none. Keys of a device of that name that
/// this program does not know stay. On failure it is as it was.
Status saveDevices(const std::vector<Device>& listed,
                   const std::filesystem::path& file = deviceFile());

/// Whether it is the name of an own device. Measurements there share this machine and would
/// disturb each other.
bool isOwnDevice(std::string_view name);

/// Whether a device may be called so: not empty, on one line, no blank at its ends, not the name
/// of an own device.
Status validDeviceName(std::string_view name);

/// `listed` and one more at its end, or a sentence why not: its name is not valid or taken, or its
/// command names no program.
Result<std::vector<Device>> withDevice(std::vector<Device> listed, const Device& device);

/// `listed` without the device of that name, or a sentence with the names there are.
Result<std::vector<Device>> withoutDevice(std::vector<Device> listed, std::string_view name);

} // namespace flopsmith
