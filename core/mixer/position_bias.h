// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"

namespace flopsmith {

/// Added to the scores of attention depending on the positions of query and key.
enum class PositionBias {
    none,
    alibi, ///< minus slope(head)·|distance|, fixed (BLOOM, MPT)
    relative, ///< an entry of a learned table [buckets, H], by the distance's bucket (T5)
    sharedRelative, ///< the same from the table of an earlier block; no parameters of its own
};

template <>
std::vector<std::string_view> enumNames<PositionBias>();

/// ALiBi's slope of a head (from 0): 2^(−8(head + 1)/H) if H is a power of two. Otherwise the
/// slopes of the next lower power of two come first, then every second one of the next higher
/// (Press, Smith and Lewis 2022).
double alibiSlope(int head, int heads);

/// Distances from here on share T5's last bucket.
inline constexpr int kFarthestDistance = 128;

enum class Direction { causal, bidirectional };

/// T5's bucket, in [0, buckets), of a key `offset` positions after the query (negative: before).
/// Half of the buckets hold one distance each, the others are spaced logarithmically up to
/// kFarthestDistance. Bidirectional: the upper half of all buckets is for keys after the query.
/// `buckets` is even, 4 … 128 (Raffel et al. 2020).
int relativeBucket(int offset, int buckets, Direction direction);

} // namespace flopsmith
