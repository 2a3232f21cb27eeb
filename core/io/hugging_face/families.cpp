// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/bert.h"
#include "core/io/hugging_face/gpt2.h"
#include "core/io/hugging_face/llama.h"
#include "core/io/hugging_face/mistral.h"
#include "core/io/hugging_face/qwen2.h"

#include <array>

namespace flopsmith {

std::span<const Family* const> families()
{
    static const std::array<const Family*, 5> kFamilies{
        &gpt2Family(), &llamaFamily(), &mistralFamily(), &qwen2Family(), &bertFamily()};
    return kFamilies;
}

Activation activationOf(ConfigReader& config, const char* key, const char* classDefault)
{
    struct Spelling
    {
        std::string_view name;
        Activation activation;
    };
    static constexpr std::array<Spelling, 11> kSpellings{{
        {"gelu", Activation::gelu},
        {"gelu_python", Activation::gelu},
        {"gelu_new", Activation::geluTanh},
        {"gelu_fast", Activation::geluTanh},
        {"gelu_pytorch_tanh", Activation::geluTanh},
        {"gelu_accurate", Activation::geluTanh},
        {"relu", Activation::relu},
        {"relu2", Activation::reluSquared},
        {"silu", Activation::silu},
        {"swish", Activation::silu},
        {"linear", Activation::none},
    }};
    const std::string name = config.text(key, classDefault);
    std::string known;
    for (const Spelling& spelling : kSpellings) {
        if (spelling.name == name) {
            return spelling.activation;
        }
        known += (known.empty() ? "" : ", ") + std::string(spelling.name);
    }
    config.fail(key, "the activation \"" + name + "\" is not known; known are " + known);
    return Activation::none;
}

} // namespace flopsmith
