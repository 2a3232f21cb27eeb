// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/torch/training_folder.h"
#include "tests/bench/tables/python_worker.h"

#include <string>
#include <utility>

namespace flopsmith::bench {

/// torch_steps.py in a Python of its own: training steps of exported models.
class TorchSteps
{
public:
    /// An Error when the Python is not there or has no torch.
    static Result<TorchSteps> start(const std::string& python);

    const std::string& version() const { return m_version; }

    Status load(const torch::Training& training, int threads);

    /// Seconds of so many steps.
    Result<double> take(int steps);

private:
    explicit TorchSteps(PythonWorker worker)
        : m_worker(std::move(worker))
    {}

    PythonWorker m_worker;
    std::string m_version;
};

} // namespace flopsmith::bench
