// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/hugging_face/config/config_reader.h"
#include "core/layer/activation.h"
#include "core/layer/head.h"
#include "core/model/model.h"

#include <optional>
#include <span>
#include <string_view>

namespace flopsmith {

/// A class that a family's `architectures` may name, and its head.
struct Architecture
{
    std::string_view name; ///< "GPT2LMHeadModel"
    HeadKind head = HeadKind::lm;
};

// Endings of the names of classes whose head sorts every token; in a decoder the first one too.
inline constexpr std::string_view kSequenceClasses = "ForSequenceClassification";
inline constexpr std::string_view kTokenClasses = "ForTokenClassification";
inline constexpr std::string_view kAnswerClasses = "ForQuestionAnswering";

/// One model family of the Hugging Face library: a `.cpp` file in the folder of its kin that defines
/// `const Family& NAMEFamily()`, and NAME in the list below.
struct Family
{
    std::string_view modelType; ///< "gpt2"
    std::string_view title; ///< "GPT-2"
    std::span<const Architecture> architectures; ///< the usual one first
    /// Fills everything but the model's name. Reports through the reader.
    Model (*import)(ConfigReader& config, const Architecture& architecture);
    /// The object with the language model in files that describe more: an image part, which is not
    /// imported.
    const char* section = nullptr;
    /// Whether its class has an encoder and a decoder; other families reject is_encoder_decoder.
    bool twoStacks = false;

    /// The class of this name and its head: of the list above, or one that sorts every token, which all
    /// families of one stack have. Nothing if there is none.
    std::optional<Architecture> architecture(std::string_view name) const;
};

// The list of families, in the order in which they are named to the user.
#define FLOPSMITH_HUGGING_FACE_FAMILIES(X)                                                         \
    X(gpt2)                                                                                        \
    X(gptNeo)                                                                                      \
    X(gptj)                                                                                        \
    X(codegen)                                                                                     \
    X(gptBigcode)                                                                                  \
    X(openaiGpt)                                                                                   \
    X(xglm)                                                                                        \
    X(biogpt)                                                                                      \
    X(persimmon)                                                                                   \
    X(gptNeox)                                                                                     \
    X(opt)                                                                                         \
    X(bloom)                                                                                       \
    X(falcon)                                                                                      \
    X(refinedWeb)                                                                                  \
    X(refinedWebModel)                                                                             \
    X(mpt)                                                                                         \
    X(bert)                                                                                        \
    X(distilbert)                                                                                  \
    X(roberta)                                                                                     \
    X(xlmRoberta)                                                                                  \
    X(xlmRobertaXl)                                                                                \
    X(camembert)                                                                                   \
    X(ernie)                                                                                       \
    X(megatronBert)                                                                                \
    X(mpnet)                                                                                       \
    X(electra)                                                                                     \
    X(albert)                                                                                      \
    X(fnet)                                                                                        \
    X(vit)                                                                                         \
    X(vitMsn)                                                                                      \
    X(deit)                                                                                        \
    X(t5)                                                                                          \
    X(mt5)                                                                                         \
    X(switchTransformers)                                                                          \
    X(llama)                                                                                       \
    X(mistral)                                                                                     \
    X(ministral)                                                                                   \
    X(ministral3)                                                                                  \
    X(mixtral)                                                                                     \
    X(qwen2)                                                                                       \
    X(qwen2Moe)                                                                                    \
    X(qwen3)                                                                                       \
    X(qwen3Moe)                                                                                    \
    X(gemma)                                                                                       \
    X(gemma2)                                                                                      \
    X(gemma3Text)                                                                                  \
    X(gemma3)                                                                                      \
    X(phi)                                                                                         \
    X(phi3)                                                                                        \
    X(stablelm)                                                                                    \
    X(starcoder2)                                                                                  \
    X(olmo)                                                                                        \
    X(olmo2)                                                                                       \
    X(olmo3)                                                                                       \
    X(olmoe)                                                                                       \
    X(flexOlmo)                                                                                    \
    X(granite)                                                                                     \
    X(granitemoe)                                                                                  \
    X(granitemoeshared)                                                                            \
    X(cohere)                                                                                      \
    X(cohere2)                                                                                     \
    X(glm)                                                                                         \
    X(glm4)                                                                                        \
    X(glm4Moe)                                                                                     \
    X(dots1)                                                                                       \
    X(nemotron)                                                                                    \
    X(smollm3)                                                                                     \
    X(exaone4)                                                                                     \
    X(ernie45)                                                                                     \
    X(hunyuanDense)                                                                                \
    X(seedOss)                                                                                     \
    X(arcee)                                                                                       \
    X(helium)                                                                                      \
    X(gptOss)                                                                                      \
    X(deepseek)                                                                                    \
    X(deepseekV2)                                                                                  \
    X(deepseekV3)                                                                                  \
    X(kimiK2)                                                                                      \
    X(mamba2)                                                                                      \
    X(bamba)                                                                                       \
    X(granitemoehybrid)                                                                            \
    X(nemotronH)

#define FLOPSMITH_DECLARE_FAMILY(name) const Family& name##Family();
FLOPSMITH_HUGGING_FACE_FAMILIES(FLOPSMITH_DECLARE_FAMILY)
#undef FLOPSMITH_DECLARE_FAMILY

/// All supported families.
std::span<const Family* const> families();

} // namespace flopsmith
