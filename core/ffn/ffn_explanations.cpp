// SPDX-License-Identifier: MIT
#include "core/ffn/ffn_explanations.h"

#include <array>

namespace flopsmith {

std::span<const Explanation> ffnExplanations()
{
    static constexpr auto kAll = std::to_array<Explanation>({
        {"ffn/none",
         "A block without a feed-forward part: its residual stream passes on unchanged, and "
         "nothing is stored or computed. Use it to see what the FFN costs, or for layers that only "
         "mix tokens.",
         "",
         "No paper: the absence of the layer of Vaswani et al. 2017, Attention Is All You Need"},
        {"ffn/dense",
         "The feed-forward layer of the first transformer. Each token alone is widened from d to f "
         "features, bent by an activation and brought back to d. With f = 4d its two matrices hold "
         "about two thirds of the parameters of a block with ordinary attention.",
         "",
         "Vaswani et al. 2017, Attention Is All You Need"},
        {"ffn/gated",
         "The dense layer with a second matrix into the hidden width. One of the two results goes "
         "through an activation and multiplies the other, feature by feature, so that it opens and "
         "closes them. With SiLU it is called SwiGLU, with GELU GeGLU. At the same f it has half "
         "as many parameters again as a dense layer, so models take f near 8d/3.",
         "",
         "Shazeer 2020, GLU Variants Improve Transformer"},
        {"ffn/low_rank",
         "Each of the two big matrices is replaced by the product of a tall and a flat one, with a "
         "narrow width r between them. Every token has to pass through r features, which saves "
         "parameters and operations as long as r is small, and limits what the layer can express.",
         "",
         "Sainath et al. 2013, Low-Rank Matrix Factorization for Deep Neural Network Training with "
         "High-Dimensional Output Targets"},
        {"ffn/moe",
         "Many FFNs, called experts, of which a small router chooses a few for each token. Stored "
         "parameters grow with all experts, the cost of a token only with those that it is sent "
         "to. Because the experts must share the work evenly, training needs some form of load "
         "balancing.",
         "",
         "Shazeer et al. 2017, Outrageously Large Neural Networks: The Sparsely-Gated "
         "Mixture-of-Experts Layer; Fedus et al. 2022, Switch Transformers: Scaling to Trillion "
         "Parameter Models with Simple and Efficient Sparsity"},
        {"ffn/spectral",
         "Each token's features are seen as a signal: they are Fourier transformed, a few "
         "frequencies are multiplied by learned complex weights, and the result is transformed "
         "back. It has only a few weights per frequency, but a transform of the full length costs "
         "the same however few frequencies are kept.",
         "",
         "This project's own cheap variant, without a paper; near to Rao et al. 2021, Global "
         "Filter Networks for Image Classification"},
        {"ffn/polynomial",
         "Every kept channel goes through a polynomial of low degree with learned coefficients; "
         "the other channels give zero. There is no matrix, so that cost grows with d instead of d "
         "squared, but the layer cannot mix one channel with another.",
         "",
         "This project's own cheap variant, without a paper"},
        {"ffn/random_projection",
         "The two big matrices are fixed and random, with few entries, all of them +1 or -1, so "
         "that products become sums and differences. Only a gain and a bias for each random "
         "feature are trained.",
         "",
         "This project's own cheap variant, without a paper; near to Li et al. 2006, Very Sparse "
         "Random Projections"},
        {"ffn/token_feedback",
         "A token refines a part of its own features in several small steps. In each step a narrow "
         "pair of matrices proposes a change, and a gate that looks at the token itself, or at the "
         "one before it, decides how much of it is taken.",
         "",
         "This project's own cheap variant, without a paper"},
        {"ffn/micro_refine",
         "The channels are split into groups, and in each group only some channels are bent by a "
         "small learned tanh, the others give zero. It takes a handful of operations for each kept "
         "channel and mixes none of them.",
         "",
         "This project's own cheap variant, without a paper"},
        {"ffn/kronecker",
         "Each big matrix is a sum of Kronecker products of two small matrices and is never "
         "formed: a token is folded into a small matrix that is multiplied from the left and from "
         "the right. Parameters and operations fall by large factors, and so does what the "
         "matrices can express.",
         "",
         "Tahaei et al. 2021, KroneckerBERT: Learning Kronecker Decomposition for Pre-trained "
         "Language Models via Knowledge Distillation"},
        {"ffn/monarch",
         "Each big matrix is the product of two block-diagonal ones, with a shuffle of the "
         "features "
         "between them: first neighbouring features are mixed in small blocks, then blocks of "
         "every "
         "b-th feature. Operations and parameters fall about by the square root of the width, yet "
         "the matrices can have full rank and no parameter is used twice, which is why theory "
         "expects more of them than of low-rank or Kronecker matrices.",
         "W = L\xC2\xB7R: L has b blocks [d/b, d/b], R has b blocks [d/b, f/b] of every b-th "
         "feature",
         "Dao et al. 2022, Monarch: Expressive Structured Matrices for Efficient and Accurate "
         "Training; as an FFN Wei et al. 2024, Building on Efficient Foundations: Effectively "
         "Training LLMs with Structured Feedforward Layers"},
        {"ffn/composed",
         "Several FFNs in the place of one, side by side or one after the other, each behind a "
         "learned gate. It is how several cheap variants are put together, in the hope that one "
         "can do what another cannot.",
         "",
         "Cheap variants without a paper: the UltraEfficientSparseFFN and the UltraEfficientFFN "
         "of two design notes"},
        {"d_ff",
         "The width of the hidden layer between the two matrices of an FFN. Parameters and "
         "operations of the layer grow in proportion to it. The first transformer took four times "
         "d_model; gated layers take about two thirds of that, so that three matrices cost what "
         "two did.",
         "f = 4\xC2\xB7"
         "d, or f \xE2\x89\x88 8\xC2\xB7"
         "d/3 if gated",
         "Vaswani et al. 2017, Attention Is All You Need; Shazeer 2020, GLU Variants Improve "
         "Transformer"},
        {"activation",
         "The function between the matrices that makes the layer more than one big matrix: it "
         "bends each number on its own. GELU and SiLU are smooth relatives of ReLU, which cuts off "
         "negative numbers. It costs little beside the matrices.",
         "gelu(x) = x\xC2\xB7\xCE\xA6(x),  silu(x) = x\xC2\xB7\xCF\x83(x),  relu(x) = max(0, x)",
         "Hendrycks and Gimpel 2016, Gaussian Error Linear Units (GELUs)"},
        {"bias",
         "A learned number that is added to each result of a matrix product. Models since Llama "
         "mostly leave biases out: they hold few parameters, and training at scale was found to go "
         "on well without them.",
         "y = x\xC2\xB7W + b",
         "Vaswani et al. 2017, Attention Is All You Need; left out in Touvron et al. 2023, LLaMA: "
         "Open and Efficient Foundation Language Models"},
        {"experts",
         "How many routed experts are stored. More experts hold more knowledge at the same cost "
         "for a token, but take memory, and each sees fewer tokens while training.",
         "",
         "Shazeer et al. 2017, Outrageously Large Neural Networks: The Sparsely-Gated "
         "Mixture-of-Experts Layer"},
        {"experts_per_token",
         "To how many of the routed experts each token is sent, those with the largest router "
         "scores. This number, not how many there are, decides what a token costs. Switch "
         "Transformers send it to one, Mixtral to two, DeepSeek-V3 to eight.",
         "y = \xCE\xA3 over the top k of w\xE2\x82\x91\xC2\xB7"
         "expert\xE2\x82\x91(x)",
         "Shazeer et al. 2017, Outrageously Large Neural Networks: The Sparsely-Gated "
         "Mixture-of-Experts Layer; Fedus et al. 2022, Switch Transformers: Scaling to Trillion "
         "Parameter Models with Simple and Efficient Sparsity"},
        {"expert",
         "What each expert is: an ordinary FFN with two matrices, or a gated one with three. All "
         "experts of a layer, shared ones included, are of one kind and have an activation in "
         "common.",
         "",
         "Shazeer et al. 2017, Outrageously Large Neural Networks: The Sparsely-Gated "
         "Mixture-of-Experts Layer; gated in Jiang et al. 2024, Mixtral of Experts"},
        {"score",
         "How the router's raw scores become weights between 0 and 1. A softmax makes the experts "
         "compete for a sum of one; a sigmoid judges each on its own, which DeepSeek-V3 changed "
         "to.",
         "w = softmax(x\xC2\xB7W_r), or w = \xCF\x83(x\xC2\xB7W_r)",
         "DeepSeek-AI 2024, DeepSeek-V3 Technical Report"},
        {"scored",
         "Whether the scores of all experts are turned into weights before the best are chosen, or "
         "those of the chosen ones alone afterwards. With a softmax the second makes the weights "
         "of the chosen sum up to one.",
         "",
         "Shazeer et al. 2017, Outrageously Large Neural Networks: The Sparsely-Gated "
         "Mixture-of-Experts Layer"},
        {"renormalise",
         "Divides the weights of the chosen experts by their sum, so that the output does not "
         "shrink when the chosen ones have only a part of the whole weight. Hugging Face files "
         "call it norm_topk_prob.",
         "w\xE2\x82\x91 / \xCE\xA3 w over the chosen",
         "Shazeer et al. 2017, Outrageously Large Neural Networks: The Sparsely-Gated "
         "Mixture-of-Experts Layer; the option's name is that of Hugging Face configurations"},
        {"routed_scale",
         "A constant that the sum of the routed experts is multiplied by, so that it is as large "
         "as what shared experts add. DeepSeek-V3 takes 2.5; its configuration calls it "
         "routed_scaling_factor.",
         "",
         "DeepSeek-AI 2024, DeepSeek-V2: A Strong, Economical, and Efficient Mixture-of-Experts "
         "Language Model"},
        {"router_bias",
         "A learned number for each expert that is added to the router's logits, as in any linear "
         "layer with a bias. It changes both which experts are chosen and with what weight.",
         "",
         "OpenAI 2025, gpt-oss-120b and gpt-oss-20b Model Card"},
        {"correction_bias",
         "A number for each expert that is added to its score only where experts are chosen, not "
         "in its weight. Training raises it for experts with too little work, which balances them "
         "without a loss term of its own.",
         "",
         "Wang et al. 2024, Auxiliary-Loss-Free Load Balancing Strategy for Mixture-of-Experts"},
        {"groups",
         "Splits the routed experts into equal groups, of which a token may use only a few. If "
         "each group lives on one machine, a token is sent to few machines. The name in "
         "configurations is n_group.",
         "",
         "DeepSeek-AI 2024, DeepSeek-V2: A Strong, Economical, and Efficient Mixture-of-Experts "
         "Language Model"},
        {"groups_per_token",
         "How many groups of experts a token may choose its experts from. It limits to how many "
         "machines a token has to be sent; configurations call it topk_group.",
         "",
         "DeepSeek-AI 2024, DeepSeek-V2: A Strong, Economical, and Efficient Mixture-of-Experts "
         "Language Model"},
        {"group_score",
         "What a group of experts is judged by when a token chooses its groups: the score of its "
         "best expert, as in DeepSeek-V2, or the sum of its two best, as in DeepSeek-V3.",
         "",
         "DeepSeek-AI 2024, DeepSeek-V2: A Strong, Economical, and Efficient Mixture-of-Experts "
         "Language Model; DeepSeek-AI 2024, DeepSeek-V3 Technical Report"},
        {"shared_experts",
         "Experts that every token goes through, besides those the router chooses. They take up "
         "what all tokens need, so that the routed ones are free to specialise.",
         "y = \xCE\xA3 shared(x) + \xCE\xA3 routed(x)",
         "Dai et al. 2024, DeepSeekMoE: Towards Ultimate Expert Specialization in "
         "Mixture-of-Experts Language Models"},
        {"shared_d_ff",
         "The hidden width of each shared expert, which need not be that of the routed ones: "
         "Qwen's models have one wide shared expert beside many narrow routed ones.",
         "",
         "Dai et al. 2024, DeepSeekMoE: Towards Ultimate Expert Specialization in "
         "Mixture-of-Experts Language Models; sizes of their own in the Qwen models"},
        {"shared_gate",
         "A single learned score of each token, through a sigmoid, that scales what the shared "
         "experts add: a token can take more or less of them. Qwen's mixtures of experts have it.",
         "\xCF\x83(x\xC2\xB7w)\xC2\xB7shared(x)",
         "Qwen Team 2024, Qwen1.5-MoE: Matching 7B Model Performance with 1/3 Activated "
         "Parameters"},
        {"skew",
         "How unevenly tokens are spread over the experts when the layer is measured: at 0 each "
         "gets the same number, above it a few get most of them. It changes no count, because each "
         "token still goes through k experts, but may change the time.",
         "",
         "This project's own parameter, without a paper"},
        {"low_rank.rank",
         "The width that every token has to pass through between the two factors of a matrix. "
         "Parameters and operations grow in proportion to it; above d\xC2\xB7"
         "f/(d + f) the two factors cost more than the matrix they replace.",
         "W \xE2\x89\x88 U\xC2\xB7V with U [d, r], V [r, f]",
         "Sainath et al. 2013, Low-Rank Matrix Factorization for Deep Neural Network Training with "
         "High-Dimensional Output Targets"},
        {"kronecker.rank",
         "How many Kronecker products each matrix is the sum of. One product alone is a very "
         "special matrix; each further one costs as much as the first and lets the sum come nearer "
         "to any matrix.",
         "W = \xCE\xA3 A\xE1\xB5\xA3 \xE2\x8A\x97 B\xE1\xB5\xA3",
         "Tahaei et al. 2021, KroneckerBERT: Learning Kronecker Decomposition for Pre-trained "
         "Language Models via Knowledge Distillation"},
        {"blocks",
         "Into how many blocks each block-diagonal matrix is cut; it must divide d_model and d_ff. "
         "Operations and parameters shrink in proportion to it. Up to the root of d_model every "
         "output still depends on every input; with more blocks some entries of the whole matrix "
         "are zero. With one block it is a product of two dense matrices.",
         "b \xE2\x89\x88 \xE2\x88\x9A"
         "d",
         "Dao et al. 2022, Monarch: Expressive Structured Matrices for Efficient and Accurate "
         "Training"},
        {"d_1",
         "Splits the model's width into two factors: the left small matrices have d_1 rows, the "
         "right ones d/d_1. Factors of about the same size cost least; it must divide d_model.",
         "d = d\xE2\x82\x81\xC2\xB7"
         "d\xE2\x82\x82",
         "Tahaei et al. 2021, KroneckerBERT: Learning Kronecker Decomposition for Pre-trained "
         "Language Models via Knowledge Distillation"},
        {"f_1",
         "Splits the hidden width into two factors: the left small matrices have f_1 columns, the "
         "right ones f/f_1. Factors of about the same size cost least; it must divide d_ff.",
         "f = f\xE2\x82\x81\xC2\xB7"
         "f\xE2\x82\x82",
         "Tahaei et al. 2021, KroneckerBERT: Learning Kronecker Decomposition for Pre-trained "
         "Language Models via Knowledge Distillation"},
        {"factor_keep_ratio",
         "Which share of the entries in each row of the small matrices is kept; the others are "
         "fixed to zero and cost nothing. At 1 the factors are full.",
         "",
         "This project's own parameter, without a paper"},
        {"factor_seed",
         "The seed of the random numbers that decide which entries of the small matrices are kept. "
         "Another seed keeps others, at the same cost; it is stored so that a design stays the "
         "same.",
         "",
         "This project's own parameter, without a paper"},
        {"spectral.algorithm",
         "How the transform is computed. A fast Fourier transform takes about d\xC2\xB7log d "
         "operations however few frequencies are kept; two direct products with the kept waves "
         "take d times their number, which is less if they are very few. Auto takes whichever is "
         "nominally cheaper.",
         "",
         "Cooley and Tukey 1965, An Algorithm for the Machine Calculation of Complex Fourier "
         "Series"},
        {"k_freq",
         "How many of the d/2 + 1 frequencies are kept and multiplied by learned weights. Fewer of "
         "them have fewer weights and smooth a token's features more; the full-length transforms "
         "around them cost the same.",
         "k \xE2\x89\xA4 \xE2\x8C\x8A"
         "d/2\xE2\x8C\x8B + 1",
         "This project's own parameter, without a paper"},
        {"selection",
         "Which frequencies are kept: always the lowest ones, a fixed list that is drawn once, or "
         "for each token its own strongest ones. The last has to compute and compare the strength "
         "of all of them.",
         "",
         "This project's own parameter, without a paper"},
        {"seed",
         "The seed of the random numbers that draw the fixed list of frequencies. Another seed "
         "gives another list at the same cost; it is stored so that a design stays the same.",
         "",
         "This project's own parameter, without a paper"},
        {"poly_degree",
         "The highest power of the polynomial that each kept channel goes through. Each power more "
         "takes one multiplication and one addition by Horner's rule.",
         "y = \xCE\xB1\xE2\x82\x80 + \xCE\xB1\xE2\x82\x81x + \xE2\x80\xA6 + \xCE\xB1_K "
         "x\xE1\xB4\xB7",
         "This project's own parameter, without a paper"},
        {"poly_keep_ratio",
         "Which share of the channels goes through the polynomial; the others give zero. Cost and, "
         "with coefficients of its own for each channel, what is computed with grow in proportion.",
         "s = round(\xCF\x81\xC2\xB7"
         "d), at least 1",
         "This project's own parameter, without a paper"},
        {"basis",
         "What the coefficients belong to: plain powers of x, or Chebyshev polynomials of tanh x. "
         "The second stay between -1 and 1 and behave better for high degrees, but need a tanh for "
         "each channel.",
         "",
         "Clenshaw 1955, A Note on the Summation of Chebyshev Series; its use here is this "
         "project's own"},
        {"terms",
         "Which powers the polynomial has: all of them, the odd or the even ones alone. Half of "
         "them take about half of the operations, because Horner's rule then goes in steps of x "
         "squared.",
         "",
         "This project's own parameter, without a paper"},
        {"coefficients",
         "Whether all channels share one set of coefficients or each channel has its own. The "
         "operations are the same; sets of their own have d times as many parameters.",
         "",
         "This project's own parameter, without a paper"},
        {"poly_selection",
         "Which channels go through the polynomial: a fixed list, or for each token those that are "
         "largest just now. The second has to compare all channels of every token.",
         "",
         "This project's own parameter, without a paper"},
        {"poly_seed",
         "The seed of the random numbers that draw the fixed list of channels of the polynomial. "
         "Another seed gives another list at the same cost.",
         "",
         "This project's own parameter, without a paper"},
        {"projection_features",
         "How wide the random features are that a token is projected to and back from. Operations "
         "grow in proportion to it; the trained parameters are only a gain and a bias for each "
         "feature.",
         "",
         "This project's own parameter, without a paper"},
        {"density",
         "Which share of the entries of the two random matrices is not zero. Each row of few "
         "entries is a short sum of some features of the token, so that cost is proportional to "
         "it.",
         "p = round(\xCE\xB4\xC2\xB7"
         "d) entries per row",
         "Li et al. 2006, Very Sparse Random Projections"},
        {"projection_seed",
         "The seed of the random numbers that both fixed matrices are drawn from. The matrices are "
         "not stored: whoever has the seed can draw them again.",
         "",
         "This project's own parameter, without a paper"},
        {"feedback_steps",
         "How many times a token is refined, one after the other. Each step costs the same; with "
         "weights of its own for each step, parameters grow as well.",
         "x\xE1\xB5\x97\xE2\x81\xBA\xC2\xB9 = x\xE1\xB5\x97 + z \xE2\x8A\x99 v on the chosen "
         "features",
         "This project's own parameter, without a paper"},
        {"feedback_keep_ratio",
         "Which share of a token's features one step works on. Cost grows in proportion; several "
         "steps with a window that moves on reach all features in the end.",
         "s = round(\xCF\x81\xC2\xB7"
         "d), at least 1",
         "This project's own parameter, without a paper"},
        {"feedback_rank",
         "The narrow width between the two small matrices of a step: the chosen features are "
         "brought down to it and back. Parameters and operations of a step grow in proportion.",
         "",
         "This project's own parameter, without a paper"},
        {"feedback_selection",
         "Which features a step works on: a window that moves on with every step, or those of the "
         "token that are largest just now, for which all features have to be compared.",
         "",
         "This project's own parameter, without a paper"},
        {"feedback",
         "What the gate of a step looks at: the token as it is just now, or the token before it in "
         "the sequence. The second carries something from token to token, one position per layer.",
         "",
         "This project's own parameter, without a paper"},
        {"feedback_weights",
         "Whether all steps share one set of small matrices or each has its own. The operations "
         "are the same; sets of their own have as many times the parameters as there are steps.",
         "",
         "This project's own parameter, without a paper"},
        {"micro_steps",
         "Into how many groups the channels are split, or how often all channels are gone through "
         "in the iterative mode. In that mode cost grows with it, in groups it hardly does.",
         "",
         "This project's own parameter, without a paper"},
        {"micro_keep_ratio",
         "Which share of the channels of each group is bent; the others give zero. Cost grows in "
         "proportion to the kept ones.",
         "round(\xCF\x81\xC2\xB7size) channels per group, at least 1",
         "This project's own parameter, without a paper"},
        {"mode",
         "Whether each group of channels is refined once, or all channels are gone through several "
         "times, each time starting from the result of the last.",
         "",
         "This project's own parameter, without a paper"},
        {"micro_selection",
         "Which channels of a group are bent: a fixed list, or for each token the largest ones "
         "just now. The second has to compare all channels of every token.",
         "",
         "This project's own parameter, without a paper"},
        {"micro_seed",
         "The seed of the random numbers that draw the fixed list of channels of micro-refine. "
         "Another seed gives another list at the same cost.",
         "",
         "This project's own parameter, without a paper"},
        {"composition",
         "How the stages work together. In parallel each sees the layer's input and the results "
         "are added; in sequence each adds to what the stages before it have made.",
         "y = \xCE\xA3 \xCF\x83(g)\xC2\xB7stage(x), or z + \xCF\x83(g)\xC2\xB7stage(z) one by one",
         "This project's own parameter, without a paper"},
        {"gate",
         "A learned factor between 0 and 1 in front of each stage: none at all, one number, or one "
         "for each channel. It lets training choose how much of each stage is used.",
         "\xCF\x83(g)\xC2\xB7stage(x)",
         "This project's own parameter, without a paper"},
        {"dropout",
         "The probability with which training sets a number to zero, so that the model does not "
         "rely on single features; the others are scaled up to make up for it. It acts in training "
         "only.",
         "",
         "Srivastava et al. 2014, Dropout: A Simple Way to Prevent Neural Networks from "
         "Overfitting"},
        {"dropout_seed",
         "The seed of the random numbers that decide what a measured training pass drops. Another "
         "seed drops other numbers, at the same cost.",
         "",
         "This project's own parameter, without a paper"},
    });
    return kAll;
}

} // namespace flopsmith
