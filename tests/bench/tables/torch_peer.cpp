// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/tables/torch_peer.h"

#include "core/json/spec_json.h"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>

namespace flopsmith::bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr Milliseconds kPatience{300'000}; // importing torch, or minutes of products

template <class T>
Status writeFile(const std::string& path, const std::vector<std::span<const T>>& parts)
{
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    for (const std::span<const T> part : parts) {
        file.write(reinterpret_cast<const char*>(part.data()),
                   static_cast<std::streamsize>(part.size_bytes()));
    }
    file.close();
    if (!file) {
        return Error{path + ": cannot be written; is there room for it?"};
    }
    return Done{};
}

Result<std::vector<float>> floatsOf(const std::string& path)
{
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file) {
        return Error{path + ": cannot be read"};
    }
    std::vector<float> values(static_cast<std::size_t>(file.tellg()) / sizeof(float));
    file.seekg(0);
    file.read(reinterpret_cast<char*>(values.data()),
              static_cast<std::streamsize>(values.size() * sizeof(float)));
    return values;
}

// {"kind", "spec", "d_model", …} as the wire has it; a peer needs no sizes but d_model.
Json operationJson(const Case& each, int dModel)
{
    Operation operation;
    operation.what = each.what;
    operation.dModel = dModel;
    return toJson(operation);
}

PeerSeconds secondsOf(const Json& answer)
{
    return {answer["wall"].get<double>(), answer["processor"].get<double>()};
}

} // namespace

Result<TorchPeer> TorchPeer::start(const std::string& python)
{
    std::string pattern =
        (std::filesystem::temp_directory_path() / "flopsmith-bench-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
        return Error{pattern + ": no folder can be made there"};
    }
    auto worker = WorkerProcess::start({python, FLOPSMITH_TORCH_PEER});
    if (!worker) {
        std::filesystem::remove_all(pattern);
        return worker.error();
    }
    TorchPeer peer(std::move(worker).value(), pattern);
    auto versions = peer.ask({{"do", "hello"}});
    if (!versions) {
        return versions.error();
    }
    peer.m_versions = std::move(versions).value();
    return peer;
}

TorchPeer::TorchPeer(WorkerProcess worker, std::filesystem::path folder)
    : m_worker(std::move(worker))
    , m_folder(std::move(folder))
{}

TorchPeer::~TorchPeer()
{
    if (!m_folder.empty()) {
        std::error_code ignored;
        std::filesystem::remove_all(m_folder, ignored);
    }
}

Result<Json> TorchPeer::ask(const Json& request)
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
        return Error{"torch_peer.py did not answer"};
    }
    Json answer = Json::parse(line->text, nullptr, false);
    if (!answer.is_object()) {
        return Error{"torch_peer.py said \"" + line->text + "\""};
    }
    if (answer.contains("error")) {
        return Error{answer["error"].get<std::string>()};
    }
    return answer;
}

Status TorchPeer::load(const Case& each,
                       int dModel,
                       const Weights<float>& weights,
                       ComputePrecision precision)
{
    Json request{{"do", "load"},
                 {"operation", operationJson(each, dModel)},
                 {"weights", Json::array()},
                 {"weights_file", fileNamed("weights")},
                 {"lists", Json::array()},
                 {"lists_file", fileNamed("lists")},
                 {"precision", precision == ComputePrecision::bfloat16 ? "bfloat16" : "float32"}};
    for (const WeightShape& shape : weightShapes(each, dModel)) {
        request["weights"].push_back({shape.rows, shape.columns});
    }
    const auto lists = fixedLists(each, dModel);
    for (const auto& list : lists) {
        request["lists"].push_back(list.size());
    }
    const Status written[]{
        writeFile<float>(request["weights_file"], {weights.begin(), weights.end()}),
        writeFile<std::int32_t>(request["lists_file"], {lists.begin(), lists.end()})};
    for (const Status& one : written) {
        if (!one) {
            return one;
        }
    }
    const auto answer = ask(request);
    return answer ? Status(Done{}) : answer.error();
}

Result<TorchPeer::First> TorchPeer::prepare(const RunSize& run, const RunInput& input)
{
    Json request{{"do", "shape"},
                 {"batch", run.batch},
                 {"sequence", run.sequence},
                 {"context", run.context},
                 {"threads", run.threads},
                 {"backward", run.backward},
                 {"x_file", fileNamed("x")},
                 {"dy_file", fileNamed("dy")},
                 {"cache_file", fileNamed("cache")},
                 {"result_file", fileNamed("result")}};
    const Status written[]{
        writeFile<float>(request["x_file"], {input.x}),
        writeFile<float>(request["dy_file"], {input.dy}),
        writeFile<float>(request["cache_file"], {input.cachedKeys, input.cachedValues})};
    for (const Status& one : written) {
        if (!one) {
            return one.error();
        }
    }
    const auto answer = ask(request);
    if (!answer) {
        return answer.error();
    }
    auto result = floatsOf(request["result_file"]);
    if (!result) {
        return result.error();
    }
    return First{std::move(result).value(), secondsOf(*answer)};
}

Result<PeerSeconds> TorchPeer::time(int runs)
{
    const auto answer = ask({{"do", "time"}, {"runs", runs}});
    if (!answer) {
        return answer.error();
    }
    return secondsOf(*answer);
}

double relativeDifference(std::span<const float> ours, std::span<const float> theirs)
{
    if (ours.size() != theirs.size()) {
        return std::numeric_limits<double>::infinity();
    }
    double largest = 0.0;
    double difference = 0.0;
    for (std::size_t i = 0; i < ours.size(); ++i) {
        const double apart =
            std::abs(static_cast<double>(ours[i]) - static_cast<double>(theirs[i]));
        if (!std::isfinite(apart)) {
            return std::numeric_limits<double>::infinity();
        }
        difference = std::max(difference, apart);
        largest = std::max(largest, std::abs(static_cast<double>(ours[i])));
    }
    return difference == 0.0 ? 0.0 : difference / largest;
}

} // namespace flopsmith::bench
