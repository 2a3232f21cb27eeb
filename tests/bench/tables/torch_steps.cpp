// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/tables/torch_steps.h"

#include <utility>

namespace flopsmith::bench {

Result<TorchSteps> TorchSteps::start(const std::string& python)
{
    auto worker = PythonWorker::start(python, FLOPSMITH_TORCH_STEPS);
    if (!worker) {
        return worker.error();
    }
    TorchSteps steps(std::move(worker).value());
    const Result<Json> hello = steps.m_worker.ask({{"do", "hello"}});
    if (!hello) {
        return hello.error();
    }
    steps.m_version = hello->value("torch", std::string());
    return steps;
}

Status TorchSteps::load(const torch::Training& training, int threads)
{
    const std::string& folder = m_worker.folder();
    for (const Status& written :
         {torch::writeTraining(folder, training), torch::writeTrainingModel(folder, training)}) {
        if (!written) {
            return written;
        }
    }
    const auto answer = m_worker.ask({{"do", "load"}, {"folder", folder}, {"threads", threads}});
    return answer ? Status(Done{}) : answer.error();
}

Result<double> TorchSteps::take(int steps)
{
    const Result<Json> answer = m_worker.ask({{"do", "step"}, {"steps", steps}});
    return answer ? Result<double>((*answer)["wall"].get<double>()) : answer.error();
}

} // namespace flopsmith::bench
