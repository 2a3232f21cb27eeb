// SPDX-License-Identifier: MIT
#include "core/mixer/fourier.h"

namespace flopsmith {
namespace {

constexpr Component kFourierComponent{"fourier", "Fourier mixing", 0x34508C, Hatch::vertical};

} // namespace

const VariantInfo& FourierMixer::info()
{
    static constexpr VariantInfo kInfo{
        "fourier",
        "Fourier mixing",
        "Re(FFT over tokens(FFT over features(x)))",
        "Mixes all tokens by two Fourier transforms without any parameter (FNet). Cost grows like "
        "S\xC2\xB7log S; an encoder only, as nothing can be cached for decoding.",
        &kFourierComponent};
    return kInfo;
}

const std::vector<Field<FourierMixer>>& FourierMixer::fields()
{
    static const std::vector<Field<FourierMixer>> kFields;
    return kFields;
}

} // namespace flopsmith
