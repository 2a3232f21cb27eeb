// SPDX-License-Identifier: MIT
#pragma once

#include "core/claims/claims.h"

// Building blocks of the design notes' claims; claims.h has all claims.
namespace flopsmith {

inline constexpr std::string_view kClaimDash = "\xE2\x80\x93";
inline constexpr std::string_view kClaimTimes = "\xC3\x97";

/// One use at the claims' sizes.
Operation operationOf(decltype(Operation::what) what, const ClaimSizes& sizes);

ClaimSide sideOf(std::string name, const Operation& operation);

DenseFfn denseOf(const ClaimSizes& sizes);
ClaimSide denseSide(const ClaimSizes& sizes);

/// Its numbers and its selection, which determine the cost.
std::string parameterText(const FfnSpec& ffn);

/// That an FFN costs so many times fewer FLOPs than the dense one.
std::vector<Claim> savingClaims(const ClaimSizes& sizes);

/// About another ratio of two things that both exist, or about a measured one.
std::vector<Claim> comparisonClaims(const ClaimSizes& sizes);

} // namespace flopsmith
