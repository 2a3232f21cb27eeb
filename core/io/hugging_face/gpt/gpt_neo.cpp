// SPDX-License-Identifier: MIT
#include "core/ffn/dense.h"
#include "core/io/hugging_face/common.h"
#include "core/json/json.h"

namespace flopsmith {
namespace {

constexpr Architecture kGptNeoArchitectures[]{
    {"GPTNeoForCausalLM", HeadKind::lm},
    {"GPTNeoModel", HeadKind::none},
};

constexpr const char* kLocal = "local";
constexpr const char* kGlobal = "global";

// attention_types: [[["global", "local"], 12], …] means global, local, global, … of 24 blocks.
std::optional<std::vector<std::string>> patternOf(const Json& types, std::size_t layers)
{
    std::vector<std::string> pattern;
    for (const Json& part : types) {
        const bool understood = part.is_array() && part.size() == 2 && part[0].is_array()
            && part[1].is_number_unsigned();
        if (!understood || part[1].get<std::uint64_t>() > layers) {
            return std::nullopt;
        }
        for (std::uint64_t i = 0; i < part[1].get<std::uint64_t>() && pattern.size() <= layers;
             ++i) {
            for (const Json& kind : part[0]) {
                pattern.push_back(kind.is_string() ? kind.get<std::string>() : "");
            }
        }
    }
    return pattern;
}

std::vector<bool> localLayers(ConfigReader& config, int layers)
{
    const auto count = static_cast<std::size_t>(layers);
    std::vector<std::string> kinds = config.names("attention_layers", layers);
    const Json& types = config.value("attention_types");
    if (kinds.empty() && types.is_null()) {
        for (std::size_t i = 0; i < count; ++i) {
            kinds.emplace_back(i % 2 == 0 ? kGlobal : kLocal);
        }
    } else if (kinds.empty()) {
        kinds = patternOf(types, count).value_or(std::vector<std::string>{});
    }
    std::vector<bool> local(count, false);
    for (std::size_t i = 0; i < count; ++i) {
        const bool known = kinds.size() == count && (kinds[i] == kLocal || kinds[i] == kGlobal);
        if (!known) {
            config.fail("attention_types",
                        "expected [[[\"global\", \"local\"], N], \xE2\x80\xA6] for "
                            + std::to_string(layers) + " blocks in all");
            return local;
        }
        local[i] = kinds[i] == kLocal;
    }
    return local;
}

// As GPT-2, but with scores that are not scaled, no biases on queries, keys and values, and a
// window in every other block.
Model importGptNeo(ConfigReader& config, const Architecture& architecture)
{
    const int width = config.sizeOr({"hidden_size"}, 2048);
    const int heads = config.sizeOr({"num_heads", "num_attention_heads"}, 16);
    Block block;
    block.mixer =
        Attention{.heads = heads, .kvHeads = heads, .qkvBias = false, .scaleScores = false};
    block.ffn = DenseFfn{.dFf = config.sizeOrDerived({"intermediate_size"}, timesWidth(4, width)),
                         .activation = activationOf(config, {"activation_function"}, "gelu_new")};
    Model model = stackOf(block, config.layersOr({"num_layers", "num_hidden_layers"}, 24));
    model.dModel = width;
    model.embedding = {.vocab = config.sizeOr({"vocab_size"}, 50257),
                       .positions = Positions::learned,
                       .positionRows = config.sizeOr({"max_position_embeddings"}, 2048)};
    model.head = {.kind = architecture.head, .tied = config.flag("tie_word_embeddings", true)};
    setWindows(model, localLayers(config, model.layers()), config.sizeOr({"window_size"}, 256));
    return model;
}

} // namespace

const Family& gptNeoFamily()
{
    static const Family kFamily{"gpt_neo", "GPT-Neo", kGptNeoArchitectures, importGptNeo};
    return kFamily;
}

} // namespace flopsmith
