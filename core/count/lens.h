// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/cost_tree.h"
#include "core/count/formula_lens/registry.h"
#include "core/count/numbers.h"
#include "core/count/price_list.h"

#include <optional>
#include <span>
#include <string_view>

namespace flopsmith {

enum class LensId {
    exact,
    dot,
    matmul,
    mac,
    flash,
    torchCpu,
    fvcore,
    fvcoreEager,
    thop,
    calflops,
    electra,
    onePager,
#define FLOPSMITH_FORMULA_ID(id, Descriptor) id,
    FLOPSMITH_FORMULA_LENSES(FLOPSMITH_FORMULA_ID)
#undef FLOPSMITH_FORMULA_ID
};

std::string_view lensGroupTitle(LensGroup group);

enum class LensPricing {
    perOperation, ///< each operation of the cost tree has a price, and the total is their sum
    formula, ///< one figure from the sizes of the whole model: its parts have none
};

/// A convention: which operations of a cost tree count, and as how much. The same model has a
/// different "FLOPs" in every tool because each has its own.
struct Lens : LensText
{
    LensId id = LensId::exact;
    LensPricing pricing = LensPricing::perOperation;

    bool isFormula() const { return pricing == LensPricing::formula; }
};

/// All lenses, the default first, those of a group side by side.
std::span<const Lens> lenses();
const Lens& lens(LensId id);

/// By its name or by another that people know it by ("deepspeed" for calflops).
std::optional<LensId> lensNamed(std::string_view name);

/// The terms of a lens that is a formula; empty for the others.
std::span<const FormulaSummand> formulaSummands(LensId id);

/// What a lens that prices operations charges. A formula has no such list.
const PriceList& priceList(LensId id);

/// Every operation once:  2·mac + mul + add + div + sqrt + exp + cmp + fft.
template <class N>
N exactFlops(const OpCount<N>& c)
{
    return N(2) * c.mac + scalarOperations(c);
}

/// Whether the lens asks nothing of an operation but its count.
constexpr bool pricesCountsAlone(LensId lens)
{
    return lens == LensId::exact || lens == LensId::matmul || lens == LensId::mac;
}

/// What the lens makes of a count, for the lenses that look at nothing else:
///   exact   2·mac + mul + add + div + sqrt + exp + cmp + fft
///   matmul  2·mac
///   mac     mac
/// The others ask what kind of operation it is: see pricedNode and pricedPart.
template <class N>
N priced(LensId lens, const OpCount<N>& c)
{
    FLOPSMITH_CHECK(pricesCountsAlone(lens));
    if (lens == LensId::exact) {
        return exactFlops(c);
    }
    return lens == LensId::matmul ? N(2) * c.mac : c.mac;
}

/// One use of one operation under a lens that prices operations; 0 for a group.
template <class N>
N pricedNode(LensId lens, const typename CostTree<N>::Node& node)
{
    const PriceList& list = priceList(lens);
    return N(list.perMac) * macsSeen<N>(list, node) + scalarsCharged<N>(list, node);
}

/// One use of a part: the sum over its operations.
template <class N>
N pricedPart(LensId lens, const CostTree<N>& tree, int part)
{
    N sum{0};
    if (tree.size() > 0) {
        tree.forEachOperation(part, [&](const auto& operation, const N& times) {
            sum += times * pricedNode<N>(lens, operation);
        });
    }
    return sum;
}

/// Whether the lens is blind to the operation although it executes something (moved elements
/// aside): it is shown as uncounted, never as a silent zero. A formula is asked about the kinds of
/// operation that its authors had in mind.
bool isBlindTo(LensId id, const CostTree<Count>::Node& operation);

/// Whether the part executes something and the lens sees none of it.
bool isBlindToPart(LensId id, const CostTree<Count>& tree, int part);

} // namespace flopsmith
