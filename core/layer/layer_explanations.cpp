// SPDX-License-Identifier: MIT
#include "core/layer/layer_explanations.h"

#include <array>

namespace flopsmith {

std::span<const Explanation> layerExplanations()
{
    static constexpr std::array<Explanation, 45> kAll{{
        {"norm",
         "Brings the features of each token to the same size before or after a layer, so that many "
         "layers can be stacked and trained. LayerNorm and RMSNorm differ in whether the mean is "
         "taken away.",
         "",
         "Ba et al. 2016, Layer Normalization; Zhang and Sennrich 2019, Root Mean Square Layer "
         "Normalization"},
        {"norm=layer_norm",
         "LayerNorm takes away the mean of a token's features and divides them by their standard "
         "deviation, then applies a learned factor and offset. GPT-2 and BERT have it.",
         "(x \xE2\x88\x92 mean)/\xE2\x88\x9A(var + \xCE\xB5)\xC2\xB7\xCE\xB3 + \xCE\xB2",
         "Ba et al. 2016, Layer Normalization"},
        {"norm=rms_norm",
         "RMSNorm divides a token's features by their root mean square and leaves the mean where "
         "it is. It takes fewer operations than LayerNorm; Llama, T5 and Gemma have it.",
         "x/\xE2\x88\x9A(mean(x\xC2\xB2) + \xCE\xB5)\xC2\xB7\xCE\xB3",
         "Zhang and Sennrich 2019, Root Mean Square Layer Normalization"},
        {"norm=none",
         "No normalisation: the numbers pass as they are. Deep stacks are hard to train without "
         "any; single places, such as that behind the embedding, often have none.",
         "",
         "No paper: the absence of the layer of Ba et al. 2016, Layer Normalization"},
        {"norm_scale",
         "Whether the norm multiplies each feature by a learned factor afterwards. Nearly all "
         "models do; OLMo's first version does not.",
         "\xCE\xB3, one number per feature",
         "Ba et al. 2016, Layer Normalization"},
        {"norm_shift",
         "Whether the norm adds a learned offset to each feature afterwards. GPT-2 and BERT do; "
         "RMSNorm has none, and many newer models leave it out.",
         "\xCE\xB2, one number per feature",
         "Ba et al. 2016, Layer Normalization"},
        {"embedding_norm",
         "A norm behind the embedding, before the first block. BERT has one over the sum of its "
         "tables, BLOOM one that made its training more stable.",
         "",
         "Devlin et al. 2018, BERT: Pre-training of Deep Bidirectional Transformers for Language "
         "Understanding; Le Scao et al. 2022, BLOOM: A 176B-Parameter Open-Access Multilingual "
         "Language Model"},
        {"embedding_norm_scale",
         "Whether the norm behind the embedding multiplies each feature by a learned factor: one "
         "parameter for each feature of the table's width.",
         "",
         "Ba et al. 2016, Layer Normalization, behind the embedding as in BERT"},
        {"embedding_norm_shift",
         "Whether the norm behind the embedding adds a learned offset to each feature: one "
         "parameter for each feature of the table's width.",
         "",
         "Ba et al. 2016, Layer Normalization, behind the embedding as in BERT"},
        {"transform_norm",
         "The norm between the head's transform and the logits. BERT's head for masked words has a "
         "linear layer, an activation and this norm before it scores the vocabulary.",
         "",
         "Devlin et al. 2018, BERT: Pre-training of Deep Bidirectional Transformers for Language "
         "Understanding"},
        {"transform_norm_scale",
         "Whether the norm of the head's transform multiplies each feature by a learned factor: "
         "one parameter for each feature that the logits read.",
         "",
         "Ba et al. 2016, Layer Normalization, in the head of BERT"},
        {"transform_norm_shift",
         "Whether the norm of the head's transform adds a learned offset to each feature: one "
         "parameter for each feature that the logits read.",
         "",
         "Ba et al. 2016, Layer Normalization, in the head of BERT"},
        {"input",
         "What the model reads: tokens of a vocabulary, which are looked up in a table, or an "
         "image cut into square patches, each of which a linear layer turns into a token.",
         "",
         "Dosovitskiy et al. 2020, An Image is Worth 16x16 Words: Transformers for Image "
         "Recognition at Scale"},
        {"vocab",
         "How many different tokens there are. Each has a row in the embedding table and a score "
         "in the output, so that in small models with a large vocabulary the table and head are "
         "much of the whole.",
         "table: V rows of d_e numbers",
         "Radford et al. 2019, Language Models are Unsupervised Multitask Learners"},
        {"embedding_width",
         "How wide the rows of the token table are. If it is less than d_model, a linear layer "
         "widens them; ALBERT does so to save parameters, as the table is V times this width.",
         "V\xC2\xB7"
         "d_e numbers in the table",
         "Lan et al. 2019, ALBERT: A Lite BERT for Self-supervised Learning of Language "
         "Representations"},
        {"embedding_projection",
         "The linear layer from the width of the token table to that of the model, with or without "
         "a bias. There must be one where the two widths differ.",
         "",
         "Lan et al. 2019, ALBERT: A Lite BERT for Self-supervised Learning of Language "
         "Representations"},
        {"embedding_scale",
         "Whether the rows of the table are multiplied by a constant. The first transformer takes "
         "the square root of d_model, so that tokens are not drowned by what positions add; Gemma "
         "does the same.",
         "x = \xE2\x88\x9A"
         "d\xC2\xB7table[token]",
         "Vaswani et al. 2017, Attention Is All You Need"},
        {"image_size",
         "How many pixels the side of a square image has. Together with the patches' size it "
         "decides how many tokens there are, which cost grows with.",
         "",
         "Dosovitskiy et al. 2020, An Image is Worth 16x16 Words: Transformers for Image "
         "Recognition at Scale"},
        {"patch_size",
         "How many pixels the side of a patch has; each patch becomes one token. Half the size "
         "gives four times as many tokens.",
         "(image / patch)\xC2\xB2 tokens",
         "Dosovitskiy et al. 2020, An Image is Worth 16x16 Words: Transformers for Image "
         "Recognition at Scale"},
        {"channels",
         "How many numbers each pixel has: three for red, green and blue, one for grey. The layer "
         "that turns patches into tokens reads all of them.",
         "",
         "Dosovitskiy et al. 2020, An Image is Worth 16x16 Words: Transformers for Image "
         "Recognition at Scale"},
        {"extra_tokens",
         "Learned tokens in front of the patches, whose final state stands for the whole image: "
         "one class token in ViT, one more in DeiT that learns from a teacher.",
         "",
         "Dosovitskiy et al. 2020, An Image is Worth 16x16 Words: Transformers for Image "
         "Recognition at Scale; Touvron et al. 2020, Training data-efficient image transformers "
         "and distillation through attention"},
        {"patch_bias",
         "Whether the linear layer that turns patches into tokens adds a learned number to each "
         "feature. ViT's does.",
         "",
         "Dosovitskiy et al. 2020, An Image is Worth 16x16 Words: Transformers for Image "
         "Recognition at Scale"},
        {"positions",
         "How the model learns where a token stands, beside what attention itself may know: a "
         "learned row for each position, fixed waves, or nothing, because rotation or a bias tells "
         "it.",
         "",
         "Vaswani et al. 2017, Attention Is All You Need"},
        {"positions=none",
         "The embedding adds nothing for positions. Models with rotary positions, ALiBi or T5's "
         "relative bias need no table, as attention itself knows the distances.",
         "",
         "Su et al. 2021, RoFormer: Enhanced Transformer with Rotary Position Embedding; Press et "
         "al. 2021, Train Short, Test Long: Attention with Linear Biases Enables Input Length "
         "Extrapolation"},
        {"positions=learned",
         "A learned row for every position is added to the token's. It is simple, but serves no "
         "sequence that is longer than the table. GPT-2, BERT and ViT have it.",
         "x = token row + position row",
         "Radford et al. 2019, Language Models are Unsupervised Multitask Learners; Devlin et al. "
         "2018, BERT: Pre-training of Deep Bidirectional Transformers for Language Understanding"},
        {"positions=sinusoidal",
         "Fixed sine and cosine waves of many lengths are added to the token's row, a different "
         "pattern for each position. There is nothing to learn, and any length can be computed.",
         "sin(p/10000^(2i/d)), cos(p/10000^(2i/d))",
         "Vaswani et al. 2017, Attention Is All You Need"},
        {"position_rows",
         "How many rows the learned table of positions has, which is the longest sequence it "
         "serves. They are parameters whether sequences are that long or not.",
         "P\xC2\xB7"
         "d numbers",
         "Radford et al. 2019, Language Models are Unsupervised Multitask Learners"},
        {"token_types",
         "How many rows the table has that tells parts of the input apart: BERT has two, for the "
         "first and the second sentence. Its row is added to that of each token.",
         "",
         "Devlin et al. 2018, BERT: Pre-training of Deep Bidirectional Transformers for Language "
         "Understanding"},
        {"positions_before_projection",
         "Whether positions, token types and norm have the width of the token table and the "
         "projection to d_model follows, or the other way round. ALBERT has them before it.",
         "",
         "Lan et al. 2019, ALBERT: A Lite BERT for Self-supervised Learning of Language "
         "Representations"},
        {"head",
         "What stands on top of the stack: scores of all words of the vocabulary, BERT's pooled "
         "first token, a classifier, or nothing.",
         "",
         "Devlin et al. 2018, BERT: Pre-training of Deep Bidirectional Transformers for Language "
         "Understanding"},
        {"head=lm",
         "The language model's head: a product with a matrix of V columns scores every token of "
         "the vocabulary, to predict a next or a masked one. In small models it is a large part of "
         "the cost.",
         "logits = x\xC2\xB7W [d, V]",
         "Radford et al. 2019, Language Models are Unsupervised Multitask Learners"},
        {"head=pooler",
         "BERT's pooler: the first token's final state goes through a linear layer and a tanh and "
         "stands for the whole text. It is computed once for a sequence, not for each token.",
         "tanh(x\xE2\x82\x80\xC2\xB7W + b)",
         "Devlin et al. 2018, BERT: Pre-training of Deep Bidirectional Transformers for Language "
         "Understanding"},
        {"head=classifier",
         "A linear layer that scores a few classes for the whole sequence, from its class token's "
         "final state, perhaps behind a pooler. It costs next to nothing.",
         "x\xE2\x82\x80\xC2\xB7W [d, classes] + b",
         "Dosovitskiy et al. 2020, An Image is Worth 16x16 Words: Transformers for Image "
         "Recognition at Scale; Devlin et al. 2018, BERT: Pre-training of Deep Bidirectional "
         "Transformers for Language Understanding"},
        {"head=none",
         "Nothing stands on top of the stack: the final states themselves are the output, as of an "
         "encoder that another model reads.",
         "",
         "No paper: the absence of a head"},
        {"head_tied",
         "Whether the head's matrix is the token table itself. That saves V\xC2\xB7"
         "d parameters and couples what is read with what is written; the product costs the same.",
         "logits = x\xC2\xB7table\xE1\xB5\x80",
         "Press and Wolf 2017, Using the Output Embedding to Improve Language Models"},
        {"head_bias",
         "Whether a learned number is added to the score of each token of the vocabulary. BERT and "
         "GPT-J have one, most others have none.",
         "",
         "Devlin et al. 2018, BERT: Pre-training of Deep Bidirectional Transformers for Language "
         "Understanding"},
        {"head_transform",
         "A linear layer, an activation and a norm between the last block and the scores. BERT's "
         "head for masked words has it, as have its relatives.",
         "norm(act(x\xC2\xB7W + b))",
         "Devlin et al. 2018, BERT: Pre-training of Deep Bidirectional Transformers for Language "
         "Understanding"},
        {"transform_activation",
         "The activation of the head's transform, the layer that stands before the scores in "
         "masked language models. BERT takes GELU.",
         "",
         "Devlin et al. 2018, BERT: Pre-training of Deep Bidirectional Transformers for Language "
         "Understanding; Hendrycks and Gimpel 2016, Gaussian Error Linear Units (GELUs)"},
        {"transform_bias",
         "Whether the linear layer of the head's transform adds a learned number to each feature. "
         "BERT's does; it is a tiny part of the cost.",
         "",
         "Devlin et al. 2018, BERT: Pre-training of Deep Bidirectional Transformers for Language "
         "Understanding"},
        {"head_projection",
         "A linear layer without bias from d_model to the width of the token table, so that a "
         "narrow table can be used for the scores as well. Needed where a tied table is narrower "
         "than the model.",
         "",
         "Lan et al. 2019, ALBERT: A Lite BERT for Self-supervised Learning of Language "
         "Representations: the factorised embedding, used once more in the head"},
        {"head_soft_cap",
         "Bends the scores of the vocabulary so that none is larger than this number. It steadies "
         "training; Gemma 2 takes 30.",
         "z \xE2\x86\x92 cap\xC2\xB7tanh(z/cap)",
         "Gemma Team 2024, Gemma 2: Improving Open Language Models at a Practical Size"},
        {"head_scale",
         "Whether what goes into the scores is multiplied by a constant, as in T5 with a tied "
         "table and in Granite. It takes one multiplication for each feature.",
         "",
         "Raffel et al. 2020, Exploring the Limits of Transfer Learning with a Unified "
         "Text-to-Text Transformer; IBM 2024, Granite 3.0 Language Models"},
        {"unread_pooler",
         "Whether BERT's pooler is computed beside the scores of the masked words although nothing "
         "reads its output, as some published models do.",
         "",
         "Devlin et al. 2018, BERT: Pre-training of Deep Bidirectional Transformers for Language "
         "Understanding"},
        {"classes",
         "How many classes the classifier tells apart: one score is computed for each. ImageNet "
         "has 1000.",
         "",
         "Dosovitskiy et al. 2020, An Image is Worth 16x16 Words: Transformers for Image "
         "Recognition at Scale"},
        {"pooled",
         "Whether the classifier reads the output of a pooler, a linear layer and a tanh over the "
         "first token, or that token's final state itself.",
         "",
         "Devlin et al. 2018, BERT: Pre-training of Deep Bidirectional Transformers for Language "
         "Understanding"},
    }};
    return kAll;
}

} // namespace flopsmith
