// SPDX-License-Identifier: MIT
#include "app/bench_torch/jobs/torch_kernel.h"

#include "app/bench_torch/jobs/program_tensors.h"
#include "core/export/torch/tensors/stored_tensors.h"
#include "core/json/json.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <utility>

namespace flopsmith::bench {
namespace {

Json listOf(const std::vector<ProgramGradient>& gradients)
{
    Json list = Json::array();
    for (const ProgramGradient& gradient : gradients) {
        list.push_back({{"name", gradient.name}, {"size", gradient.size}});
    }
    return list;
}

Json cacheJson(const ProgramCache& cache, const Operation& operation)
{
    return {{"kind", cache.kind},
            {"heads", cache.heads},
            {"tokens", operation.sequence},
            {"known", operation.context}};
}

std::size_t elementsOf(const std::vector<TensorToWrite>& tensors)
{
    std::size_t elements = 0;
    for (const TensorToWrite& tensor : tensors) {
        std::size_t own = 1;
        for (const std::int64_t side : tensor.shape) {
            own *= static_cast<std::size_t>(side);
        }
        elements += own;
    }
    return elements;
}

} // namespace

TorchKernel::TorchKernel(TorchWorker& worker,
                         const Operation& operation,
                         const Inputs& inputs,
                         const std::stop_token& stop)
    : m_worker(worker)
    , m_operation(operation)
    , m_inputs(inputs)
    , m_stop(stop)
{}

TorchKernel::~TorchKernel()
{
    m_worker.drop(m_slot);
}

Status TorchKernel::load(WeightView<float> weights, const std::string& precision, int threads)
{
    Result<PartProgram> program = partProgram(m_operation);
    if (!program) {
        return program.error();
    }
    m_program = std::move(*program);
    (void)m_worker.facts(m_stop); // its folder is there once it runs
    const int slot = m_worker.newSlot();
    const std::string file = m_worker.fileNamed("weights-" + std::to_string(slot));
    const std::vector<TensorToWrite> state = stateTensors(m_program, m_operation, weights);
    write(file, state);
    const bool isBackward = computesGradients(m_operation);
    Json request{{"do", "load"},
                 {"slot", slot},
                 {"source", m_program.source},
                 {"call", m_program.call},
                 {"weights", file},
                 {"arguments", m_program.arguments},
                 {"precision", precision},
                 {"backward", isBackward},
                 {"threads", threads}};
    std::size_t outputs = outputElements(m_operation);
    if (isBackward) {
        m_gradients = gradients(m_program, m_operation, m_inputs);
        request["gradients"] = listOf(m_gradients);
        outputs = 0;
        for (const ProgramGradient& gradient : m_gradients) {
            outputs += gradient.size;
        }
    }
    if (m_program.cache) {
        request["cache"] = cacheJson(*m_program.cache, m_operation);
    }
    m_slot = slot;
    (void)m_worker.ask(request, m_stop);
    m_output.resize(outputs);
    m_operandElements = elementsOf(state) + elementsOf(inputTensors(m_operation, m_inputs));
    return Done{};
}

void TorchKernel::run()
{
    const std::string number = std::to_string(m_slot);
    const std::string inputs = m_worker.fileNamed("inputs-" + number);
    const std::string outputs = m_worker.fileNamed("outputs-" + number);
    write(inputs, inputTensors(m_operation, m_inputs));
    (void)m_worker.ask({{"do", "run"}, {"slot", m_slot}, {"inputs", inputs}, {"outputs", outputs}},
                       m_stop);
    readOutput(outputs);
    transposeGradients();
}

void TorchKernel::write(const std::string& path, const std::vector<TensorToWrite>& tensors) const
{
    const Status written = writeTensors(path, tensors, m_stop);
    if (m_stop.stop_requested()) {
        throw TorchFailure(FailureCode::cancelled, "Cancelled.");
    }
    if (!written) {
        throw TorchFailure(FailureCode::failed, written.error().message + ".");
    }
}

void TorchKernel::readOutput(const std::string& path)
{
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    const auto bytes = static_cast<std::streamsize>(m_output.size() * sizeof(float));
    const std::streamsize there = file.tellg();
    file.seekg(0);
    file.read(reinterpret_cast<char*>(m_output.data()), bytes); // NOLINT: raw values
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
    if (!file || there != bytes) {
        throw TorchFailure(FailureCode::failed,
                           "PyTorch's output has " + std::to_string(there) + " bytes and not "
                               + std::to_string(bytes) + ".");
    }
}

// A kernel's gradients lie as its weights do.
void TorchKernel::transposeGradients()
{
    if (m_gradients.empty()) {
        return;
    }
    const WeightShapes shapes = weightShapes(m_operation);
    const std::size_t before = m_gradients.size() - shapes.size();
    std::vector<std::size_t> begins{0};
    for (const ProgramGradient& gradient : m_gradients) {
        begins.push_back(begins.back() + gradient.size);
    }
    for (const torch::TorchTensor& tensor : m_program.tensors) {
        if (!tensor.transposed) {
            continue;
        }
        const std::size_t place = before + tensor.index;
        const auto begin = m_output.begin() + static_cast<std::ptrdiff_t>(begins[place]);
        const auto end = m_output.begin() + static_cast<std::ptrdiff_t>(begins[place + 1]);
        WeightShape shape = shapes[tensor.index];
        std::swap(shape.rows, shape.columns);
        const std::vector<float> own =
            torch::storedOrder(torch::StoredTensor{.name = {}, .transposed = true, .shape = {}},
                               shape,
                               std::vector<float>(begin, end));
        std::copy(own.begin(), own.end(), begin);
    }
}

double TorchKernel::seconds(int runs, std::int64_t hostCache) const
{
    const Json answer = m_worker.ask({{"do", "time"},
                                      {"slot", m_slot},
                                      {"runs", runs},
                                      {"cold", hostCache > 0},
                                      {"host_cache", hostCache}},
                                     m_stop);
    return answer.value("seconds", 0.0);
}

} // namespace flopsmith::bench
