// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/cost_tree.h"
#include "core/count/numbers.h"

#include <optional>
#include <span>
#include <string_view>

namespace flopsmith {

enum class LensId { exact, matmul, mac };

/// A convention: which operations of a cost tree count, and as how much. The same model has a
/// different "FLOPs" in every tool because each has its own.
struct Lens
{
    LensId id = LensId::exact;
    std::string_view name; ///< on the command line and in files
    std::string_view title;
    std::string_view unit; ///< "FLOPs" or "MACs"
    std::string_view rule; ///< one sentence
    std::string_view source; ///< who counts so
    PairsRule pairs = PairsRule::exact; ///< unless the caller asks for another
};

/// All lenses, the default first.
std::span<const Lens> lenses();
const Lens& lens(LensId id);
std::optional<LensId> lensNamed(std::string_view name);

/// What the lens makes of one operation's count.
///   exact   2·mac + mul + add + div + sqrt + exp + cmp + fft
///   matmul  2·mac
///   mac     mac
template <class N>
N priced(LensId lens, const OpCount<N>& c)
{
    switch (lens) {
    case LensId::exact:
        return N(2) * c.mac + c.mul + c.add + c.div + c.sqrt + c.exp + c.cmp + c.fft;
    case LensId::matmul: return N(2) * c.mac;
    case LensId::mac: return c.mac;
    }
    return N(0);
}

/// Whether the lens is blind to operations that this count holds (moved elements aside): such
/// parts are shown as uncounted, never as a silent zero.
bool isBlindTo(LensId lens, const OpCount<Count>& count);

} // namespace flopsmith
