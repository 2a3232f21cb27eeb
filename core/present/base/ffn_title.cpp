// SPDX-License-Identifier: MIT
#include "core/present/base/ffn_title.h"

#include "core/ffn/composed.h"

#include <algorithm>
#include <string_view>

namespace flopsmith {
namespace {

bool sameKinds(const std::vector<FfnStage>& a, const std::vector<FfnStage>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
        return x.spec.index() == y.spec.index();
    });
}

} // namespace

std::string ffnTitle(const FfnSpec& ffn)
{
    const auto* composed = get_if<ComposedFfn>(&ffn);
    if (composed != nullptr && composed->mode == CompositionMode::parallel
        && sameKinds(composed->stages, ultraEfficientSparseFfn().stages)) {
        return "UltraEfficientSparse";
    }
    if (composed != nullptr && composed->mode == CompositionMode::sequential
        && sameKinds(composed->stages, ultraEfficientFfn(768, 3072).stages)) {
        return "UltraEfficient";
    }
    return std::string(info(ffn).title);
}

std::string firstWords(const std::string& title)
{
    const std::size_t mark = title.find_first_of(":,");
    if (mark != std::string::npos) {
        return title.substr(0, mark);
    }
    constexpr std::string_view kSparse = "Sparse";
    if (title.size() > kSparse.size() && title.ends_with(kSparse)) {
        return title.substr(0, title.size() - kSparse.size());
    }
    return title;
}

} // namespace flopsmith
