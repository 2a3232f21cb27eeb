// SPDX-License-Identifier: MIT
#include "core/export/hugging_face/custom_code.h"

#include "core/export/torch/class_list.h"
#include "core/export/torch/model_source.h"
#include "core/export/torch/template.h"
#include "core/ffn/ffn.h"
#include "core/json/json_text.h"
#include "core/mixer/mixer.h"

#include <algorithm>

namespace flopsmith {
namespace {

// The library's name for a class of its kind, and its outputs.
struct CustomClass
{
    std::string name;
    std::string autoClass;
    std::string output; ///< class of the outputs
    std::string field; ///< its member with the logits
};

bool readsTokens(const Model& model)
{
    return !model.embedding.readsPatches();
}

bool isOfDecoder(const Model& model, const Block& block)
{
    return !model.hasEncoder() || !block.isEncoder();
}

// Whether no token sees a later one: a decoder generates tokens one after the other.
bool isCausal(const Model& model)
{
    return std::ranges::none_of(model.runs, [&](const BlockRun& run) {
        return isOfDecoder(model, run.block) && seesLaterTokens(run.block.activeMixer());
    });
}

// Whether a part of a decoder reads features of earlier tokens.
bool readsEarlierTokens(const Block& block)
{
    return (block.hasMixer() && !readsSource(block.mixer))
        || (block.hasFfn() && tokensSeenBefore(block.ffn) > 0);
}

bool predictsTokens(const Model& model)
{
    return model.head.isLm() && readsTokens(model);
}

bool keepsAnyState(const Model& model)
{
    return std::ranges::any_of(
        model.runs, [](const BlockRun& run) { return keepsState(run.block.activeMixer()); });
}

// Whether a pass reads only new tokens, and finds earlier ones in a cache; states are not cached.
bool caches(const Model& model)
{
    return predictsTokens(model) && isCausal(model) && !keepsAnyState(model);
}

bool stores(const Model& model)
{
    return caches(model) && std::ranges::any_of(model.runs, [&](const BlockRun& run) {
               return isOfDecoder(model, run.block) && readsEarlierTokens(run.block);
           });
}

CustomClass lmClass(const Model& model)
{
    if (!readsTokens(model)) {
        return {"FlopsmithModel", "AutoModel", "MaskedLMOutput", "logits"};
    }
    if (model.hasEncoder()) {
        return {"FlopsmithForConditionalGeneration",
                "AutoModelForSeq2SeqLM",
                "Seq2SeqLMOutput",
                "logits"};
    }
    return isCausal(model)
        ? CustomClass{"FlopsmithForCausalLM",
                      "AutoModelForCausalLM",
                      "CausalLMOutputWithPast",
                      "logits"}
        : CustomClass{"FlopsmithForMaskedLM", "AutoModelForMaskedLM", "MaskedLMOutput", "logits"};
}

CustomClass classifierClass(const Model& model)
{
    if (!readsTokens(model)) {
        return {"FlopsmithForImageClassification",
                "AutoModelForImageClassification",
                "ImageClassifierOutput",
                "logits"};
    }
    return {"FlopsmithForSequenceClassification",
            "AutoModelForSequenceClassification",
            model.hasEncoder() ? "Seq2SeqSequenceClassifierOutput" : "SequenceClassifierOutput",
            "logits"};
}

CustomClass classOf(const Model& model)
{
    if (model.head.isLm()) {
        return lmClass(model);
    }
    if (model.head.kind == HeadKind::tokens) {
        return {"FlopsmithForTokenClassification",
                "AutoModelForTokenClassification",
                model.hasEncoder() ? "Seq2SeqLMOutput" : "TokenClassifierOutput",
                "logits"};
    }
    if (model.head.kind == HeadKind::classifier) {
        return classifierClass(model);
    }
    const std::string name = "FlopsmithModel";
    if (model.hasEncoder()) {
        return {name, "AutoModel", "Seq2SeqModelOutput", "last_hidden_state"};
    }
    return model.head.kind == HeadKind::pooler
        ? CustomClass{name, "AutoModel", "BaseModelOutputWithPooling", "pooler_output"}
        : CustomClass{name, "AutoModel", "BaseModelOutput", "last_hidden_state"};
}

torch::TemplateContext shellContext(const Model& model)
{
    const CustomClass custom = classOf(model);
    torch::TemplateContext context;
    context.values = {
        {"library", true},
        {"caches", caches(model)},
        {"stores", stores(model)},
        {"seq2seq", model.hasEncoder()},
        {"images", !readsTokens(model)},
        {"losses", model.head.isOfEveryToken()},
        {"shifts", predictsTokens(model) && isCausal(model) && !model.hasEncoder()},
        {"classifier", model.head.kind == HeadKind::classifier},
        {"token_types", std::int64_t{model.hasEncoder() ? 0 : model.embedding.tokenTypes}}};
    const std::string main = readsTokens(model) ? "input_ids" : "pixel_values";
    context.names = {
        {"NAME", custom.name},
        {"BASES", caches(model) ? "PreTrainedModel, GenerationMixin" : "PreTrainedModel"},
        {"OUTPUT", custom.output},
        {"FIELD", custom.field},
        {"MAIN", main},
        {"INPUT", main + (model.hasEncoder() ? "=None" : "")}};
    return context;
}

std::string shellImports(const Model& model)
{
    const bool isEncoderDecoder = model.hasEncoder();
    std::string text = caches(model) ? "from transformers import GenerationMixin, PreTrainedModel\n"
                                     : "from transformers import PreTrainedModel\n";
    if (caches(model)) {
        text += std::string("from transformers.cache_utils import DynamicCache, DynamicLayer")
            + (isEncoderDecoder ? ", EncoderDecoderCache\n" : "\n");
    }
    const std::string output = classOf(model).output;
    text += "from transformers.modeling_outputs import "
        + (isEncoderDecoder ? "BaseModelOutput, " + output : output) + "\n";
    return text + "\nfrom .configuration_flopsmith import FlopsmithConfig\n";
}

} // namespace

CustomUse customUse(const Model& model)
{
    CustomUse use{.autoClass = classOf(model).autoClass, .sentence = {}};
    if (readsTokens(model)) {
        use.sentence += "Padding may stand on either side: `attention_mask` says what it is.\n";
    }
    if (model.head.isLm() || model.head.hasClasses()) {
        use.sentence += "With `labels` it gives a loss, so that `Trainer` trains it.\n";
    }
    if (caches(model)) {
        use.sentence += "`generate()` reads each token once and finds earlier ones in a cache.\n";
    }
    return use;
}

Json customConfig(const Project& project)
{
    const Model& model = project.scenario.model;
    const CustomClass custom = classOf(model);
    const auto design = parsedJson(projectText(project), "design");
    Json config{{"model_type", "flopsmith"},
                {"architectures", Json::array({custom.name})},
                {"auto_map",
                 {{"AutoConfig", "configuration_flopsmith.FlopsmithConfig"},
                  {custom.autoClass, "modeling_flopsmith." + custom.name}}},
                {"torch_dtype", "float32"},
                {"use_cache", caches(model)},
                {"vocab_size", model.embedding.vocab},
                {"hidden_size", model.dModel},
                {"num_hidden_layers", model.layers()},
                {"is_encoder_decoder", model.hasEncoder()},
                {"tie_word_embeddings", false}, // the program shares the matrix itself
                {"flopsmith", design ? *design : Json()}};
    if (model.head.hasClasses()) {
        config["num_labels"] = model.head.classes;
    }
    if (model.hasEncoder()) { // outputs begin with the token that is padding, as T5's
        config["decoder_start_token_id"] = 0;
        config["pad_token_id"] = 0;
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

    def __init__(
        self,
        flopsmith=None,
        use_cache=False,
        pad_token_id=None,
        decoder_start_token_id=None,
        **others,
    ):
        self.flopsmith = flopsmith
        self.use_cache = use_cache
        self.decoder_start_token_id = decoder_start_token_id
        super().__init__(pad_token_id=pad_token_id, **others)
        self.pad_token_id = pad_token_id
)";
}

Result<std::string> customModeling(const Scenario& scenario)
{
    constexpr std::string_view kShell = "export/library_model.py";
    const torch::TemplateContext context = shellContext(scenario.model);
    FLOPSMITH_TRY(const std::string classes,
                  torch::rendered(*torch::templateAt(kShell), context, std::string(kShell)));
    return torch::librarySource(
        scenario,
        {.context = context, .imports = shellImports(scenario.model), .classes = classes});
}

} // namespace flopsmith
