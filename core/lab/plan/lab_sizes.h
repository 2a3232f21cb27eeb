// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/base/result.h"

#include <string_view>
#include <vector>

namespace flopsmith {

/// What mixes tokens in the models of a lab.
enum class LabMixer {
    attention, ///< causal
    fourier, ///< without weights; it sees all tokens
};

template <>
std::vector<std::string_view> enumNames<LabMixer>();

/// The sizes of the models that a lab trains.
struct LabSizes
{
    int dModel = 64;
    int layers = 2;
    int heads = 4;
    LabMixer mixer = LabMixer::attention;

    bool operator==(const LabSizes&) const = default;
};

/// Sizes by name: nano d 64 L 2, micro d 128 L 4, small d 256 L 4.
Result<LabSizes> sizesNamed(std::string_view name);

/// Sizes that are in bounds and fit each other.
Status validatedSizes(const LabSizes& sizes);

} // namespace flopsmith
