// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench_torch/jobs/jobs.h"
#include "tests/support/programs.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>

// A Python of its own stands in for one with PyTorch.
namespace flopsmith::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kGenerous{5'000};

class TorchWorkerTest : public testing::Test
{
protected:
    void SetUp() override
    {
        if (std::system("python3 -c '' >/dev/null 2>&1") != 0) { // NOLINT(cert-env33-c)
            GTEST_SKIP() << "there is no python3";
        }
        std::string place = (fs::temp_directory_path() / "flopsmith-worker-XXXXXX").string();
        ASSERT_NE(::mkdtemp(place.data()), nullptr);
        m_folder = place;
    }

    void TearDown() override
    {
        m_worker.reset();
        if (!m_folder.empty()) {
            fs::remove_all(m_folder);
        }
    }

    // A program that runs the shell commands.
    std::string program(const std::string& commands) const
    {
        const fs::path path = m_folder / "python";
        std::ofstream(path) << "#!/bin/sh\n" << commands << "\n";
        fs::permissions(path, fs::perms::owner_all);
        return path.string();
    }

    // A worker on a script that takes the place of worker.py.
    TorchWorker& standIn(const std::string& behaviour)
    {
        const std::string script =
            shellWord(FLOPSMITH_SOURCE_DIR "/tests/app/bench_torch/stand_in.py");
        return worker(program("exec python3 " + script + R"( "$2" "$3" "$3")"), behaviour);
    }

    // A worker on worker.py itself, with these lines as its torch.
    TorchWorker& withTorch(const std::string& lines)
    {
        fs::create_directories(m_folder / "torch");
        std::ofstream(m_folder / "torch" / "__init__.py") << lines << "\n";
        return worker(
            program("PYTHONPATH=" + shellWord(m_folder.string()) + R"( exec python3 "$@")"), "");
    }

    TorchWorker& worker(const std::string& python, const std::string& device)
    {
        m_worker = std::make_unique<TorchWorker>(TorchOptions{.python = python, .device = device});
        return *m_worker;
    }

    static Answer measured(TorchWorker& worker,
                           const std::stop_token& stop = {},
                           ComputePrecision precision = ComputePrecision::float32)
    {
        const Operation residual{
            .what = ResidualOperation{}, .dModel = 8, .sequence = 3, .context = 3};
        return torchMeasured(
            worker,
            {.id = 5, .operation = residual, .precision = precision, .budgetSeconds = 0.02},
            stop,
            {},
            [] { return std::optional<std::int64_t>(std::int64_t{1} << 40); });
    }

