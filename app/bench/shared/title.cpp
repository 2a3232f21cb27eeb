// SPDX-License-Identifier: MIT
#include "app/bench/shared/title.h"

namespace flopsmith::bench {
namespace {

struct Title
{
    std::string operator()(const FfnSpec& ffn) const { return std::string(info(ffn).title); }
    std::string operator()(const MixerSpec& mixer) const { return std::string(info(mixer).title); }
    std::string operator()(const NormOperation&) const { return "Norm"; }
    std::string operator()(const ResidualOperation&) const { return "Residual"; }
    std::string operator()(const EmbeddingOperation&) const { return "Embedding"; }
    std::string operator()(const ModelOperation&) const { return "Whole model"; }
    std::string operator()(const HeadOperation& h) const { return std::string(headTitle(h.head)); }
};

} // namespace

std::string titleOf(const Operation& operation)
{
    return std::visit(Title{}, operation.what);
}

} // namespace flopsmith::bench
