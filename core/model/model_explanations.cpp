// SPDX-License-Identifier: MIT
#include "core/model/model_explanations.h"

#include <array>

namespace flopsmith {

std::span<const Explanation> modelExplanations()
{
    static constexpr std::array<Explanation, 28> kAll{{
        {"d_model",
         "The width of the residual stream: how many numbers describe a token on its way through "
         "all blocks. Every matrix has it as a side, so that parameters and operations of a block "
         "grow about with its square.",
         "",
         "Vaswani et al. 2017, Attention Is All You Need"},
        {"layers",
         "How many blocks are stacked. Parameters, operations, cached keys and values and the time "
         "of a token grow in proportion to it; so does how many steps of thought a token can go "
         "through.",
         "",
         "Vaswani et al. 2017, Attention Is All You Need"},
        {"repeat",
         "How many equal blocks follow one another in this run. They have the same shape but, "
         "unless they share parameters, weights of their own.",
         "",
         "This project's own parameter, without a paper: how a stack is written down here"},
        {"norm_placement",
         "Where the norms of a block stand: in front of mixer and FFN (GPT-2, Llama), behind the "
         "residual additions (the first transformer, BERT), on the outputs alone, or both in front "
         "and on the outputs (Gemma 2).",
         "x + f(norm(x)), or norm(x + f(x))",
         "Xiong et al. 2020, On Layer Normalization in the Transformer Architecture; Gemma Team "
         "2024, Gemma 2: Improving Open Language Models at a Practical Size"},
        {"layout",
         "Whether the FFN reads what the mixer has added, or both read the same input side by side "
         "and are added together. The second can run them at once; GPT-J, PaLM and Falcon have it.",
         "x + mixer(norm(x)) + ffn(norm(x))",
         "Wang and Komatsuzaki 2021, GPT-J-6B: A 6 Billion Parameter Autoregressive Language "
         "Model"},
        {"one_norm",
         "Whether mixer and FFN of a parallel block read the output of one common norm, as in "
         "GPT-J, or each has its own, as in GPT-NeoX.",
         "",
         "Wang and Komatsuzaki 2021, GPT-J-6B: A 6 Billion Parameter Autoregressive Language "
         "Model"},
        {"residual_scale",
         "Whether what mixer and FFN add to the residual stream is multiplied by a constant first, "
         "as in Granite. It keeps the stream from growing with depth.",
         "x + c\xC2\xB7"
         "f(norm(x))",
         "IBM 2024, Granite 3.0 Language Models"},
        {"stack",
         "Which half of an encoder-decoder the block belongs to. The encoder reads the whole "
         "source at once; the decoder writes and looks at it by cross-attention. Models of one "
         "half have decoder blocks alone here.",
         "",
         "Vaswani et al. 2017, Attention Is All You Need"},
        {"share_group",
         "Blocks of the same group number share one set of parameters, which are stored once. The "
         "operations stay the same, as each block is still executed.",
         "",
         "Lan et al. 2019, ALBERT: A Lite BERT for Self-supervised Learning of Language "
         "Representations"},
        {"phase",
         "What is computed: prefill reads all tokens of a prompt at once, decode makes one new "
         "token with the help of cached ones, train goes forward, backward and updates the "
         "weights.",
         "",
         "Pope et al. 2022, Efficiently Scaling Transformer Inference"},
        {"batch",
         "How many sequences are computed at once. The weights are read once for all of them, so "
         "that a larger batch makes better use of a processor until its arithmetic is the limit.",
         "B\xC2\xB7S tokens in prefill",
         "Pope et al. 2022, Efficiently Scaling Transformer Inference"},
        {"seq",
         "How many tokens each sequence has. Matrix products grow in proportion to it, attention "
         "with its square.",
         "",
         "Vaswani et al. 2017, Attention Is All You Need"},
        {"context",
         "How many keys a new token looks at in decode, itself included: all tokens so far. "
         "Attention and the read of the cache grow in proportion to it; everything else does not.",
         "C = cached tokens + 1",
         "Pope et al. 2022, Efficiently Scaling Transformer Inference"},
        {"source",
         "How many tokens the encoder reads for each sequence. The encoder's cost and the keys of "
         "cross-attention follow it, not the length of what the decoder writes.",
         "",
         "Vaswani et al. 2017, Attention Is All You Need"},
        {"weight_bits",
         "How many bits a stored weight has. Fewer bits take less memory and less time to read; in "
         "decode, where reading weights is the limit, time falls almost in proportion.",
         "",
         "Dettmers et al. 2022, LLM.int8(): 8-bit Matrix Multiplication for Transformers at Scale"},
        {"activation_bits",
         "How many bits the numbers between layers have. Training commonly takes 16, together with "
         "a 32-bit copy of the weights in the optimizer.",
         "",
         "Micikevicius et al. 2017, Mixed Precision Training"},
        {"kv_bits",
         "How many bits each number of the cache of keys and values has. With long contexts and "
         "large batches the cache is larger than the weights, and fewer bits help most.",
         "",
         "Sheng et al. 2023, FlexGen: High-Throughput Generative Inference of Large Language "
         "Models with a Single GPU"},
        {"weight_group",
         "How many quantised weights share one scale, so that a few large ones do not spoil the "
         "rest. Small groups are more exact and take more memory for their scales.",
         "",
         "Frantar et al. 2022, GPTQ: Accurate Post-Training Quantization for Generative "
         "Pre-trained Transformers"},
        {"weight_group_bits",
         "How many bits the scale and the zero point of one group of weights have together. Spread "
         "over a group they are added to the bits of each weight.",
         "bits + group bits / group size",
         "Frantar et al. 2022, GPTQ: Accurate Post-Training Quantization for Generative "
         "Pre-trained Transformers"},
        {"expert_bits",
         "How many bits a weight of the routed experts has. Most weights of such a model are "
         "theirs, "
         "and each token uses few of them, so that they are often stored in fewer bits than the "
         "rest.",
         "",
         "Open Compute Project 2023, Microscaling Formats (MX) Specification"},
        {"expert_group",
         "How many quantised weights of the experts share one scale. In the format MXFP4 there are "
         "32 of them.",
         "",
         "Open Compute Project 2023, Microscaling Formats (MX) Specification"},
        {"expert_group_bits",
         "How many bits the scale of one group of weights of the experts has, with its zero point "
         "where there is one. In MXFP4 a scale is a power of two of 8 bits.",
         "bits + group bits / group size",
         "Open Compute Project 2023, Microscaling Formats (MX) Specification"},
        {"embedding_bits",
         "How many bits a weight of the embedding's tables has. Files that quantise linear layers "
         "mostly leave tables as they are.",
         "",
         "Frantar et al. 2022, GPTQ: Accurate Post-Training Quantization for Generative "
         "Pre-trained Transformers"},
        {"head_bits",
         "How many bits a weight of the LM head has, where it is a matrix of its own and not the "
         "table of tokens. Files that quantise linear layers mostly leave it as it is.",
         "",
         "Frantar et al. 2022, GPTQ: Accurate Post-Training Quantization for Generative "
         "Pre-trained Transformers"},
        {"vector_bits",
         "How many bits the weights of norms, biases and routers have. They are few, and quantised "
         "models keep them as they are.",
         "",
         "Frantar et al. 2022, GPTQ: Accurate Post-Training Quantization for Generative "
         "Pre-trained Transformers"},
        {"gradient_bits",
         "How many bits the gradient of a weight has. Training in 16 bits often sums gradients in "
         "32, because small ones would be lost.",
         "",
         "Micikevicius et al. 2017, Mixed Precision Training"},
        {"optimizer",
         "What updates the weights, and how much it remembers of each: plain gradient descent "
         "nothing, momentum one number, Adam two, mixed precision another 32-bit copy. It is often "
         "most of the memory of training.",
         "Adam: two numbers per weight",
         "Kingma and Ba 2014, Adam: A Method for Stochastic Optimization; Micikevicius et al. "
         "2017, Mixed Precision Training"},
        {"checkpointing",
         "What training keeps for the backward pass. Keeping all needs most memory; recomputing "
         "attention scores, or whole blocks from their inputs, trades more operations for less of "
         "it.",
         "",
         "Chen et al. 2016, Training Deep Nets with Sublinear Memory Cost; Korthikanti et al. "
         "2022, Reducing Activation Recomputation in Large Transformer Models"},
    }};
    return kAll;
}

} // namespace flopsmith
