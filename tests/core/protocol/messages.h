// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ffn/dense.h"
#include "core/model/presets.h"
#include "core/protocol/wire/message.h"

#include <vector>

namespace flopsmith {

inline Operation denseOperation()
{
    return {.what = FfnSpec(DenseFfn{}), .dModel = 64, .batch = 2, .sequence = 5, .context = 5};
}

inline Environment someEnvironment()
{
    Environment environment;
    environment.cpuModel = "Example CPU";
    environment.logicalCores = 8;
    environment.usableCores = 2;
    environment.instructionSets = {"avx2", "avx512f"};
    environment.l2Bytes = 1 << 20;
    environment.loadAverage = 0.25;
    environment.virtualMachine = true;
    environment.hostId = "1b9d6bcd-bbfd-4b2d";
    environment.warning = "The matrix library computes with narrow registers.";
    return environment;
}

inline Measured someMeasured()
{
    Measured measured{.id = 7, .medianSeconds = 0.0061, .madSeconds = 2e-5};
    measured.lowerQuartileSeconds = 0.00607;
    measured.upperQuartileSeconds = 0.00614;
    measured.fastestSeconds = 0.006;
    measured.samples = 140;
    measured.runsPerSample = 3;
    measured.settled = true;
    measured.relativeHalfWidth = 0.004;
    measured.elapsedSeconds = 0.9;
    measured.waitingShare = 0.02;
    measured.stolenShare = 0.01;
    measured.threads = 2;
    measured.check = {2.1e-7, 1e-4, 16128, 21, 128, "21 of 128 tokens agree"};
    measured.counted = {.mac = Count{1} << 80, .add = 5, .exp = 3};
    measured.planned = PlannedTransforms{1200.0, 345.0, 67.0};
    measured.flops = Count{1} << 81;
    measured.flopsPerSecond = 2e11;
    measured.bytesNeeded = 22413312;
    measured.precision = ComputePrecision::bfloat16;
    measured.cache = CacheState::cold;
    measured.environment = someEnvironment();
    measured.medians = {0.0059, 0.0061};
    return measured;
}

/// One of each, every field different from its default where it can be.
inline std::vector<Request> someRequests()
{
    std::vector<Request> requests{
        DescribeRequest{1}, CancelRequest{kLargestExactDouble - 1}, PeaksRequest{3, 2, 0.5}};
    requests.emplace_back(MeasureRequest{.id = 5,
                                         .operation = denseOperation(),
                                         .precision = ComputePrecision::tf32,
                                         .cache = CacheState::cold});
    for (const Preset& preset : presets()) {
        for (const ComputePass pass : {ComputePass::forward, ComputePass::backward}) {
            const Scenario scenario{.model = preset.make(), .workload = {}};
            requests.emplace_back(
                MeasureRequest{.id = 6, .operation = measuredWhole(scenario)->operation});
            for (const MeasuredPart& part : measuredParts(scenario, pass)) {
                requests.emplace_back(
                    MeasureRequest{.id = 4, .operation = part.operation, .budgetSeconds = 0.25});
            }
        }
    }
    return requests;
}

inline PeaksMeasured somePeaks()
{
    PeaksMeasured peaks{3, 2, 6.1e11, 3.4e10, "a \"quoted\" sentence with a\nline feed"};
    peaks.products = {{ComputePrecision::float32, 6.1e11}, {ComputePrecision::tf32, 2.5e12}};
    peaks.caches = {{"L1", 48 << 10, 2.9e12, 1}, {"memory", 1 << 28, 3.4e10, 2}};
    peaks.launchSeconds = 4e-6;
    peaks.measuredAt = 1'767'225'600;
    peaks.lostShare = 0.03;
    return peaks;
}

inline std::vector<Answer> someAnswers()
{
    Described described{.id = 1, .device = "Example CPU, 2 cores", .kind = "cpu"};
    described.program = "flopsmith-bench 0.1.0";
    described.libraries = {{"FFTW", "3.3.10"}, {"oneDNN", "2.6.0"}};
    described.environment = someEnvironment();
    described.preparingSeconds = 600.0;
    return {described,
            Progress{2, "timing", 40, 0.0061, 0.25},
            someMeasured(),
            somePeaks(),
            PeaksMeasured{3, 2, 6.1e11, 3.4e10, "peaks of a program that measures nothing else"},
            Failure{4, FailureCode::memory, "too large"},
            Failure{0, FailureCode::cancelled, ""}};
}

} // namespace flopsmith
