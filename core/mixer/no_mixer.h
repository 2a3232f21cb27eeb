// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/layer/variant_info.h"
#include "core/layer/weight_shape.h"

namespace flopsmith {

/// A block without a token mixer: tokens do not see each other.
struct NoMixer
{
    bool operator==(const NoMixer&) const = default;

    static const VariantInfo& info();
    static const std::vector<Field<NoMixer>>& fields();
};

inline WeightShapes weights(const NoMixer& /*mixer*/, int /*dModel*/)
{
    return {};
}

} // namespace flopsmith
