// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/tables/torch_steps.h"

#include <cstdlib>
#include <utility>

namespace flopsmith::bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr Milliseconds kPatience{300'000}; // importing torch, or many steps

} // namespace

Result<TorchSteps> TorchSteps::start(const std::string& python)
{
    std::string pattern =
        (std::filesystem::temp_directory_path() / "flopsmith-steps-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
        return Error{pattern + ": no folder can be made there"};
    }
    auto worker = WorkerProcess::start({python, FLOPSMITH_TORCH_STEPS});
    if (!worker) {
        std::filesystem::remove_all(pattern);
        return worker.error();
    }
    TorchSteps steps(std::move(worker).value(), pattern);
    const Result<Json> hello = steps.ask({{"do", "hello"}});
    if (!hello) {
        return hello.error();
    }
    steps.m_version = hello->value("torch", "");
    return steps;
}

TorchSteps::TorchSteps(WorkerProcess worker, std::filesystem::path folder)
    : m_worker(std::move(worker))
    , m_folder(std::move(folder))
{}

TorchSteps::~TorchSteps()
{
    std::error_code ignored;
    if (!m_folder.empty()) {
        std::filesystem::remove_all(m_folder, ignored);
    }
}

Result<Json> TorchSteps::ask(const Json& request)
{
    if (const Status sent = m_worker.send(request.dump()); !sent) {
        return sent.error();
    }
    const WorkerProcess::Event event = m_worker.receive(kPatience);
    if (const auto* ended = std::get_if<WorkerProcess::Ended>(&event)) {
        return Error{ended->sentence};
    }
    const auto* line = std::get_if<WorkerProcess::Line>(&event);
    if (line == nullptr) {
        return Error{"torch_steps.py did not answer"};
    }
    Json answer = Json::parse(line->text, nullptr, false);
    if (!answer.is_object()) {
        return Error{"torch_steps.py said \"" + line->text + "\""};
    }
    if (answer.contains("error")) {
        return Error{answer["error"].get<std::string>()};
    }
    return answer;
}

Status TorchSteps::load(const torch::Training& training, int threads)
{
    for (const Status& written : {torch::writeTraining(m_folder, training),
                                  torch::writeTrainingModel(m_folder, training)}) {
        if (!written) {
            return written;
        }
    }
    const auto answer = ask({{"do", "load"}, {"folder", m_folder.string()}, {"threads", threads}});
    return answer ? Status(Done{}) : answer.error();
}

Result<double> TorchSteps::take(int steps)
{
    const Result<Json> answer = ask({{"do", "step"}, {"steps", steps}});
    return answer ? Result<double>((*answer)["wall"].get<double>()) : answer.error();
}

} // namespace flopsmith::bench