    static Failure failureOf(const Answer& answer)
    {
        const auto* failure = std::get_if<Failure>(&answer);
        EXPECT_NE(failure, nullptr);
        return failure != nullptr ? *failure : Failure{};
    }

private:
    fs::path m_folder;
    std::unique_ptr<TorchWorker> m_worker;
};

TEST_F(TorchWorkerTest, WhatAgreesWithTheReferenceIsTimed)
{
    TorchWorker& worker = standIn("well");
    const Answer answer = measured(worker);

    const auto* found = std::get_if<Measured>(&answer);
    ASSERT_NE(found, nullptr) << failureOf(answer).sentence;
    EXPECT_DOUBLE_EQ(found->medianSeconds, 1e-3);
    EXPECT_LT(found->check.relativeError, 1e-6);
    EXPECT_GE(toDouble(found->bytesNeeded), 4096.0);
}

TEST_F(TorchWorkerTest, ItNamesItsDeviceAndItsPyTorch)
{
    const Answer answer = torchDescribed(standIn("well"), {.id = 7}, {});

    const auto* described = std::get_if<Described>(&answer);
    ASSERT_NE(described, nullptr) << failureOf(answer).sentence;
    EXPECT_EQ(described->id, 7);
    EXPECT_EQ(described->device, "Stand-in GPU, 1.07 GB, PyTorch eager");
    EXPECT_EQ(described->kind, "cuda");
    EXPECT_EQ(described->program, "PyTorch 2.6.0, eager, CUDA 12.4");
}

TEST_F(TorchWorkerTest, PeaksLeaveOutAPrecisionThatIsNotThere)
{
    const Answer answer = torchPeaks(standIn("well"), {.id = 3, .budgetSeconds = 0.02}, {});

    const auto* peaks = std::get_if<PeaksMeasured>(&answer);
    ASSERT_NE(peaks, nullptr) << failureOf(answer).sentence;
    ASSERT_EQ(peaks->products.size(), 3U);
    EXPECT_EQ(peaks->products[1].precision, ComputePrecision::bfloat16);
    EXPECT_DOUBLE_EQ(peaks->launchSeconds, 1e-3);
    EXPECT_GT(peaks->bytesPerSecond, 0.0);
}

struct Misbehaviour
{
    const char* behaviour;
    FailureCode code;
    const char* sentence;
};

TEST_F(TorchWorkerTest, WhatGoesWrongIsOneSentence)
{
    for (const auto& [behaviour, code, sentence] :
         {Misbehaviour{"wrong", FailureCode::disagrees, "differs from the reference"},
          Misbehaviour{"memory", FailureCode::memory, "CUDA out of memory."},
          Misbehaviour{"vanishes", FailureCode::failed, "CUDA error: device is lost."},
          Misbehaviour{"dies", FailureCode::failed, "exit code 139: Segmentation fault."},
          Misbehaviour{"babbles", FailureCode::failed, "a line that is no answer"}}) {
        SCOPED_TRACE(behaviour);
        const Failure failure = failureOf(measured(standIn(behaviour)));
        EXPECT_EQ(failure.id, 5);
        EXPECT_EQ(failure.code, code);
        EXPECT_EQ(failure.sentence.rfind("Residual: ", 0), 0U) << failure.sentence;
        EXPECT_NE(failure.sentence.find(sentence), std::string::npos) << failure.sentence;
        EXPECT_EQ(failure.sentence.find('\n'), std::string::npos) << failure.sentence;
    }
    const Failure tf32 = failureOf(measured(standIn("well"), {}, ComputePrecision::tf32));
    EXPECT_EQ(tf32.code, FailureCode::badOperation);
}

// A process that failed is replaced: errors of a device stay with it.
TEST_F(TorchWorkerTest, TheNextRequestStartsAnotherPython)
{
    TorchWorker& worker = standIn("dies");
    EXPECT_EQ(failureOf(measured(worker)).code, FailureCode::failed);
    EXPECT_TRUE(std::holds_alternative<Described>(torchDescribed(worker, {.id = 1}, {})));
}

TEST_F(TorchWorkerTest, APythonThatHangsIsKilledWhenItsRequestIsCancelled)
{
    TorchWorker& worker = standIn("hangs");
    (void)worker.facts({});
    std::stop_source stop;
    std::chrono::steady_clock::time_point asked;
    const std::jthread canceller([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        asked = std::chrono::steady_clock::now();
        stop.request_stop();
    });

    const Failure failure = failureOf(measured(worker, stop.get_token()));

    EXPECT_LT(std::chrono::steady_clock::now() - asked, kGenerous);
    EXPECT_EQ(failure.code, FailureCode::cancelled);
    EXPECT_TRUE(std::holds_alternative<Described>(torchDescribed(worker, {.id = 1}, {})));
}

TEST_F(TorchWorkerTest, APythonThatCannotBeUsedSaysWhy)
{
    const auto sentenceOf = [](TorchWorker& worker) {
        return failureOf(torchDescribed(worker, {.id = 1}, {})).sentence;
    };
    const auto expectSays = [&](TorchWorker& worker, const char* what) {
        const std::string sentence = sentenceOf(worker);
        EXPECT_NE(sentence.find(what), std::string::npos) << sentence;
        EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
    };

    expectSays(withTorch("raise ImportError('none', name='torch')"),
               "it has no PyTorch; pip install torch adds it.");
    expectSays(withTorch("import flopsmith_has_no_such_module"),
               "its PyTorch cannot be imported: No module named 'flopsmith_has_no_such_module'.");
    expectSays(withTorch("__version__ = '1.13.1+cu117'"),
               "its PyTorch 1.13.1+cu117 is too old; 2.0 is the oldest that will do.");
    expectSays(worker("flopsmith-no-such-python", ""), "cannot be started");
    expectSays(worker(program("exit 3"), ""), "it ended with exit code 3.");
    expectSays(worker(program("echo hello; exec cat"), ""), "no answer of worker.py.");
}

} // namespace
} // namespace flopsmith::bench
