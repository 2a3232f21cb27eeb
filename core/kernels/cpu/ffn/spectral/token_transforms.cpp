// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn/spectral/token_transforms.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

std::size_t binsOf(int length)
{
    return static_cast<std::size_t>(length) / 2 + 1;
}

// FFTW transforms copies in the first-level cache: it accesses its arrays with large strides, and x
// and y may not be aligned for its vectors.
int plannedBatch(const StageSize& size)
{
    constexpr int kElements = 2048;
    return std::clamp(kElements / size.dModel, 1, blockTokensOf(size));
}

Result<TransformPair> planned(int length, int rows, std::size_t bins)
{
    FLOPSMITH_TRY(const FftPlan forward, FftPlan::create(length, rows, FftDirection::forward));
    FLOPSMITH_TRY(const FftPlan inverse, FftPlan::create(length, rows, FftDirection::inverse));
    return TransformPair{rows, length, bins, forward, inverse};
}

} // namespace

void TransformPair::forward(const float* x, float* spectra, float* scratch, const float* next) const
{
    if (row != nullptr) {
        row->forward(x, spectra, scratch, next);
        return;
    }
    std::copy_n(x, static_cast<std::size_t>(rows) * static_cast<std::size_t>(length), scratch);
    forwardPlan->forward(scratch, spectra);
}

void TransformPair::inverse(float* spectra, float* y, float* scratch, StoreKind storeKind) const
{
    if (row != nullptr) {
        row->inverse(spectra, y, scratch, storeKind);
        return;
    }
    const std::size_t stride = 2 * binsOf(length);
    for (std::size_t token = 0; token < static_cast<std::size_t>(rows); ++token) {
        float* spectrum = spectra + token * stride;
        std::fill(spectrum + 2 * bins, spectrum + stride, 0.0F);
    }
    inversePlan->inverse(spectra, scratch);
    std::copy_n(scratch, static_cast<std::size_t>(rows) * static_cast<std::size_t>(length), y);
}

int TokenTransforms::batchOf(const StageSize& size)
{
    return RowFft::supports(size.dModel) ? 1 : plannedBatch(size);
}

std::size_t TokenTransforms::scratchSize(const StageSize& size)
{
    if (RowFft::supports(size.dModel)) {
        return RowFft::scratchSize(size.dModel);
    }
    return static_cast<std::size_t>(plannedBatch(size)) * static_cast<std::size_t>(size.dModel);
}

Result<TokenTransforms> TokenTransforms::create(const StageSize& size, std::size_t bins)
{
    TokenTransforms transforms;
    if (RowFft::supports(size.dModel)) {
        transforms.m_single = {.rows = 1,
                               .length = size.dModel,
                               .bins = bins,
                               .row = std::make_shared<const RowFft>(size.dModel, bins)};
        return transforms;
    }
    for (auto [pair, rows] :
         {std::pair{&transforms.m_batch, plannedBatch(size)}, std::pair{&transforms.m_single, 1}}) {
        FLOPSMITH_TRY(TransformPair made, planned(size.dModel, rows, bins));
        *pair = std::move(made);
    }
    return transforms;
}

} // namespace flopsmith::cpu
