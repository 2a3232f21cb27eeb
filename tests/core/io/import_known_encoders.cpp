// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/io/import_known.h"

namespace flopsmith::test {

// Encoders, and encoders with decoders.
const std::vector<KnownModel>& knownEncoderModels()
{
    static const std::vector<KnownModel> kModels{
        {"albert-base-v1",
         R"({"model_type": "albert", "architectures": ["AlbertModel"], "embedding_size": 128,
            "hidden_act": "gelu", "hidden_size": 768, "inner_group_num": 1,
            "intermediate_size": 3072, "max_position_embeddings": 512,
            "num_attention_heads": 12, "num_hidden_groups": 1, "num_hidden_layers": 12,
            "type_vocab_size": 2, "vocab_size": 30000})",
         "11683584",
         "11683584",
         "",
         {{Asked::encode, 128, "11186798592"}, {Asked::encode, 512, "48369303552"}}},
        {"bert-base-uncased",
         R"({"model_type": "bert", "architectures": ["BertModel"], "hidden_act": "gelu",
            "hidden_size": 768, "intermediate_size": 3072, "max_position_embeddings": 512,
            "num_attention_heads": 12, "num_hidden_layers": 12, "type_vocab_size": 2,
            "vocab_size": 30522})",
         "109482240",
         "109482240",
         "",
         {{Asked::encode, 128, "11174215680"}, {Asked::encode, 512, "48318971904"}}},
        {"fnet-base",
         R"({"model_type": "fnet", "architectures": ["FNetModel"], "vocab_size": 32000,
            "hidden_size": 768, "num_hidden_layers": 12, "intermediate_size": 3072,
            "hidden_act": "gelu_new", "max_position_embeddings": 512, "type_vocab_size": 4})",
         "82861056",
         "82861056",
         "",
         {{Asked::encode, 128, "7323844608"}, {Asked::encode, 512, "29293608960"}}},
        {"vit-base-patch16-224",
         R"({"model_type": "vit", "architectures": ["ViTForImageClassification"],
            "hidden_act": "gelu", "hidden_size": 768, "image_size": 224,
            "intermediate_size": 3072, "num_attention_heads": 12, "num_channels": 3,
            "num_hidden_layers": 12, "patch_size": 16, "qkv_bias": true})",
         "86567656",
         "86567656",
         "",
         {{Asked::encode, 0, "17563828224"}}},
        {"t5-small",
         R"({"model_type": "t5", "architectures": ["T5ForConditionalGeneration"], "d_ff": 2048,
            "d_kv": 64, "d_model": 512, "feed_forward_proj": "relu", "is_encoder_decoder": true,
            "n_positions": 512, "num_decoder_layers": 6, "num_heads": 8, "num_layers": 6,
            "relative_attention_num_buckets": 32, "vocab_size": 32128})",
         "60506624",
         "60506624",
         "",
         {{Asked::encode, 128, "18312331264"}}},
        {"switch-base-8",
         R"({"model_type": "switch_transformers",
            "architectures": ["SwitchTransformersForConditionalGeneration"], "d_model": 768,
            "d_kv": 64, "d_ff": 3072, "num_heads": 12, "num_layers": 12,
            "num_decoder_layers": 12, "num_sparse_encoder_layers": 6,
            "num_sparse_decoder_layers": 6, "num_experts": 8, "vocab_size": 32128,
            "relative_attention_num_buckets": 32, "router_bias": false,
            "tie_word_embeddings": true, "is_encoder_decoder": true})",
         "619339008",
         "222977280",
         "",
         {}},
    };
    return kModels;
}

} // namespace flopsmith::test
