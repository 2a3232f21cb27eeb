// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/tables/torch_peer.h"

#include "core/export/torch/model_source.h"
#include "core/export/torch/tensors/tensor_names.h"
#include "core/json/spec_json.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

namespace flopsmith::bench {
namespace {

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

// A case as it is exported.
struct Exported
{
    Result<std::string> source;
    torch::TorchTensors stored;
    Json spec;
};

Exported exportedCase(const Case& each, int dModel)
{
    const auto exported = [dModel](const auto& variant) {
        return Exported{torch::partSource(variant, dModel),
                        torch::torchTensors(variant, dModel),
                        toJson(variant)};
    };
    const auto* ffn = std::get_if<FfnSpec>(&each.what);
    return ffn != nullptr ? exported(*ffn) : exported(std::get<MixerSpec>(each.what));
}

// The tensors of the state dict in the order of our weights.
Json tensorsJson(torch::TorchTensors& stored, const WeightShapes& shapes)
{
    std::sort(stored.tensors.begin(), stored.tensors.end(), [](const auto& a, const auto& b) {
        return a.index < b.index;
    });
    Json tensors = Json::array();
    for (const torch::TorchTensor& tensor : stored.tensors) {
        const WeightShape& shape = shapes.at(tensor.index);
        tensors.push_back({{"name", tensor.name},
                           {"rows", shape.rows},
                           {"columns", shape.columns},
                           {"transposed", tensor.transposed},
                           {"shape", tensor.shape}});
    }
    return tensors;
}

PeerSeconds secondsOf(const Json& answer)
{
    return {answer["wall"].get<double>(), answer["processor"].get<double>()};
}

} // namespace

Result<TorchPeer> TorchPeer::start(const std::string& python)
{
    auto worker = PythonWorker::start(python, FLOPSMITH_TORCH_PEER);
    if (!worker) {
        return worker.error();
    }
    TorchPeer peer(std::move(worker).value());
    auto versions = peer.m_worker.ask({{"do", "hello"}});
    if (!versions) {
        return versions.error();
    }
    peer.m_versions = std::move(versions).value();
    return peer;
}

Status TorchPeer::load(const Case& each,
                       int dModel,
                       const Weights<float>& weights,
                       ComputePrecision precision)
{
    Exported exported = exportedCase(each, dModel);
    if (!exported.source) {
        return exported.source.error();
    }
    Json request{{"do", "load"},
                 {"source", fileNamed("part.py")},
                 {"kind", exported.spec["kind"]},
                 {"spec", exported.spec},
                 {"tensors", tensorsJson(exported.stored, weightShapes(each, dModel))},
                 {"weights_file", fileNamed("weights")},
                 {"lists", Json::array()},
                 {"lists_file", fileNamed("lists")},
                 {"d_model", dModel},
                 {"precision", precision == ComputePrecision::bfloat16 ? "bfloat16" : "float32"}};
    std::vector<std::span<const std::int64_t>> lists;
    for (const torch::TorchBuffer& list : exported.stored.buffers) {
        request["lists"].push_back({{"name", list.name}, {"shape", list.shape}});
        lists.emplace_back(list.values);
    }
    const Status written[]{
        writeFile<char>(request["source"].text(), {*exported.source}),
        writeFile<float>(request["weights_file"].text(), {weights.begin(), weights.end()}),
        writeFile<std::int64_t>(request["lists_file"].text(), lists)};
    for (const Status& one : written) {
        if (!one) {
            return one;
        }
    }
    const auto answer = m_worker.ask(request);
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
        writeFile<float>(request["x_file"].text(), {input.x}),
        writeFile<float>(request["dy_file"].text(), {input.dy}),
        writeFile<float>(request["cache_file"].text(), {input.cachedKeys, input.cachedValues})};
    for (const Status& one : written) {
        if (!one) {
            return one.error();
        }
    }
    const auto answer = m_worker.ask(request);
    if (!answer) {
        return answer.error();
    }
    auto result = floatsOf(request["result_file"].text());
    if (!result) {
        return result.error();
    }
    return First{std::move(result).value(), secondsOf(*answer)};
}

Result<PeerSeconds> TorchPeer::time(int runs)
{
    const auto answer = m_worker.ask({{"do", "time"}, {"runs", runs}});
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
