// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/check.h"
#include "core/store/measurement_store.h"
#include "tests/core/protocol/messages.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

namespace flopsmith::test {

/// A store in a folder of its own.
class StoreTest : public testing::Test
{
protected:
    StoreTest()
    {
        std::string name = (std::filesystem::temp_directory_path() / "flopsmith-XXXXXX").string();
        FLOPSMITH_CHECK(mkdtemp(name.data()) != nullptr);
        folder = name;
        file = folder / "measurements.db";
    }

    ~StoreTest() override { std::filesystem::remove_all(folder); }

    MeasurementStore open() const
    {
        Result<MeasurementStore> store = MeasurementStore::open(file);
        FLOPSMITH_CHECK(store.ok());
        return std::move(*store);
    }

    static std::string bytes(const std::filesystem::path& path)
    {
        std::ifstream in(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    std::filesystem::path folder;
    std::filesystem::path file;
};

inline const Device kDevice{"this CPU", {"flopsmith-bench"}};

inline Described someDescribed()
{
    Described described{.device = "Example CPU, 2 cores", .kind = "cpu"};
    described.program = "flopsmith-bench 0.1.0";
    described.libraries = {{"FFTW", "3.3.10"}, {"oneDNN", "2.6.0"}};
    described.environment = someEnvironment();
    described.environment.build = "0123abcd";
    return described;
}

inline MeasureRequest questionAbout(int dFf)
{
    DenseFfn dense;
    dense.dFf = dFf;
    MeasureRequest question{.operation = denseOperation()};
    question.operation.what = FfnSpec(dense);
    return question;
}

inline StoredResult resultAt(const MeasureRequest& question, UnixSeconds taken)
{
    Measured measured = someMeasured();
    measured.id = 0;
    measured.medians.clear(); // as a device answers
    return {question, measured, taken};
}

/// Results of all operations of the presets, with figures drawn from the seed.
inline std::vector<StoredResult> randomResults(std::uint64_t seed, std::size_t count)
{
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> seconds(1e-7, 3.0);
    const std::vector<Request> requests = someRequests();
    std::vector<StoredResult> results;
    while (results.size() < count) {
        const auto* request = std::get_if<MeasureRequest>(&requests[random() % requests.size()]);
        if (request == nullptr) {
            continue;
        }
        StoredResult result = resultAt(*request, static_cast<UnixSeconds>(random() % (1U << 31U)));
        result.question.id = 0;
        result.question.budgetSeconds = MeasureRequest{}.budgetSeconds;
        result.question.threads = static_cast<int>(random() % 5);
        result.question.cache = random() % 2 == 0 ? CacheState::hot : CacheState::cold;
        result.question.precision = static_cast<ComputePrecision>(random() % 3);
        result.measured.medianSeconds = seconds(random);
        result.measured.madSeconds = seconds(random);
        result.measured.samples = random() % 1000;
        result.measured.settled = random() % 2 == 0;
        result.measured.flops = static_cast<Count>(random()) << (random() % 60);
        results.push_back(result);
    }
    return results;
}

} // namespace flopsmith::test
