// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/protocol/device/device.h"
#include "core/protocol/process/child_process.h"

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

// Devices that a Python with PyTorch computes on, measured by flopsmith-bench-torch.
namespace flopsmith {

struct TorchDevice
{
    std::string name; ///< as PyTorch calls it: "cuda:0"
    std::string title; ///< "NVIDIA GeForce RTX 4070 Laptop GPU"

    bool operator==(const TorchDevice&) const = default;
};

/// "cuda:0 (NVIDIA …), cpu"
std::string textOf(const std::vector<TorchDevice>& devices);

/// Importing PyTorch takes seconds, from a network's file system up to a minute.
inline constexpr Milliseconds kTorchPatience{120'000};

/// What the Python's PyTorch sees, the best first; or the sentence that says why it sees nothing.
Result<std::vector<TorchDevice>> torchDevices(
    const std::string& python,
    const std::stop_token& stop = {},
    const std::filesystem::path& folder = programFolder());

/// How such a device is measured.
struct TorchSetting
{
    std::string python = "python3";
    std::string device; ///< its name
    bool compiles = false; ///< by torch.compile
};

/// The command for a device's entry. A Python that is named by a path keeps it as an absolute one.
std::vector<std::string> torchCommand(const TorchSetting& setting,
                                      const std::filesystem::path& folder = programFolder());

/// Whether a device's command is one of these.
bool measuresByTorch(const Device& device);

} // namespace flopsmith
