// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/token_transforms.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

Result<TransformPair> pairOf(int length, int rows)
{
    const Result<FftPlan> forward = FftPlan::create(length, rows, FftDirection::forward);
    if (!forward) {
        return forward.error();
    }
    const Result<FftPlan> inverse = FftPlan::create(length, rows, FftDirection::inverse);
    if (!inverse) {
        return inverse.error();
    }
    return TransformPair{*forward, *inverse, rows};
}

} // namespace

int TokenTransforms::batchOf(const StageSize& size)
{
    constexpr int kElements = 2048;
    return std::clamp(kElements / size.dModel, 1, blockTokensOf(size));
}

Result<TokenTransforms> TokenTransforms::create(const StageSize& size)
{
    const Result<TransformPair> batch = pairOf(size.dModel, batchOf(size));
    if (!batch) {
        return batch.error();
    }
    const Result<TransformPair> single = pairOf(size.dModel, 1);
    if (!single) {
        return single.error();
    }
    return TokenTransforms(*batch, *single);
}

} // namespace flopsmith::cpu
