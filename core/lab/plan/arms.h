// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/count.h"
#include "core/base/result.h"
#include "core/ffn/ffn.h"

#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// Why an arm is there.
enum class ArmRole {
    chosen, ///< requested by the user
    control, ///< no FFN, and a linear map
    narrowed, ///< a dense FFN at the FLOPs of a chosen one, forward and backward
};

/// An FFN that a comparison trains.
struct Arm
{
    std::string name;
    FfnSpec ffn;
    ArmRole role = ArmRole::chosen;
    /// Of a chosen arm, the narrowed one that it is compared with; empty: none.
    std::string rival{};

    bool operator==(const Arm&) const = default;
};

inline constexpr std::string_view kNoFfnArm = "none";
inline constexpr std::string_view kLinearArm = "linear";

/// A name that stands for an FFN at any width.
struct ArmName
{
    std::string_view name; ///< "spectral"
    std::string_view help;
    std::string_view group{}; ///< for lists: "Factored matrices"
};

const std::vector<ArmName>& armNames();

/// Also "dense_fN", a dense FFN of width N. An Error names what is known.
Result<FfnSpec> armNamed(std::string_view name, int dModel);

/// The FFN with every number moved to the nearest legal one at this width.
FfnSpec legalAt(FfnSpec ffn, int dModel);

/// An FFN of models of one width as one of models of another: widths and ranks keep their share, and
/// what is not legal there is moved to the nearest that is.
FfnSpec ffnAtWidth(const FfnSpec& ffn, int from, int to);

/// FLOPs of a forward and a backward pass of the FFN per token, without the optimizer: lens exact.
double ffnFlopsPerToken(const FfnSpec& ffn, int dModel);

/// The widest dense FFN whose passes need no more FLOPs; of width 1 if even that one needs more.
DenseFfn narrowedDense(const FfnSpec& ffn, int dModel);

/// The chosen arms, each with its FLOP-matched dense one if `rivals`, and the controls `none` and `linear`;
/// without dropout, and each FFN once. An Error names an arm that is listed twice, or an FFN that is
/// not legal at this width.
Result<std::vector<Arm>> comparedArms(const std::vector<Arm>& chosen,
                                      int dModel,
                                      bool rivals = true);

/// What a reader of results should know of an arm before it is trained: a router without a
/// gradient, a rival that is more expensive. Sentences.
std::vector<std::string> armNotes(const Arm& arm, int dModel);

} // namespace flopsmith
