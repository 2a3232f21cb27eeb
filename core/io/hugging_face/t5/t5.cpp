// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/t5/t5_like.h"

namespace flopsmith {
namespace {

constexpr Architecture kT5Architectures[]{
    {"T5ForConditionalGeneration", HeadKind::lm},
    {"T5WithLMHeadModel", HeadKind::lm},
    {"T5Model", HeadKind::none},
    {"T5EncoderModel", HeadKind::none},
};

constexpr Architecture kMultilingual[]{
    {"MT5ForConditionalGeneration", HeadKind::lm},
    {"MT5Model", HeadKind::none},
    {"MT5EncoderModel", HeadKind::none},
};

constexpr T5Defaults kMultilingualDefaults{.vocab = 250112,
                                           .dFf = 1024,
                                           .layers = 8,
                                           .heads = 6,
                                           .feedForward = "gated-gelu",
                                           .tied = false,
                                           .scaledHead = false};

Model importT5(ConfigReader& config, const Architecture& architecture)
{
    return t5Like(config, T5Defaults{}, architecture);
}

Model importMultilingual(ConfigReader& config, const Architecture& architecture)
{
    return t5Like(config, kMultilingualDefaults, architecture);
}

} // namespace

const Family& t5Family()
{
    static const Family kFamily{"t5", "T5", kT5Architectures, importT5, nullptr, true};
    return kFamily;
}

const Family& mt5Family()
{
    static const Family kFamily{"mt5", "mT5", kMultilingual, importMultilingual, nullptr, true};
    return kFamily;
}

} // namespace flopsmith
