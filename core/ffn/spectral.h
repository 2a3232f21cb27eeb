// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/layer/activation.h"
#include "core/layer/variant_info.h"
#include "core/layer/weight_shape.h"

#include <cstdint>
#include <vector>

namespace flopsmith {

enum class BinSelection {
    lowPass, ///< the first k_freq bins
    learned, ///< a fixed list of k_freq bins
    topK, ///< per token, the k_freq bins of largest |X|²
};

template <>
std::vector<std::string_view> enumNames<BinSelection>();

enum class SpectralAlgorithm {
    automatic, ///< the one with fewer (nominal) operations
    fft,
    direct, ///< a cos/sin basis of the kept bins as two matrix products
};

template <>
std::vector<std::string_view> enumNames<SpectralAlgorithm>();

/// Spectral FFN: X = rfft(x) over the features of one token; keep k_freq of the F = ⌊d/2⌋+1 bins,
/// Z_j = w_j·X_j (complex), zero elsewhere; y = act(irfft(Z)). irfft includes the factor 1/d.
struct SpectralFfn
{
    int kFreq = 64; ///< k ≤ F
    BinSelection selection = BinSelection::lowPass;
    SpectralAlgorithm algorithm = SpectralAlgorithm::automatic;
    Activation activation = Activation::none;
    int seed = 1; ///< draws the fixed list of `learned`

    bool operator==(const SpectralFfn&) const = default;

    static int bins(int dModel) { return dModel / 2 + 1; }

    /// fft or direct, never automatic.
    SpectralAlgorithm algorithmFor(int dModel) const;

    /// The fixed bins of low_pass and learned, ascending; all F candidates of top_k.
    std::vector<int> candidateBins(int dModel) const;

    static const VariantInfo& info();
    static const std::vector<Field<SpectralFfn>>& fields();
};

/// filter [k, 2]: real and imaginary part of w per kept bin, in the order of candidateBins();
/// top_k has an entry for each of the F bins.
WeightShapes weights(const SpectralFfn& ffn, int dModel);

} // namespace flopsmith
