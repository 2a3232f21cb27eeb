// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/family.h"

#include <vector>

namespace flopsmith {

std::span<const Family* const> families()
{
#define FLOPSMITH_FAMILY_ADDRESS(name) &name##Family(),
    static const std::vector<const Family*> kFamilies{
        FLOPSMITH_HUGGING_FACE_FAMILIES(FLOPSMITH_FAMILY_ADDRESS)};
#undef FLOPSMITH_FAMILY_ADDRESS
    return kFamilies;
}

} // namespace flopsmith
