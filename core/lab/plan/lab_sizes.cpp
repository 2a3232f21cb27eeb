// SPDX-License-Identifier: MIT
#include "core/lab/plan/lab_sizes.h"

#include "core/base/printable.h"

#include <string>

namespace flopsmith {
namespace {

constexpr int kWidestModel = 1'024;

} // namespace

template <>
std::vector<std::string_view> enumNames<LabMixer>()
{
    return {"attention", "fourier"};
}

Result<LabSizes> sizesNamed(std::string_view name)
{
    if (name == "nano") {
        return LabSizes{};
    }
    if (name == "micro") {
        return LabSizes{.dModel = 128, .layers = 4, .heads = 4};
    }
    if (name == "small") {
        return LabSizes{.dModel = 256, .layers = 4, .heads = 8};
    }
    return Error{"There is no preset \"" + excerpt(name) + "\"; known are nano, micro and small"};
}

Status validatedSizes(const LabSizes& sizes)
{
    if (sizes.dModel < 2 || sizes.dModel > kWidestModel) {
        return Error{"d_model: " + std::to_string(sizes.dModel)
                     + " is not legal; it must be 2 "
                       "\xE2\x80\xA6 "
                     + std::to_string(kWidestModel)};
    }
    if (sizes.layers < 1 || sizes.layers > 64) {
        return Error{"layers: " + std::to_string(sizes.layers)
                     + " is not legal; it must be 1 \xE2\x80\xA6 64"};
    }
    if (sizes.heads < 1 || sizes.dModel % sizes.heads != 0) {
        return Error{"heads: " + std::to_string(sizes.heads) + " is not legal; it must divide "
                     + std::to_string(sizes.dModel)};
    }
    return Done{};
}

} // namespace flopsmith
