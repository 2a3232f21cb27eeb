// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/protocol/process/worker_process.h"
#include "core/torch/training_folder.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

namespace flopsmith::bench {

/// torch_steps.py in a Python of its own: training steps of exported models. They travel through a
/// folder that the destructor removes.
class TorchSteps
{
public:
    /// An Error when the Python is not there or has no torch.
    static Result<TorchSteps> start(const std::string& python);

    ~TorchSteps();
    TorchSteps(TorchSteps&&) noexcept = default;
    TorchSteps& operator=(TorchSteps&&) = delete;

    const std::string& version() const { return m_version; }

    Status load(const torch::Training& training, int threads);

    /// Seconds of so many steps.
    Result<double> take(int steps);

private:
    TorchSteps(WorkerProcess worker, std::filesystem::path folder);

    Result<nlohmann::ordered_json> ask(const nlohmann::ordered_json& request);

    WorkerProcess m_worker;
    std::filesystem::path m_folder;
    std::string m_version;
};

} // namespace flopsmith::bench
