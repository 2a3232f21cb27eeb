// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/numbers.h"
#include "core/count/cost_tree.h"
#include "core/count/formula_lens/registry.h"
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
    formula, ///< one total from the sizes of the whole model; its parts have no price
};

/// A counting convention: which operations of a cost tree count, and how much. Tools report
/// different "FLOPs" for the same model because their conventions differ.
struct Lens : LensText
{
    LensId id = LensId::exact;
    LensPricing pricing = LensPricing::perOperation;

    bool isFormula() const { return pricing == LensPricing::formula; }
};

/// All lenses, the default first, sorted by group.
std::span<const Lens> lenses();
const Lens& lens(LensId id);

/// A lens by its name or an alias ("deepspeed" for calflops).
std::optional<LensId> lensNamed(std::string_view name);

/// The terms of a lens that is a formula; empty for the others.
std::span<const FormulaSummand> formulaSummands(LensId id);

/// The prices of a lens that charges per operation; a formula has none.
const PriceList& priceList(LensId id);

/// Every operation once:  2·mac + mul + add + div + sqrt + exp + cmp + fft.
template <class N>
N exactFlops(const OpCount<N>& c)
{
    return N(2) * c.mac + scalarOperations(c);
}

/// Whether the price of an operation depends only on its count.
constexpr bool pricesCountsAlone(LensId lens)
{
    return lens == LensId::exact || lens == LensId::matmul || lens == LensId::mac;
}

/// The price of a count under a lens that needs nothing else:
///   exact   2·mac + mul + add + div + sqrt + exp + cmp + fft
///   matmul  2·mac
///   mac     mac
/// Other lenses depend on the kind of operation: see pricedNode and pricedPart.
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

/// Whether the lens ignores an operation that executes something (moved elements aside): it is
/// shown as uncounted, not as 0. For a formula this follows from the kinds of operation that its
/// authors considered.
bool isBlindTo(LensId id, const CostTree<Count>::Node& operation);

/// Whether the part executes operations and the lens counts none of them.
bool isBlindToPart(LensId id, const CostTree<Count>& tree, int part);

} // namespace flopsmith
