// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

} // namespace flopsmith::cpu
