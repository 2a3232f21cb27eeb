// SPDX-License-Identifier: MIT
#pragma once

#include "core/ffn/ffn.h"

#include <string>

namespace flopsmith {

/// The variant's title. The stages of UltraEfficientSparseFFN and UltraEfficientFFN, with any numbers,
/// have these names.
std::string ffnTitle(const FfnSpec& ffn);

/// For narrow places: "Composed" for "Composed: gates and sums", "UltraEfficient" for
/// "UltraEfficientSparse".
std::string firstWords(const std::string& title);

} // namespace flopsmith
