// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/temporary_folder.h"
#include "core/json/json.h"
#include "core/protocol/process/worker_process.h"
#include "core/protocol/wire/message.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace flopsmith::bench {

/// How worker.py is started.
struct TorchOptions
{
    std::string python = "python3";
    std::string device; ///< as PyTorch calls it, "cuda:1"; empty: the best one
    bool compiles = false; ///< by torch.compile
};

/// Why PyTorch did not do something.
class TorchFailure : public std::runtime_error
{
public:
    TorchFailure(FailureCode code, const std::string& sentence)
        : std::runtime_error(sentence)
        , m_code(code)
    {}

    FailureCode code() const { return m_code; }

private:
    FailureCode m_code;
};

/// What worker.py says of itself when it starts.
struct TorchFacts
{
    std::string torch; ///< version
    std::string python; ///< version
    std::string device; ///< "cuda:0"
    std::string title; ///< "NVIDIA GeForce RTX 4070 Laptop GPU"
    std::string platform; ///< "CUDA", "ROCm", "XPU", "MPS" or "CPU"
    std::string platformVersion; ///< may be empty
    std::int64_t bytes = 0; ///< of a memory of its own
    int threads = 1;
    std::vector<std::pair<std::string, std::string>> devices; ///< all, the best first, with titles

    bool isCpu() const { return platform == "CPU"; }
};

/// A Python with PyTorch that loads, runs and times parts: started when it is first needed, and again
/// after it died, was killed by a cancel, or failed. One thread uses it at a time. Functions that ask
/// it throw a TorchFailure.
class TorchWorker
{
public:
    explicit TorchWorker(TorchOptions options)
        : m_options(std::move(options))
    {}

    const TorchOptions& options() const { return m_options; }

    const TorchFacts& facts(const std::stop_token& stop);

    Json ask(const Json& request, const std::stop_token& stop);

    /// A new slot for something loaded, never used before.
    int newSlot() { return ++m_slots; }

    /// Forgets what was loaded there, if it is still there.
    void drop(int slot);

    /// The process that computes.
    std::string processId() const { return std::to_string(m_process ? m_process->id() : 0); }

    /// The most that PyTorch has held of a memory of the device's own.
    std::int64_t maxDeviceBytes() const { return m_deviceBytes; }

    /// Where files for it, or from it, can be.
    std::string fileNamed(const std::string& name) const { return m_folder->path() + "/" + name; }

private:
    void startIfNeeded(const std::stop_token& stop);
    Json received(const std::stop_token& stop, Milliseconds time);
    [[noreturn]] void lose(FailureCode code, const std::string& sentence);
    [[noreturn]] void cancel();

    TorchOptions m_options;
    std::optional<TemporaryFolder> m_folder;
    std::optional<WorkerProcess> m_process;
    TorchFacts m_facts;
    std::int64_t m_deviceBytes = 0;
    int m_slots = 0;
    int m_slotsBeforeStart = 0; ///< those below were of an earlier process
};

/// The texts of its sources, part of the program since the build.
const char* torchWorkerSource();

} // namespace flopsmith::bench
