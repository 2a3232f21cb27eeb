// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/libraries.h"

#include "core/kernels/cpu/gemm/library_product.h"
#include "core/kernels/cpu/simd/lanes.h"

#include <Eigen/Core>

#include <cblas.h>
#include <fftw3.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace flopsmith::cpu {
namespace {

// x86 kernels of OpenBLAS by the widest registers that they use; all others use 128 bits.
constexpr std::array<std::string_view, 3> kWithAvx512{"SkylakeX", "Cooperlake", "SapphireRapids"};
constexpr std::array<std::string_view, 3> kWithAvx2{"Haswell", "Zen", "Excavator"};

template <std::size_t size>
bool isAmong(const std::array<std::string_view, size>& names, std::string_view name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

} // namespace

std::string coreTypeWarning(std::string_view coreType,
                            std::string_view kernels,
                            const std::vector<std::string>& instructionSets)
{
    const auto has = [&](std::string_view set) {
        return std::find(instructionSets.begin(), instructionSets.end(), set)
            != instructionSets.end();
    };
    const bool wide = isAmong(kWithAvx512, kernels);
    const char* unused = nullptr;
    if (has("avx512f") && !wide) {
        unused = "AVX-512";
    } else if (has("avx2") && !wide && !isAmong(kWithAvx2, kernels)) {
        unused = "AVX2";
    }
    if (coreType.empty() || unused == nullptr) {
        return {};
    }
    return "OPENBLAS_CORETYPE=" + std::string(coreType)
        + " in the environment makes the matrix library compute without " + unused
        + ", which this processor has; unset it to measure the machine.";
}

std::string coreTypeWarning(const std::vector<std::string>& instructionSets)
{
    const char* coreType = std::getenv("OPENBLAS_CORETYPE");
    return coreTypeWarning(
        coreType != nullptr ? coreType : "", openblas_get_corename(), instructionSets);
}

std::vector<LibraryVersion> libraryVersions()
{
    const std::string eigen = std::to_string(EIGEN_WORLD_VERSION) + "."
        + std::to_string(EIGEN_MAJOR_VERSION) + "." + std::to_string(EIGEN_MINOR_VERSION);
    std::vector<LibraryVersion> versions{
        {"OpenBLAS",
         std::string(openblas_get_config()) + ", kernels for " + openblas_get_corename()},
        {"FFTW", fftwf_version},
        {"Eigen", eigen}};
    if (const std::string version = oneDnnVersion(); !version.empty()) {
        versions.push_back({"oneDNN", version});
    }
    versions.push_back({"vectors", std::to_string(kLanes) + " floats"});
    return versions;
}

} // namespace flopsmith::cpu
