// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/lab_executors.h"

#include "core/base/printable.h"
#include "core/lab/run/training_device.h"
#include "core/lab/run/worker_run.h"
#include "core/measure/environment.h"
#include "core/protocol/device/command_text.h"
#include "core/protocol/device/device.h"
#include "core/torch/torch_run.h"

#include <algorithm>
#include <thread>

namespace flopsmith::app {
namespace {

constexpr int kMaxJobs = 1'024;

std::string joined(const std::vector<std::string>& words)
{
    std::string text;
    for (const std::string& word : words) {
        text += (text.empty() ? "" : ", ") + word;
    }
    return text;
}

Result<std::vector<std::string>> commandNamed(const std::string& option, const std::string& text)
{
    Result<std::vector<std::string>> command = commandOf(text);
    if (!command || command->empty()) {
        return Error{option + " " + excerpt(text) + ": "
                     + (command ? "a command is needed" : command.error().message)};
    }
    return command;
}

} // namespace

void LabExecutorOptions::addTo(ArgumentParser run)
{
    const Option sideBySide = run.addOption(
        "-j,--jobs",
        m_sideBySide,
        "Runs at once; default: one per core, each on one thread; with --engine torch 1, "
        "and the runs share all cores");
    const Option workers =
        run.addOption("--worker",
                      m_workers,
                      "A command that trains a run, as ssh box flopsmith-train; may be repeated")
            .typeName("COMMAND")
            .excludes(sideBySide);
    const Option devices =
        run.addOption("--device",
                      m_devices,
                      "Machines of flopsmith devices; each trains one run at a time, on its CPU; "
                      "named twice, two")
            .typeName("NAME,\xE2\x80\xA6")
            .delimiter(',')
            .oneValuePerUse()
            .excludes(sideBySide)
            .excludes(workers);
    const Option reference =
        run.addFlag("--reference", m_reference, "By the reference kernels, in this process")
            .excludes(workers)
            .excludes(devices);
    const Option engine =
        run.addOption("--engine", m_engine, "Who trains: the CPU kernels, or PyTorch")
            .oneOf({"cpu", "torch"})
            .showDefault()
            .excludes(workers)
            .excludes(devices)
            .excludes(reference);
    run.addOption("--torch",
                  m_torch,
                  "The Python of --engine torch, or a command as 'torchrun --nproc-per-node 2'")
        .typeName("COMMAND")
        .showDefault()
        .needs(engine);
}

int LabExecutorOptions::runsSideBySide() const
{
    if (!m_workers.empty() || !m_devices.empty()) {
        return static_cast<int>(std::max(m_workers.size(), m_devices.size()));
    }
    if (m_engine == "torch") {
        return m_sideBySide.value_or(1); // a GPU serves one after the other
    }
    const auto cores = static_cast<int>(std::thread::hardware_concurrency());
    return m_sideBySide.value_or(std::max(1, cores));
}

std::string LabExecutorOptions::machineName() const
{
    const Environment here = currentEnvironment(1);
    const std::string own = here.cpuModel.empty() ? "this machine" : here.cpuModel;
    const std::string name = m_devices.empty() ? own : joined(m_devices);
    const int runs = runsSideBySide();
    return name + (runs > 1 ? ", " + std::to_string(runs) + " runs side by side" : "")
        + (m_reference ? ", reference kernels" : "") + (m_engine == "torch" ? ", PyTorch" : "");
}

Result<std::vector<RunExecutor>> LabExecutorOptions::executors() const
{
    if (runsSideBySide() < 1 || runsSideBySide() > kMaxJobs) {
        return Error{"--jobs must be 1 \xE2\x80\xA6 " + std::to_string(kMaxJobs)};
    }
    const auto count = static_cast<std::size_t>(runsSideBySide());
    if (m_reference) {
        return std::vector<RunExecutor>(count, executorHere(Engines{}));
    }
    if (m_engine == "torch") {
        return byTorch();
    }
    if (!m_devices.empty()) {
        return onDevices();
    }
    if (!m_workers.empty()) {
        return byWorkers();
    }
    const std::string own = (programFolder() / "flopsmith-train").string();
    return std::vector<RunExecutor>(count, executorInProcess({own}));
}

Result<std::vector<RunExecutor>> LabExecutorOptions::onDevices() const
{
    FLOPSMITH_TRY(const std::vector<Device> known, allDevices());
    std::vector<RunExecutor> all;
    for (const std::string& name : m_devices) {
        const Result<Device> device = deviceNamed(name, known);
        const Result<std::vector<std::string>> command =
            device ? trainingCommand(*device) : device.error();
        if (!command) {
            return Error{"--device " + excerpt(name) + ": " + command.error().message};
        }
        all.push_back(executorInProcess(*command));
    }
    return all;
}

Result<std::vector<RunExecutor>> LabExecutorOptions::byTorch() const
{
    FLOPSMITH_TRY(const std::vector<std::string> words, commandNamed("--torch", m_torch));
    const auto count = static_cast<std::size_t>(runsSideBySide());
    const auto cores = static_cast<int>(std::thread::hardware_concurrency());
    const torch::TorchCommand command{.words = words,
                                      .threads = std::max(1, cores / runsSideBySide())};
    FLOPSMITH_RETURN_IF_ERROR(torch::hasTorch(command));
    return std::vector<RunExecutor>(count, torch::executorByTorch(command));
}

Result<std::vector<RunExecutor>> LabExecutorOptions::byWorkers() const
{
    std::vector<RunExecutor> all;
    for (const std::string& worker : m_workers) {
        FLOPSMITH_TRY(const std::vector<std::string> command, commandNamed("--worker", worker));
        all.push_back(executorInProcess(command));
    }
    return all;
}

} // namespace flopsmith::app
