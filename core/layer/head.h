// SPDX-License-Identifier: MIT
#pragma once

#include "core/layer/activation.h"
#include "core/layer/norm.h"
#include "core/layer/weight_shape.h"

namespace flopsmith {

enum class HeadKind {
    lm, ///< logits over the vocabulary for every token
    pooler, ///< tanh(W·x + b) of the first token (BERT)
    classifier, ///< logits over classes from the first token, perhaps from its pooler
    tokens, ///< logits over classes for every token
    none,
};

template <>
std::vector<std::string_view> enumNames<HeadKind>();

/// The head on top of the last block. The matrix of an LM head has the width of the token table,
/// which a masked language model's transform or a plain projection reaches from d.
///   transform   norm(act(x·W + b)), then the logits (BERT, ALBERT)
///   projection  x·W (OPT-350M)
///   scale       the input of the matrix times a constant: T5's d^-½, or the reciprocal of
///   Granite's
///               divisor of the logits, where it costs least
///   softCap     cap·tanh(logit/cap) (Gemma-2)
/// A head of every token's classes is an LM head over the classes instead of the vocabulary, with a
/// matrix of its own (computed()).
/// A masked language model may keep BERT's pooler beside its head: a part of its own whose output
/// is never read (FNetForMaskedLM), executed forward, without gradients.
struct Head
{
    HeadKind kind = HeadKind::lm;
    bool tied = true; ///< an LM head that shares its matrix with the token embedding
    bool bias = false; ///< of the logits
    bool transform = false;
    bool projection = false; ///< without a transform
    double softCap = 0.0; ///< 0: no cap
    bool scale = false;
    int classes = 1000;
    bool pooled = false; ///< a classifier after BERT's pooler
    bool unreadPooler = false; ///< beside an LM head with a transform
    Activation activation = Activation::gelu; ///< of the transform
    bool transformBias = true;
    Norm norm; ///< of the transform
    double scaleFactor = 0.0; ///< the constant of `scale`; 0: d^-½; changes no count

    bool operator==(const Head&) const = default;

    bool isLm() const { return kind == HeadKind::lm; }
    bool isOfEveryToken() const { return isLm() || kind == HeadKind::tokens; }
    bool sharesTable() const { return isLm() && tied; }
    bool hasClasses() const { return kind == HeadKind::classifier || kind == HeadKind::tokens; }
    bool hasTransform() const { return isOfEveryToken() && transform; }
    bool hasProjection() const { return isLm() && projection && !transform; }
    bool hasScale() const { return isLm() && scale; }
    bool hasUnreadPooler() const { return isLm() && hasTransform() && unreadPooler; }
    bool capsLogits() const { return isLm() && softCap > 0.0; }
    bool hasPooler() const
    {
        return kind == HeadKind::pooler || (kind == HeadKind::classifier && pooled);
    }

    /// This head as it is computed, without its unread pooler: of every token's classes as an LM head.
    Head computed() const;

    /// The pooler alone.
    static Head pooler() { return {.kind = HeadKind::pooler}; }

    static const std::vector<Field<Head>>& fields();
};

/// The token table, and with it an LM head's matrix: [vocab, width].
struct TokenTable
{
    int vocab = 50257;
    int width = 0; ///< 0: d
    std::string_view symbol = "V"; ///< of the entries, in formulas

    // Most tables are d wide, so that the vocabulary is enough.
    TokenTable(int theVocab, int theWidth = 0) // NOLINT(google-explicit-constructor)
        : vocab(theVocab)
        , width(theWidth)
    {}

    /// Input features of the matrix of logits.
    int widthFor(const Head& head, int dModel) const
    {
        return (head.transform || head.projection) && width > 0 ? width : dModel;
    }
};

/// The factor of a scaled head: its constant, or d^-½.
double headScale(const Head& head, int dModel);

/// LM head: weight [d, width], bias and norm of the transform, or the weight [d, width] of the
/// projection; then W [V, width] (as the embedding table stores it) and bias [V]. Pooler: W [d, d],
/// bias [d]; classifier: the pooler's tensors if there is one, then W [d, classes], bias [classes].
/// A tied matrix is listed too: it must be read, although it is not counted as a parameter again.
WeightShapes weights(const Head& head, int dModel, const TokenTable& table);

/// Number of an LM head's tensors before the matrix of logits.
std::size_t tensorsBeforeLogits(const Head& head);

} // namespace flopsmith
