// SPDX-License-Identifier: MIT
#include "core/mixer/mixer_explanations.h"

#include <array>

namespace flopsmith {

std::span<const Explanation> mixerExplanations()
{
    static constexpr std::array<Explanation, 36> kAll{{
        {"mixer/none",
         "A block without a token mixer: every token stays for itself, and only the FFN changes "
         "it. Use it to see what attention costs, or for layers that hold nothing but an FFN.",
         "",
         "No paper: the absence of the layer of Vaswani et al. 2017, Attention Is All You Need"},
        {"mixer/attention",
         "Each token asks a question (its query), compares it with the keys of the tokens it may "
         "see, and takes the sum of their values weighted by how well they match. Several heads do "
         "so side by side on narrow slices. Cost grows with the square of the sequence, memory in "
         "decoding with the cached keys and values.",
         "",
         "Vaswani et al. 2017, Attention Is All You Need"},
        {"mixer/latent_attention",
         "Attention whose keys and values are made from one narrow vector for each token, the "
         "latent. Only the latent and one small rotated key are cached, which is a fraction of "
         "what all heads' keys and values would take, at the price of projecting it up again.",
         "",
         "DeepSeek-AI 2024, DeepSeek-V2: A Strong, Economical, and Efficient Mixture-of-Experts "
         "Language Model"},
        {"mixer/cross_attention",
         "Attention of the decoder to the encoder: queries come from the decoder's tokens, keys "
         "and values from what the encoder has made of the source. The keys and values are "
         "computed once for a source and cached.",
         "",
         "Vaswani et al. 2017, Attention Is All You Need"},
        {"mixer/fourier",
         "Mixes the tokens by a Fourier transform over the features and one over the sequence, of "
         "which the real part is kept. It has no parameters and costs S\xC2\xB7log S, but looks at "
         "the whole sequence at once, so that it cannot decode token by token.",
         "",
         "Lee-Thorp et al. 2021, FNet: Mixing Tokens with Fourier Transforms"},
        {"heads",
         "Into how many heads attention is split. Each has queries of its own and compares tokens "
         "in a different way; more heads of the same width cost more, more and narrower ones that "
         "share d_model cost the same.",
         "H\xC2\xB7h = d in most models",
         "Vaswani et al. 2017, Attention Is All You Need"},
        {"kv_heads",
         "How many heads of keys and values there are, which groups of query heads share. As many "
         "as query heads is ordinary attention, one is multi-query attention, numbers between are "
         "grouped-query attention. The cache in decoding shrinks in proportion.",
         "cache per token: 2\xC2\xB7G\xC2\xB7h numbers",
         "Ainslie et al. 2023, GQA: Training Generalized Multi-Query Transformer Models from "
         "Multi-Head Checkpoints; Shazeer 2019, Fast Transformer Decoding: One Write-Head is All "
         "You Need"},
        {"head_dim",
         "How many features each head has. By default the width of the model is divided evenly "
         "among the heads; some models, such as Gemma, choose a width of its own.",
         "h = d / H unless set",
         "Vaswani et al. 2017, Attention Is All You Need"},
        {"causal",
         "Whether a token may see only itself and earlier ones, as a model must that writes text "
         "from left to right. Without it all tokens see each other, as in BERT; the mask halves "
         "the pairs that have to be computed.",
         "S\xC2\xB7(S + 1)/2 pairs instead of S\xC2\xB2",
         "Vaswani et al. 2017, Attention Is All You Need"},
        {"window",
         "The largest number of keys a token looks at: the nearest ones. Cost then grows with S "
         "instead of its square, and the cache is bounded. What lies farther back is reached only "
         "through several layers.",
         "",
         "Beltagy et al. 2020, Longformer: The Long-Document Transformer; Jiang et al. 2023, "
         "Mistral 7B"},
        {"qkv_bias",
         "Whether the projections to queries, keys and values add a learned number to each result. "
         "GPT-2, BERT and Qwen do, Llama does not; it is a small part of the cost.",
         "q = x\xC2\xB7W_q + b_q",
         "Radford et al. 2019, Language Models are Unsupervised Multitask Learners"},
        {"out_bias",
         "Whether the projection of the heads' results back into the residual stream adds a "
         "learned number to each feature. GPT-2 and BERT do, Llama does not.",
         "y = o\xC2\xB7W_o + b_o",
         "Radford et al. 2019, Language Models are Unsupervised Multitask Learners"},
        {"rotary",
         "Turns queries and keys by an angle that grows with the token's position, so that their "
         "product depends on how far apart the tokens are. It needs no parameters, works in every "
         "layer, and replaces a table of positions.",
         "q\xE1\xB5\xA2\xC2\xB7k\xE2\xB1\xBC depends on i \xE2\x88\x92 j only",
         "Su et al. 2021, RoFormer: Enhanced Transformer with Rotary Position Embedding"},
        {"rotary_dim",
         "How many features of each head are rotated; the rest is compared without regard to "
         "positions. GPT-J and GPT-NeoX turn a part of each head, Llama all of it.",
         "",
         "Su et al. 2021, RoFormer: Enhanced Transformer with Rotary Position Embedding; a part in "
         "Wang and Komatsuzaki 2021, GPT-J-6B: A 6 Billion Parameter Autoregressive Language "
         "Model"},
        {"qk_norm",
         "Normalises queries and keys before they are compared, each head alone or all features of "
         "a token together, so that scores cannot grow without bound while training.",
         "",
         "Henry et al. 2020, Query-Key Normalization for Transformers; Dehghani et al. 2023, "
         "Scaling Vision Transformers to 22 Billion Parameters"},
        {"qk_norm_kind",
         "Which norm queries and keys go through: RMSNorm divides by their size, LayerNorm takes "
         "away their mean first. Both multiply by a learned factor for each feature.",
         "",
         "Zhang and Sennrich 2019, Root Mean Square Layer Normalization; Ba et al. 2016, Layer "
         "Normalization"},
        {"qk_norm_shift",
         "Whether the LayerNorm of queries and keys also adds a learned offset to each feature. It "
         "is a handful of parameters and operations.",
         "",
         "Ba et al. 2016, Layer Normalization"},
        {"scale_scores",
         "Whether scores are divided by the square root of the head's width, which keeps them of "
         "the same size however wide heads are. T5 and GPT-Neo leave it out and start with smaller "
         "weights.",
         "q\xC2\xB7k / \xE2\x88\x9Ah",
         "Vaswani et al. 2017, Attention Is All You Need; left out in Raffel et al. 2020, "
         "Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer"},
        {"soft_cap",
         "Bends scores so that none is larger than this number: small ones stay nearly as they "
         "are. It steadies training, but costs a tanh for each pair and does not fit every fused "
         "kernel.",
         "s \xE2\x86\x92 cap\xC2\xB7tanh(s/cap)",
         "Gemma Team 2024, Gemma 2: Improving Open Language Models at a Practical Size"},
        {"sinks",
         "A learned number for each head that takes part in every softmax but has no value. A head "
         "that finds nothing worth looking at can give its weight to it, instead of to the first "
         "token.",
         "softmax over the scores and one sink",
         "OpenAI 2025, gpt-oss-120b and gpt-oss-20b Model Card; Xiao et al. 2023, Efficient "
         "Streaming Language Models with Attention Sinks"},
        {"position_bias",
         "Positions told by a number that is added to each score: a slope times the distance "
         "(ALiBi), or a learned table by distance (T5), the layer's own or that of an earlier one. "
         "It is an alternative to tables and rotation.",
         "softmax(q\xC2\xB7k/\xE2\x88\x9Ah + bias(i \xE2\x88\x92 j))",
         "Press et al. 2021, Train Short, Test Long: Attention with Linear Biases Enables Input "
         "Length Extrapolation; Raffel et al. 2020, Exploring the Limits of Transfer Learning with "
         "a Unified Text-to-Text Transformer"},
        {"position_bias=none",
         "Scores get no bias for positions: these come from a table of the embedding, from "
         "rotation, or from nowhere but the causal mask.",
         "",
         "Vaswani et al. 2017, Attention Is All You Need"},
        {"position_bias=alibi",
         "ALiBi: each score loses a fixed slope times the distance between the two tokens. Each "
         "head has its own slope. There are no parameters, and sequences may be longer than those "
         "of training.",
         "bias = \xE2\x88\x92m\xE2\x82\x95\xC2\xB7|i \xE2\x88\x92 j|",
         "Press et al. 2021, Train Short, Test Long: Attention with Linear Biases Enables Input "
         "Length Extrapolation"},
        {"position_bias=relative",
         "T5's table: distances fall into buckets that get wider with distance, and each head has "
         "a learned number for every bucket that is added to the scores.",
         "bias = table[bucket(i \xE2\x88\x92 j), head]",
         "Raffel et al. 2020, Exploring the Limits of Transfer Learning with a Unified "
         "Text-to-Text Transformer"},
        {"position_bias=shared_relative",
         "The table of relative positions of an earlier block is used once more. In T5 the first "
         "block of a stack owns the table, and all others share it.",
         "",
         "Raffel et al. 2020, Exploring the Limits of Transfer Learning with a Unified "
         "Text-to-Text Transformer: its first layer owns the table"},
        {"relative_buckets",
         "How many rows the table of relative positions has: near distances have rows of their "
         "own, farther ones share them in ever wider steps. T5 has 32.",
         "",
         "Raffel et al. 2020, Exploring the Limits of Transfer Learning with a Unified "
         "Text-to-Text Transformer"},
        {"algorithm",
         "Whether the matrix of scores is written to memory and read again, or kept on the chip in "
         "tiles. The results and operations are the same; the bytes that move, and so the time, "
         "are not.",
         "",
         "Dao et al. 2022, FlashAttention: Fast and Memory-Efficient Exact Attention with "
         "IO-Awareness"},
        {"q_lora_rank",
         "The width of the narrow vector that the queries of all heads are made from, which saves "
         "parameters and saved activations. At 0 queries are projected from the token directly.",
         "c_q = x\xC2\xB7W [d, r_q]",
         "DeepSeek-AI 2024, DeepSeek-V2: A Strong, Economical, and Efficient Mixture-of-Experts "
         "Language Model"},
        {"kv_lora_rank",
         "The width of the latent that all keys and values are made from and that the cache holds "
         "for each token. The smaller it is, the smaller the cache, and the less keys and values "
         "can say.",
         "cache per token: r_kv + h_rope numbers",
         "DeepSeek-AI 2024, DeepSeek-V2: A Strong, Economical, and Efficient Mixture-of-Experts "
         "Language Model"},
        {"qk_nope_head_dim",
         "How many features of each head's queries and keys have no positions. These come from the "
         "latent; rotation would have to be undone before they could be absorbed into other "
         "matrices.",
         "",
         "DeepSeek-AI 2024, DeepSeek-V2: A Strong, Economical, and Efficient Mixture-of-Experts "
         "Language Model"},
        {"qk_rope_head_dim",
         "How many features of each head's queries and keys are rotated by position. All heads "
         "share one such key, which is cached beside the latent.",
         "",
         "DeepSeek-AI 2024, DeepSeek-V2: A Strong, Economical, and Efficient Mixture-of-Experts "
         "Language Model; Su et al. 2021, RoFormer: Enhanced Transformer with Rotary Position "
         "Embedding"},
        {"v_head_dim",
         "How many features of each head's values there are, which need not be as many as those of "
         "its keys. The output projection reads all heads' values.",
         "",
         "DeepSeek-AI 2024, DeepSeek-V2: A Strong, Economical, and Efficient Mixture-of-Experts "
         "Language Model"},
        {"form",
         "Two ways to compute the same outputs. Expanded makes keys and values of every head; "
         "absorbed multiplies the projections into queries and outputs, and lets attention work on "
         "the latents themselves, which suits decoding.",
         "",
         "DeepSeek-AI 2024, DeepSeek-V2: A Strong, Economical, and Efficient Mixture-of-Experts "
         "Language Model"},
        {"cache",
         "What decoding finds of earlier tokens. Kept latents are small but have to be expanded "
         "again in every step; expanded keys and values stay in working memory, as in ordinary "
         "attention.",
         "",
         "DeepSeek-AI 2024, DeepSeek-V2: A Strong, Economical, and Efficient Mixture-of-Experts "
         "Language Model"},
        {"latent_attention.bias",
         "Whether the projections down to the latents and the output projection add learned "
         "numbers. DeepSeek's models do without; it is a tiny part of the cost.",
         "",
         "DeepSeek-AI 2024, DeepSeek-V2: A Strong, Economical, and Efficient Mixture-of-Experts "
         "Language Model"},
        {"latent_attention.heads",
         "Into how many heads latent attention is split. Each has keys and values of its own, made "
         "from the common latent, so that the cache does not grow with their number.",
         "",
         "DeepSeek-AI 2024, DeepSeek-V2: A Strong, Economical, and Efficient Mixture-of-Experts "
         "Language Model"},
    }};
    return kAll;
}

} // namespace flopsmith
