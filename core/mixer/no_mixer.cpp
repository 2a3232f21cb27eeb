// SPDX-License-Identifier: MIT
#include "core/mixer/no_mixer.h"

namespace flopsmith {

const VariantInfo& NoMixer::info()
{
    static constexpr VariantInfo kInfo{"none",
                                       "No mixer",
                                       "0",
                                       "The block has no token mixer and no residual for one.",
                                       &kNormComponent};
    return kInfo;
}

const std::vector<Field<NoMixer>>& NoMixer::fields()
{
    static const std::vector<Field<NoMixer>> kFields;
    return kFields;
}

} // namespace flopsmith
