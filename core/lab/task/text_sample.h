// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>

namespace flopsmith {

/// A request for text.
struct TextRequest
{
    std::string prompt; ///< characters that the model does not know are left out
    int characters = 200;
    double temperature = 0.8; ///< 0: always the most likely
    std::uint64_t seed = 1;
};

/// The prompt, continued by a saved model. Errors: a file that is no such model;
/// numbers out of bounds.
Result<std::string> writtenText(const std::string& modelFile, const TextRequest& request);

} // namespace flopsmith
