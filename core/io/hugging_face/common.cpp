// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/common.h"

#include "core/json/json.h"

#include <array>
#include <limits>

namespace flopsmith {

Activation activationOf(ConfigReader& config,
                        ConfigReader::Spellings spellings,
                        const char* classDefault)
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
    const std::string name = config.text(spellings, classDefault);
    std::string known;
    for (const Spelling& spelling : kSpellings) {
        if (spelling.name == name) {
            return spelling.activation;
        }
        known += (known.empty() ? "" : ", ") + std::string(spelling.name);
    }
    config.fail(*spellings.begin(),
                "the activation is " + json::shownValue(name) + ", which is not known; known are "
                    + known);
    return Activation::none;
}

int classesOf(ConfigReader& config)
{
    constexpr int kUsual = 2;
    const Json& labels = config.value("id2label");
    const std::optional<int> number = config.optionalSize({"num_labels", "num_classes"});
    if (labels.is_object() && !labels.empty()) {
        return static_cast<int>(labels.size());
    }
    if (!labels.is_null()) {
        config.fail("id2label", "expected an object of labels, found " + json::shownValue(labels));
    }
    if (!number) {
        config.assumed("num_labels", std::to_string(kUsual));
    }
    return number.value_or(kUsual);
}

Head tokenHead(ConfigReader& config, const Architecture& architecture)
{
    const bool isOfSequence = architecture.name.ends_with(kSequenceClasses);
    if (isOfSequence) {
        config.note(std::string(architecture.name)
                    + " computes its classes at every token, and reads those of the last one");
    }
    return {.kind = HeadKind::tokens,
            .tied = false,
            .bias = !isOfSequence,
            .classes = classesOf(config)};
}

void readRotary(ConfigReader& config)
{
    config.ignore({"rope_theta",
                   "rotary_emb_base",
                   "rope_interleaved",
                   "rope_local_base_freq",
                   "original_max_position_embeddings",
                   "initial_context_length",
                   "max_position_embeddings",
                   "rope_scaling",
                   "rope_parameters"});
}

int rotaryDimOf(ConfigReader& config, const char* spelling, double factor, int headDim)
{
    const Json& parameters = config.value("rope_parameters");
    double share = config.realOr({"partial_rotary_factor", spelling}, factor);
    if (parameters.is_object() && parameters.contains("partial_rotary_factor")
        && parameters["partial_rotary_factor"].is_number()) {
        share = parameters["partial_rotary_factor"].get<double>();
    }
    if (!(share > 0.0 && share <= 1.0)) {
        config.fail(spelling, "the share of a head that is rotated must be above 0 and at most 1");
        return 0;
    }
    const int rotated = static_cast<int>(headDim * share);
    return rotated == headDim ? 0 : rotated;
}

int headDimOf(ConfigReader& config, int heads, int width)
{
    const int derived = width % heads == 0 ? width / heads : 0;
    return storedHeadDim(config.sizeOrDerived({"head_dim"}, derived), heads, width);
}

int storedHeadDim(int headDim, int heads, int width)
{
    return std::int64_t{headDim} * heads == width ? 0 : headDim;
}

int windowOf(ConfigReader& config, const char* key, int classDefault)
{
    if (config.named(key)) {
        return config.optionalSize({key}).value_or(0);
    }
    config.ignore({key});
    if (classDefault > 0) {
        config.assumed(key, std::to_string(classDefault));
    }
    return classDefault;
}

double qkvLimitOf(ConfigReader& config)
{
    const bool isNone = config.value("clip_qkv") == Json(false);
    return isNone ? 0.0 : config.positiveOr("clip_qkv", 0.0);
}

std::vector<bool> slidingLayers(ConfigReader& config,
                                int layers,
                                const std::function<bool(int)>& usual)
{
    std::vector<bool> sliding;
    const std::vector<std::string> types = config.names("layer_types", layers);
    for (int layer = 0; layer < layers; ++layer) {
        if (types.empty()) {
            sliding.push_back(usual(layer));
            continue;
        }
        const std::string& type = types[static_cast<std::size_t>(layer)];
        if (type != "sliding_attention" && type != "full_attention") {
            config.fail("layer_types",
                        json::shownValue(type)
                            + " is not supported; supported are full_attention and "
                              "sliding_attention");
        }
        sliding.push_back(type == "sliding_attention");
    }
    return sliding;
}

int timesWidth(int factor, int width)
{
    const std::int64_t product = std::int64_t{factor} * width;
    return static_cast<int>(std::min<std::int64_t>(product, std::numeric_limits<int>::max()));
}

Model stackOf(const Block& block, int layers)
{
    Model model;
    model.runs = {{block, layers}};
    return model;
}

void setWindows(Model& model, const std::vector<bool>& sliding, int window)
{
    changeEachBlock(model, [&](Block& block, int layer) {
        attentionIn(block).window = sliding[static_cast<std::size_t>(layer)] ? window : 0;
    });
}

} // namespace flopsmith
