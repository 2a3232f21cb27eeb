// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/tables/python_worker.h"

#include "core/json/json_text.h"

#include <filesystem>
#include <utility>
#include <variant>

namespace flopsmith::bench {
namespace {

constexpr Milliseconds kPatience{300'000}; // importing torch, or minutes of products

} // namespace

Result<PythonWorker> PythonWorker::start(const std::string& python, const std::string& script)
{
    auto folder = TemporaryFolder::create("bench");
    if (!folder) {
        return folder.error();
    }
    auto worker = WorkerProcess::start({python, "-B", script});
    if (!worker) {
        return worker.error();
    }
    return PythonWorker(std::move(folder).value(),
                        std::move(worker).value(),
                        std::filesystem::path(script).filename().string());
}

PythonWorker::PythonWorker(TemporaryFolder folder, WorkerProcess worker, std::string name)
    : m_folder(std::move(folder))
    , m_worker(std::move(worker))
    , m_name(std::move(name))
{}

Result<Json> PythonWorker::ask(const Json& request)
{
    if (const Status sent = m_worker.send(jsonText(request)); !sent) {
        return sent.error();
    }
    const WorkerProcess::Event event = m_worker.receive(kPatience);
    if (const auto* ended = std::get_if<WorkerProcess::Ended>(&event)) {
        return Error{ended->sentence};
    }
    const auto* line = std::get_if<WorkerProcess::Line>(&event);
    if (line == nullptr) {
        return Error{m_name + " did not answer"};
    }
    Json answer = ownJson(line->text);
    if (!answer.is_object()) {
        return Error{m_name + " said \"" + line->text + "\""};
    }
    if (answer.contains("error")) {
        return Error{answer["error"].get<std::string>()};
    }
    return answer;
}

} // namespace flopsmith::bench
