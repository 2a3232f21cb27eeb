// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/protocol/device/device.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// The devices that a person adds to the own ones, and their file.
namespace flopsmith {

/// The file's text; devicesOf() reads it back.
std::string textOf(const std::vector<Device>& devices);

/// The devices in the file (no file: none). A file that cannot be read is an Error.
Result<std::vector<Device>> listedDevices(const std::filesystem::path& file = deviceFile());

/// Replaces the file as a whole, and creates its folder if necessary. Unknown keys of a device of
/// the same name are kept. On failure the file is unchanged.
Status saveDevices(const std::vector<Device>& listed,
                   const std::filesystem::path& file = deviceFile());

/// Whether it is the name of an own device. Measurements there share this machine and would
/// disturb each other.
bool isOwnDevice(std::string_view name);

/// Whether the name is valid: not empty, on one line, without blanks at its ends, not an own
/// device's.
Status validDeviceName(std::string_view name);

/// `listed` with one more device at its end; an Error if its name is invalid or taken, or its
/// command names no program.
Result<std::vector<Device>> withDevice(std::vector<Device> listed, const Device& device);

/// `listed` without the device of that name, or a sentence with the names there are.
Result<std::vector<Device>> withoutDevice(std::vector<Device> listed, std::string_view name);

} // namespace flopsmith
