// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace flopsmith {

/// A number of rows or columns and its symbol: "d_ff", 3072.
struct WireSize
{
    std::string symbol{};
    Count value = 0;

    bool operator==(const WireSize&) const = default;
};

/// The matrix that passes from one operation to the next.
struct WireShape
{
    WireSize rows{};
    WireSize columns{};

    bool operator==(const WireShape&) const = default;

    std::string symbols() const; ///< "[B·S, d_ff]"
    std::string numbers() const; ///< "[1024, 3072]"
};

/// The input and output shapes of an operation.
struct OperationShape
{
    enum class In {
        before, ///< the output of the operation before it
        given,
        unknown,
    };
    enum class Out {
        unknown,
        asIn, ///< the input: for an activation, a norm, a softmax
        given,
    };
    Out out = Out::unknown;
    WireShape gives{};
    In in = In::before;
    WireShape reads{};
    std::string source{}; ///< where its input comes from if not from the block: "encoder"
};

/// By the name of the operation's node. An operation that is missing has no known shape.
using OperationShapes = std::map<std::string, OperationShape, std::less<>>;

/// The sizes of a pass through the blocks of one half of a model.
struct PassSizes
{
    WireSize tokens; ///< B·S; in decode B
    WireSize keys; ///< that the last query sees: S; in decode C
    WireSize seen; ///< B·S; in decode B·C
    WireSize sourceTokens; ///< S_src
    WireSize source; ///< B·S_src
    WireSize width; ///< d
    bool decodes = false; ///< earlier tokens are cached

    WireShape stream() const { return {tokens, width}; }
};

PassSizes passSizes(const Scenario& scenario, Stack half);

/// Both factors multiplied: "B·S", 1024.
WireSize operator*(const WireSize& a, const WireSize& b);

/// The shapes of the variant's own operations. Those of the stages of a composed FFN and of the
/// experts of a mixture are not among them.
OperationShapes shapesInside(const MixerSpec& mixer, const PassSizes& sizes);
OperationShapes shapesInside(const FfnSpec& ffn, const WireSize& rows, const WireSize& width);

} // namespace flopsmith
