// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/family.h"

#include <vector>

namespace flopsmith {
namespace {

// "Bert" of "BertModel"; empty for a class that is called otherwise.
std::string_view stemOf(std::string_view name)
{
    constexpr std::string_view kModel = "Model";
    return name.ends_with(kModel) ? name.substr(0, name.size() - kModel.size())
                                  : std::string_view();
}

} // namespace

std::optional<Architecture> Family::architecture(std::string_view name) const
{
    for (const Architecture& each : architectures) {
        if (each.name == name) {
            return each;
        }
    }
    for (const Architecture& each : architectures) {
        const std::string_view stem = stemOf(each.name);
        const bool isKin = !twoStacks && !stem.empty() && name.starts_with(stem);
        for (const std::string_view ending : {kSequenceClasses, kTokenClasses, kAnswerClasses}) {
            if (isKin && name.substr(stem.size()) == ending) {
                return Architecture{.name = name, .head = HeadKind::tokens};
            }
        }
    }
    return std::nullopt;
}

std::span<const Family* const> families()
{
#define FLOPSMITH_FAMILY_ADDRESS(name) &name##Family(),
    static const std::vector<const Family*> kFamilies{
        FLOPSMITH_HUGGING_FACE_FAMILIES(FLOPSMITH_FAMILY_ADDRESS)};
#undef FLOPSMITH_FAMILY_ADDRESS
    return kFamilies;
}

} // namespace flopsmith
