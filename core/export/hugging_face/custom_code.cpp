// SPDX-License-Identifier: MIT
#include "core/export/hugging_face/custom_code.h"

#include "core/export/torch/model_source.h"
#include "core/json/json_text.h"

namespace flopsmith {
namespace {

// How the library calls a class of its kind, and what its forward pass takes and gives.
struct CustomClass
{
    std::string_view name;
    std::string_view autoClass;
    std::string_view output; ///< class of the outputs
    std::string_view field; ///< of them
    std::string_view inputs; ///< parameters of forward()
    std::string_view call; ///< arguments of the model
    bool generates = false;
};

CustomClass classOf(const Model& model)
{
    if (model.hasEncoder()) {
        return {.name = "FlopsmithForConditionalGeneration",
                .autoClass = "AutoModelForSeq2SeqLM",
                .output = "Seq2SeqLMOutput",
                .field = "logits",
                .inputs = "input_ids, decoder_input_ids",
                .call = "decoder_input_ids, input_ids"};
    }
    const bool readsImages = model.embedding.readsPatches();
    const std::string_view input = readsImages ? "pixel_values" : "input_ids";
    if (model.head.kind == HeadKind::classifier) {
        return {.name = readsImages ? "FlopsmithForImageClassification"
                                    : "FlopsmithForSequenceClassification",
                .autoClass = readsImages ? "AutoModelForImageClassification"
                                         : "AutoModelForSequenceClassification",
                .output = readsImages ? "ImageClassifierOutput" : "SequenceClassifierOutput",
                .field = "logits",
                .inputs = input,
                .call = input};
    }
    if (model.head.isLm()) {
        return {.name = "FlopsmithForCausalLM",
                .autoClass = "AutoModelForCausalLM",
                .output = "CausalLMOutput",
                .field = "logits",
                .inputs = input,
                .call = input,
                .generates = true};
    }
    return {.name = "FlopsmithModel",
            .autoClass = "AutoModel",
            .output = "BaseModelOutput",
            .field = "last_hidden_state",
            .inputs = input,
            .call = input};
}

std::string shellText(const CustomClass& c)
{
    const auto text = [](std::string_view view) { return std::string(view); };
    const std::string bases = c.generates ? "PreTrainedModel, GenerationMixin" : "PreTrainedModel";
    std::string shell = "\n\nclass " + text(c.name) + "(" + bases + R"(:
    """The model as the Hugging Face library calls it. Every pass reads whole sequences."""

    config_class = FlopsmithConfig
    base_model_prefix = "model"
    main_input_name = ")"
        + text(c.inputs.substr(0, c.inputs.find(','))) + R"("

    def __init__(self, config):
        super().__init__(config)
        self.model = Model()
        self.post_init()

    def _init_weights(self, module):
        pass  # the parts draw their own
)";
    shell.replace(shell.find(bases) + bases.size(), 1, "):");
    if (c.inputs != "pixel_values") {
        shell += R"(
    def get_input_embeddings(self):
        return self.model.embedding.tokens

    def set_input_embeddings(self, table):
        self.model.embedding.tokens = table
)";
    }
    shell += "\n    def forward(self, " + text(c.inputs) + ", **others):\n        return "
        + text(c.output) + "(" + text(c.field) + "=self.model(" + text(c.call) + "))\n";
    return shell;
}

} // namespace

Json customConfig(const Project& project)
{
    const Model& model = project.scenario.model;
    const CustomClass custom = classOf(model);
    const auto design = parsedJson(projectText(project), "design");
    Json config{
        {"model_type", "flopsmith"},
        {"architectures", Json::array({custom.name})},
        {"auto_map",
         {{"AutoConfig", "configuration_flopsmith.FlopsmithConfig"},
          {std::string(custom.autoClass), "modeling_flopsmith." + std::string(custom.name)}}},
        {"torch_dtype", "float32"},
        {"use_cache", false},
        {"vocab_size", model.embedding.vocab},
        {"hidden_size", model.dModel},
        {"num_hidden_layers", model.layers()},
        {"is_encoder_decoder", model.hasEncoder()},
        {"tie_word_embeddings", false}, // the program shares the matrix itself
        {"flopsmith", design ? *design : Json()}};
    if (model.head.kind == HeadKind::classifier) {
        config["num_labels"] = model.head.classes;
    }
    return config;
}

std::string customConfiguration()
{
    return R"(# SPDX-License-Identifier: MIT
# Written by Flopsmith; the generated text belongs to you.
from transformers import PretrainedConfig

class FlopsmithConfig(PretrainedConfig):
    """The design stands under `flopsmith`; the sizes of the program are its literals."""

    model_type = "flopsmith"

    def __init__(self, flopsmith=None, **others):
        self.flopsmith = flopsmith
        super().__init__(**others)
)";
}

Result<std::string> customModeling(const Scenario& scenario)
{
    const Result<std::string> source = torch::modelSource(scenario);
    if (!source) {
        return source.error();
    }
    const CustomClass custom = classOf(scenario.model);
    const std::string anchor = "from torch import nn\n";
    std::string text = *source;
    const std::size_t at = text.find(anchor);
    if (at == std::string::npos) {
        return Error{"the program of the model imports no torch.nn"};
    }
    const std::string imports = std::string("from transformers import ")
        + (custom.generates ? "GenerationMixin, PreTrainedModel" : "PreTrainedModel")
        + "\nfrom transformers.modeling_outputs import " + std::string(custom.output)
        + "\n\nfrom .configuration_flopsmith import FlopsmithConfig\n";
    text.insert(at + anchor.size(), imports);
    while (!text.empty() && text.back() == '\n') {
        text.pop_back();
    }
    return text + "\n" + shellText(custom);
}

} // namespace flopsmith
