// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/gemm/product.h"

#include <cstdint>
#include <string>

namespace flopsmith::cpu {

/// c (+)= a·b on the calling thread by the library that multiplies large matrices best: oneDNN
/// where the build has it, else Eigen. a is [rows, inner], b [inner, columns], or their transposes
/// if stored transposed.
void multiplyByLibrary(const ProductSize& size,
                       const MatrixAt<const float>& a,
                       Stored aStored,
                       const MatrixAt<const float>& b,
                       Stored bStored,
                       const MatrixAt<float>& c,
                       Into into);

/// The largest number of rows, or of inner terms if the left matrix is transposed, for which
/// multiplyBlocked() is at least as fast.
std::int64_t libraryThreshold();

/// Whether the library, which packs both matrices in each call, multiplies so many rows faster than
/// they are multiplied by a weight that was packed beforehand.
bool libraryLeads(std::int64_t rows);

/// Warms the library up on the calling thread: oneDNN compiles its kernels in a thread's first
/// products. Each thread calls it before its first product; calling it again costs nothing.
void prepareLibrary();

struct LibraryVersion
{
    std::string name; ///< "oneDNN"
    std::string version;

    bool operator==(const LibraryVersion&) const = default;
};

/// The library that multiplies.
LibraryVersion productLibrary();

/// The width of the registers that it computes with: 128, 256 or 512.
int libraryVectorBits();

} // namespace flopsmith::cpu
