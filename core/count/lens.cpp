// SPDX-License-Identifier: MIT
#include "core/count/lens.h"

#include <algorithm>
#include <array>

namespace flopsmith {
namespace {

constexpr std::array<Lens, 3> kLenses{{
    {LensId::exact,
     "exact",
     "exact",
     "FLOPs",
     "every operation counts: 2 per multiply-add, 1 per scalar operation, comparison and "
     "exponential, FFTs nominal; causal attention over the pairs that the mask allows",
     "Flopsmith; each formula is checked against an execution that counts",
     PairsRule::exact},
    {LensId::matmul,
     "matmul",
     "matmul",
     "FLOPs",
     "2 per multiply-add of matrix products, all query-key pairs even if causal; nothing else",
     "torch FlopCounterMode, nanoGPT, llm-analysis",
     PairsRule::full},
    {LensId::mac,
     "mac",
     "MAC",
     "MACs",
     "1 per multiply-add of matrix products, all query-key pairs; often printed as FLOPs",
     "ptflops, torchvision, most vision papers",
     PairsRule::full},
}};

} // namespace

std::span<const Lens> lenses()
{
    return kLenses;
}

const Lens& lens(LensId id)
{
    return *std::find_if(
        kLenses.begin(), kLenses.end(), [id](const Lens& l) { return l.id == id; });
}

std::optional<LensId> lensNamed(std::string_view name)
{
    for (const Lens& candidate : kLenses) {
        if (candidate.name == name) {
            return candidate.id;
        }
    }
    return std::nullopt;
}

bool isBlindTo(LensId lens, const OpCount<Count>& count)
{
    OpCount<Count> rest = count;
    rest.move = 0;
    const bool executes = rest != OpCount<Count>{.dot = rest.dot};
    return executes && priced(lens, count) == 0;
}

} // namespace flopsmith
