// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/qwen2.h"

#include <algorithm>

namespace flopsmith {
namespace {

constexpr Architecture kArchitectures[]{
    {"Qwen2ForCausalLM", HeadKind::lm},
    {"Qwen2Model", HeadKind::none},
};

constexpr int kDefaultWindow = 4096;
constexpr int kDefaultFullLayers = 28;

// The first `full` blocks see everything, the others through the window.
void splitAtWindow(Model& model, int full, int window)
{
    const BlockRun all = model.runs.front();
    BlockRun seeing = all;
    BlockRun sliding = all;
    seeing.repeat = std::min(full, all.repeat);
    sliding.repeat = all.repeat - seeing.repeat;
    std::get<Attention>(sliding.block.mixer).window = window;
    model.runs = {seeing, sliding};
    model.joinEqualRuns();
}

// layer_types names the attention of every block in newer files; it must say the same as the
// other keys, because only those are imported.
void checkLayerTypes(ConfigReader& config, int full, int layers)
{
    const ConfigReader::Json& types = config.value("layer_types");
    if (types.is_null()) {
        return;
    }
    ConfigReader::Json expected = ConfigReader::Json::array();
    for (int layer = 0; layer < layers && types.size() == static_cast<std::size_t>(layers);
         ++layer) {
        expected.push_back(layer < full ? "full_attention" : "sliding_attention");
    }
    if (types != expected) {
        config.fail("layer_types",
                    "contradicts num_hidden_layers, use_sliding_window and max_window_layers");
    }
}

// As Llama, with biases on query, key and value (no key says so), and a sliding window only if
// use_sliding_window is true, and then only from block max_window_layers on.
Model import(ConfigReader& config, HeadKind head)
{
    Model model = llamaLike(config, head);
    std::get<Attention>(model.runs.front().block.mixer).qkvBias = true;
    const int layers = model.runs.front().repeat;
    int full = layers;
    if (config.flag("use_sliding_window", false)) {
        full = config.countOr("max_window_layers", kDefaultFullLayers);
        splitAtWindow(model, full, config.sizeOr("sliding_window", kDefaultWindow));
    }
    checkLayerTypes(config, full, layers);
    config.ignore({"sliding_window", "max_window_layers", "use_mrope"});
    return model;
}

} // namespace

const Family& qwen2Family()
{
    static const Family kFamily{"qwen2", "Qwen2", kArchitectures, import};
    return kFamily;
}

} // namespace flopsmith
