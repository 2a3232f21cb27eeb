// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/config/precision_reader.h"

#include "core/base/printable.h"
#include "core/io/hugging_face/config/config_reader.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace flopsmith {
namespace {

struct NamedType
{
    std::string_view name;
    int bits;
};

constexpr NamedType kTypes[]{{"float32", 32},
                             {"float", 32},
                             {"bfloat16", 16},
                             {"float16", 16},
                             {"half", 16},
                             {"float8_e4m3fn", 8},
                             {"float8_e5m2", 8}};

constexpr std::array kWeightBits{2, 3, 4, 5, 6, 8};
constexpr int kFloat16 = 16;
constexpr int kFloat32 = 32;

// "bfloat16", "torch.bfloat16". Without a type the library uses 32 bits; unquantised weights of
// quantised files have 16.
Precision storedType(ConfigReader& config, bool isQuantised)
{
    constexpr std::string_view kPrefix = "torch.";
    std::string name;
    for (const char* key : {"dtype", "torch_dtype"}) { // the newer one first
        const Json& value = config.value(key);
        if (name.empty() && value.is_string()) {
            name = value.get<std::string>();
        }
    }
    const std::string_view type =
        std::string_view(name).substr(name.starts_with(kPrefix) ? kPrefix.size() : 0);
    for (const NamedType& known : kTypes) {
        if (type == known.name) {
            return Precision::of(known.bits);
        }
    }
    if (!type.empty() && type != "auto") {
        config.note("dtype is " + excerpt(name) + ", which is not known");
    }
    return Precision::of(isQuantised ? kFloat16 : kFloat32);
}

std::optional<int> wholeIn(const Json& object, const char* key)
{
    constexpr std::int64_t kMax = 1 << 30;
    if (!object.is_object() || !object.contains(key) || !object[key].is_number_integer()) {
        return std::nullopt;
    }
    const auto number = object[key].get<std::int64_t>();
    return number > 0 && number <= kMax ? std::optional(static_cast<int>(number)) : std::nullopt;
}

bool flagIn(const Json& object, const char* key)
{
    return object.contains(key) && object[key].is_boolean() && object[key].get<bool>();
}

std::string textIn(const Json& object, const char* key)
{
    return object.contains(key) && object[key].is_string() ? object[key].get<std::string>()
                                                           : std::string();
}

/// Reads one object of quantisation, on top of the precision of unquantised weights.
class Quantisation
{
public:
    Quantisation(ConfigReader& config, const char* key, const Json& object, Precision& precision)
        : m_config(config)
        , m_key(key)
        , m_object(object)
        , m_precision(precision)
    {}

    void read()
    {
        const std::string method = textIn(m_object, "quant_method");
        if (method == "mxfp4") {
            experts({.bits = 4, .group = 32, .groupBits = 8});
        } else if (method == "gptq" || method == "awq") {
            packedInGroups();
        } else if (method == "fp8") {
            blocksOfFloat8();
        } else if (method == "bitsandbytes" || flagIn(m_object, "load_in_4bit")
                   || flagIn(m_object, "load_in_8bit")) {
            bitsAndBytes();
        } else if (method == "compressed-tensors") {
            compressedTensors();
        } else if (method.empty() && wholeIn(m_object, "bits")) {
            mlx();
        } else {
            m_config.note(m_key + (method.empty() ? "" : " of " + excerpt(method))
                          + ": not imported; set weight_bits to what it stores");
        }
    }

private:
    // Linear layers, also in experts; tables, head and vectors stay as they are.
    void linearLayers(const WeightFormat& format)
    {
        const int stored = m_precision.weightBits;
        if (std::ranges::find(kWeightBits, format.bits) == kWeightBits.end()) {
            m_config.note(m_key + ": " + std::to_string(format.bits)
                          + " bits per weight are not imported");
            return;
        }
        m_precision.weightBits = format.bits;
        m_precision.weightGroup = format.group;
        m_precision.weightGroupBits = format.group > 0 ? format.groupBits : kFloat16;
        m_precision.embeddingBits = m_precision.headBits = m_precision.vectorBits = stored;
    }

