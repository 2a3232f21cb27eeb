// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/gemm/library_product.h"

#include <string>
#include <string_view>
#include <vector>

namespace flopsmith::cpu {

/// The computing libraries: the one for large matrix products and FFTW, with the widest registers
/// that this program was compiled for.
std::vector<LibraryVersion> libraryVersions();

/// One sentence if an environment variable makes oneDNN use narrower registers than the processor
/// has (its `instructionSets` by the kernel's names, see Environment); otherwise empty. `setting`
/// is the value of ONEDNN_MAX_CPU_ISA, empty if it is not set; for `vectorBits` see
/// libraryVectorBits().
std::string libraryWarning(std::string_view setting,
                           int vectorBits,
                           const std::vector<std::string>& instructionSets);

/// The same for this process.
std::string libraryWarning(const std::vector<std::string>& instructionSets);

} // namespace flopsmith::cpu
