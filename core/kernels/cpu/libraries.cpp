// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/libraries.h"

#include "core/kernels/cpu/simd/lanes.h"

#include <fftw3.h>

#include <algorithm>
#include <cstdlib>

namespace flopsmith::cpu {

std::string libraryWarning(std::string_view setting,
                           int vectorBits,
                           const std::vector<std::string>& instructionSets)
{
    const auto has = [&](std::string_view set) {
        return std::find(instructionSets.begin(), instructionSets.end(), set)
            != instructionSets.end();
    };
    const char* unused = nullptr;
    if (has("avx512f") && vectorBits < 512) {
        unused = "AVX-512";
    } else if (has("avx2") && vectorBits < 256) {
        unused = "AVX2";
    }
    if (setting.empty() || unused == nullptr) {
        return {};
    }
    return "ONEDNN_MAX_CPU_ISA=" + std::string(setting)
        + " in the environment makes the matrix library compute without " + unused
        + ", which this processor has; unset it to measure the machine.";
}

std::string libraryWarning(const std::vector<std::string>& instructionSets)
{
    const char* setting = std::getenv("ONEDNN_MAX_CPU_ISA");
    const bool reads = productLibrary().name == "oneDNN";
    return libraryWarning(
        setting != nullptr && reads ? setting : "", libraryVectorBits(), instructionSets);
}

std::vector<LibraryVersion> libraryVersions()
{
    return {
        productLibrary(), {"FFTW", fftwf_version}, {"vectors", std::to_string(kLanes) + " floats"}};
}

} // namespace flopsmith::cpu
