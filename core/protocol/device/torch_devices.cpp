// SPDX-License-Identifier: MIT
#include "core/protocol/device/torch_devices.h"

#include "core/base/printable.h"
#include "core/json/json_text.h"
#include "core/json/object_reader.h"
#include "core/protocol/process/worker_process.h"

#include <algorithm>
#include <system_error>
#include <utility>
#include <variant>

namespace flopsmith {
namespace {

constexpr const char* kProgram = "flopsmith-bench-torch";
constexpr std::size_t kMaxName = 200;

Result<std::vector<TorchDevice>> devicesIn(const std::string& line)
{
    FLOPSMITH_TRY(const Json json, parsedJson(line, kProgram));
    ObjectReader read(json, kProgram);
    if (read.has("error")) {
        return Error{printable(read.text("error"))};
    }
    std::vector<TorchDevice> devices;
    for (ObjectReader& device : read.objects("devices", 1, 1000)) {
        devices.push_back(
            {printable(device.text("name", kMaxName)), printable(device.text("title", kMaxName))});
    }
    return read.judged(std::move(devices));
}

} // namespace

std::string textOf(const std::vector<TorchDevice>& devices)
{
    std::string text;
    for (const TorchDevice& device : devices) {
        text += (text.empty() ? "" : ", ") + device.name
            + (device.name == "cpu" ? "" : " (" + device.title + ")");
    }
    return text;
}

Result<std::vector<TorchDevice>> torchDevices(const std::string& python,
                                              const std::stop_token& stop,
                                              const std::filesystem::path& folder)
{
    FLOPSMITH_TRY(
        WorkerProcess worker,
        WorkerProcess::start({(folder / kProgram).string(), "--list", "--python", python}, stop));
    const WorkerProcess::Event event = worker.receive(kTorchPatience, stop);
    if (const auto* line = std::get_if<WorkerProcess::Line>(&event)) {
        return devicesIn(line->text);
    }
    const auto* ended = std::get_if<WorkerProcess::Ended>(&event);
    return Error{std::string(kProgram) + " "
                 + (ended != nullptr ? ended->sentence : "gave no answer")};
}

std::vector<std::string> torchCommand(const TorchSetting& setting,
                                      const std::filesystem::path& folder)
{
    std::error_code ignored;
    const bool isPath = setting.python.find('/') != std::string::npos;
    const std::string python = isPath
        ? std::filesystem::absolute(setting.python, ignored).lexically_normal().string()
        : setting.python;
    std::vector<std::string> command{
        (folder / kProgram).string(), "--python", python, "--device", setting.device};
    if (setting.compiles) {
        command.emplace_back("--compile");
    }
    return command;
}

bool measuresByTorch(const Device& device)
{
    return std::ranges::any_of(device.command, [](const std::string& word) {
        return std::filesystem::path(word).filename() == kProgram;
    });
}

} // namespace flopsmith
