// SPDX-License-Identifier: MIT
#include "app/bench_torch/jobs/torch_worker.h"

#include "core/base/text_file.h"
#include "core/json/json_text.h"
#include "core/json/object_reader.h"

#include <utility>
#include <variant>

namespace flopsmith::bench {
namespace {

constexpr Milliseconds kPatienceToImport{180'000};
constexpr Milliseconds kPatience{600'000}; // torch.compile takes minutes
constexpr Milliseconds kCancelGrace{40}; // a run that is nearly done saves a new start

// The codes that worker.py gives.
FailureCode codeOf(const std::string& name)
{
    if (name == "memory") {
        return FailureCode::memory;
    }
    return name == "bad_operation" ? FailureCode::badOperation : FailureCode::failed;
}

Result<TorchFacts> factsOf(const Json& json)
{
    constexpr std::int64_t kMaxBytes = std::int64_t{1} << 60;
    constexpr int kMaxThreads = 1 << 20;
    ObjectReader read(json, "worker.py");
    TorchFacts facts{.torch = read.text("torch"),
                     .python = read.text("python"),
                     .device = read.text("device"),
                     .title = read.text("title"),
                     .platform = read.text("platform"),
                     .platformVersion = read.textOr("platform_version", ""),
                     .bytes = read.whole("bytes", 0, kMaxBytes),
                     .threads = static_cast<int>(read.whole("threads", 1, kMaxThreads)),
                     .devices = {}};
    for (ObjectReader& device : read.objects("devices")) {
        facts.devices.emplace_back(device.text("name"), device.text("title"));
    }
    return read.judged(std::move(facts));
}

} // namespace

const TorchFacts& TorchWorker::facts(const std::stop_token& stop)
{
    startIfNeeded(stop);
    return m_facts;
}

Json TorchWorker::ask(const Json& request, const std::stop_token& stop)
{
    startIfNeeded(stop);
    if (const Status sent = m_process->send(jsonText(request)); !sent) {
        lose(FailureCode::failed, sent.error().message);
    }
    return received(stop, kPatience);
}

void TorchWorker::drop(int slot)
{
    if (!m_process || slot <= m_slotsBeforeStart) {
        return;
    }
    try {
        (void)ask({{"do", "drop"}, {"slot", slot}}, {});
    } catch (const TorchFailure&) {
        m_process.reset(); // and everything that was loaded with it
    }
}

void TorchWorker::startIfNeeded(const std::stop_token& stop)
{
    if (m_process) {
        return;
    }
    m_folder.reset();
    Result<TemporaryFolder> folder = TemporaryFolder::create("bench-torch");
    if (!folder) {
        lose(FailureCode::failed, folder.error().message);
    }
    m_folder.emplace(std::move(*folder));
    if (const Status written = writeFile(fileNamed("worker.py"), torchWorkerSource()); !written) {
        lose(FailureCode::failed, written.error().message);
    }
    Result<WorkerProcess> process =
        WorkerProcess::start({m_options.python,
                              fileNamed("worker.py"),
                              m_folder->path(),
                              m_options.device,
                              m_options.compiles ? "compiled" : "eager"},
                             stop);
    if (!process) {
        throw TorchFailure(FailureCode::failed, process.error().message);
    }
    m_process.emplace(std::move(*process));
    m_slotsBeforeStart = m_slots;
    const Result<TorchFacts> facts = factsOf(received(stop, kPatienceToImport));
    if (!facts) {
        lose(FailureCode::failed, "it is no Python with PyTorch; " + facts.error().message);
    }
    m_facts = *facts;
}

Json TorchWorker::received(const std::stop_token& stop, Milliseconds time)
{
    const WorkerProcess::Event event = m_process->receive(time, stop);
    if (std::holds_alternative<WorkerProcess::Stopped>(event)) {
        cancel();
    }
    if (const auto* ended = std::get_if<WorkerProcess::Ended>(&event)) {
        lose(FailureCode::failed, "it " + ended->sentence);
    }
    const auto* line = std::get_if<WorkerProcess::Line>(&event);
    if (line == nullptr) {
        lose(FailureCode::failed,
             "it gave no answer within " + std::to_string(time.count() / 1000) + " s");
    }
    Json answer = ownJson(line->text);
    if (!answer.is_object()) {
        lose(FailureCode::failed, "it wrote a line that is no answer of worker.py");
    }
    if (answer.contains("error")) {
        ObjectReader read(answer, "worker.py");
        const FailureCode code = codeOf(read.text("error"));
        const std::string sentence = read.text("sentence");
        if (code == FailureCode::failed) {
            lose(code, sentence); // errors of a device stay with its process
        }
        throw TorchFailure(code, sentence + ".");
    }
    m_deviceBytes = answer.value("device_bytes", m_deviceBytes);
    return answer;
}

void TorchWorker::lose(FailureCode code, const std::string& sentence)
{
    m_process.reset();
    throw TorchFailure(code, m_options.python + ": " + sentence + ".");
}

// A run is never interrupted: without an answer the process is killed, and the next request starts
// another.
void TorchWorker::cancel()
{
    const WorkerProcess::Event event = m_process->receive(kCancelGrace);
    if (!std::holds_alternative<WorkerProcess::Line>(event)) {
        m_process.reset();
    }
    throw TorchFailure(FailureCode::cancelled, "Cancelled.");
}

} // namespace flopsmith::bench
