// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace flopsmith::cpu {

struct LibraryVersion
{
    std::string name;
    std::string version;

    bool operator==(const LibraryVersion&) const = default;
};

/// What computes here: OpenBLAS with its build and the kernels it chose for this processor
/// ("OpenBLAS 0.3.21 … SkylakeX"), FFTW, Eigen, oneDNN if it is built in, and the widest registers this program was
/// compiled for.
std::vector<LibraryVersion> libraryVersions();

/// One sentence if a setting in the environment makes the matrix library use narrower registers than
/// the processor has (its `instructionSets` by the kernel's names, see Environment); else empty.
/// `coreType` is the value of OPENBLAS_CORETYPE, `kernels` those that OpenBLAS uses.
std::string coreTypeWarning(std::string_view coreType,
                            std::string_view kernels,
                            const std::vector<std::string>& instructionSets);

/// The same for this process.
std::string coreTypeWarning(const std::vector<std::string>& instructionSets);

/// What a transform executes, by FFTW's own account.
struct FftOperations
{
    double adds = 0;
    double muls = 0;
    double fusedMultiplyAdds = 0; ///< one multiplication and one addition each
};

/// What FFTW executes for `batch` forward real transforms of one length; to be shown beside the
/// nominal 2.5·n·log2(n) each. FFTW counts a vector instruction as one, so the plan that is asked
/// is one without them: the same algorithms, every operation counted.
Result<FftOperations> fftwPlanOperations(int length, int batch);

/// The same for one complex transform.
Result<FftOperations> fftwComplexPlanOperations(int length);

} // namespace flopsmith::cpu