    void experts(const WeightFormat& format)
    {
        m_precision.expertBits = format.bits;
        m_precision.expertGroup = format.group;
        m_precision.expertGroupBits = format.groupBits;
    }

    // GPTQ and AWQ: a scale of 16 bits and a packed zero point for each group.
    void packedInGroups()
    {
        const int bits = wholeIn(m_object, "bits").value_or(wholeIn(m_object, "w_bit").value_or(4));
        const int group =
            wholeIn(m_object, "group_size").value_or(wholeIn(m_object, "q_group_size").value_or(0));
        linearLayers({.bits = bits, .group = group, .groupBits = kFloat16 + bits});
        if (flagIn(m_object, "lm_head")) {
            m_precision.headBits = 0;
        }
    }

    // DeepSeek-V3: a scale of 32 bits for each square of weights.
    void blocksOfFloat8()
    {
        int block = 0;
        if (m_object.contains("weight_block_size") && m_object["weight_block_size"].is_array()) {
            block = 1;
            for (const Json& side : m_object["weight_block_size"]) {
                const bool isSide = side.is_number_integer() && side.get<std::int64_t>() > 0
                    && side.get<std::int64_t>() <= 255;
                block = isSide ? block * static_cast<int>(side.get<std::int64_t>()) : 0;
            }
        }
        linearLayers({.bits = 8, .group = block, .groupBits = kFloat32});
    }

    // NF4 and FP4: a scale for every 64 weights, of 32 bits, or of 8 where scales are quantised again.
    void bitsAndBytes()
    {
        if (flagIn(m_object, "load_in_4bit") || flagIn(m_object, "_load_in_4bit")) {
            const bool twice = flagIn(m_object, "bnb_4bit_use_double_quant");
            linearLayers({.bits = 4, .group = 64, .groupBits = twice ? 8 : kFloat32});
        } else {
            linearLayers({.bits = 8, .group = 0, .groupBits = 0});
        }
    }

    void compressedTensors()
    {
        const Json* groups =
            m_object.contains("config_groups") ? &m_object["config_groups"] : nullptr;
        if (groups != nullptr && groups->is_object() && groups->size() == 1) {
            const Json& only = groups->items().front().value();
            const Json* weights =
                only.is_object() && only.contains("weights") ? &only["weights"] : nullptr;
            if (weights != nullptr && wholeIn(*weights, "num_bits")) {
                const int bits = *wholeIn(*weights, "num_bits");
                const bool symmetric =
                    !weights->contains("symmetric") || flagIn(*weights, "symmetric");
                linearLayers({.bits = bits,
                              .group = wholeIn(*weights, "group_size").value_or(0),
                              .groupBits = kFloat16 + (symmetric ? 0 : bits)});
                return;
            }
        }
        m_config.note(m_key + ": its groups are not imported; set weight_bits to what they store");
    }

    // Linear layers, tables and head alike: a scale and a bias for each group.
    void mlx()
    {
        const int stored = m_precision.weightBits;
        const bool micro = textIn(m_object, "mode") == "mxfp4";
        linearLayers({.bits = *wholeIn(m_object, "bits"),
                      .group = wholeIn(m_object, "group_size").value_or(64),
                      .groupBits = micro ? 8 : 2 * std::min(stored, kFloat16)});
        m_precision.embeddingBits = m_precision.headBits = 0;
        int others = 0;
        for (const JsonMember& member : m_object.items()) {
            others += member.value().is_object() || member.value().is_boolean() ? 1 : 0;
        }
        if (others > 0) {
            m_config.note(m_key + ": " + std::to_string(others)
                          + " layers with a format of their own are taken as the others");
        }
    }

    ConfigReader& m_config;
    std::string m_key;
    const Json& m_object;
    Precision& m_precision;
};

} // namespace

Precision readPrecision(ConfigReader& config)
{
    const char* found = nullptr;
    for (const char* key : {"quantization_config", "quantization", "compression_config"}) {
        found = config.value(key).is_object() && found == nullptr ? key : found;
    }
    Precision precision = storedType(config, found != nullptr);
    if (found != nullptr) {
        Quantisation(config, found, config.value(found), precision).read();
    }
    return precision;
}

} // namespace flopsmith
