// SPDX-License-Identifier: MIT
#include "core/count/price_list.h"

#include "core/count/lens.h"

#include <array>

namespace flopsmith {
namespace {

constexpr ScalarCharge kEachOperation{.perElement = 0, .perOperation = true};

constexpr ScalarCharge each(int perElement)
{
    return {.perElement = perElement, .perOperation = false};
}

constexpr PriceList everything()
{
    PriceList list{.perMac = 2};
    for (ScalarCharge& charge : list.scalars) {
        charge = kEachOperation;
    }
    return list;
}

constexpr PriceList dotProducts()
{
    PriceList list = everything();
    list.perDot = -1;
    list.of(OpKind::transform) = {};
    list.of(OpKind::selection) = {};
    return list;
}

constexpr PriceList products(int perMac, bool seesAttention, int perLayerNormElement)
{
    PriceList list{.perMac = perMac, .perDot = 0, .seesAttention = seesAttention};
    list.of(OpKind::norm) = each(perLayerNormElement);
    return list;
}

constexpr PriceList calflopsPrices()
{
    PriceList list{.perMac = 2};
    list.of(OpKind::linear) = kEachOperation;
    list.of(OpKind::activation) = each(1);
    list.of(OpKind::softmax) = each(1);
    list.of(OpKind::norm) = each(5);
    return list;
}

constexpr int kDropout = 4;

constexpr PriceList electraPrices()
{
    PriceList list{.perMac = 2};
    list.of(OpKind::linear) = kEachOperation;
    list.of(OpKind::scores) = kEachOperation;
    list.of(OpKind::softmax) = each(5 + kDropout);
    list.of(OpKind::norm) = each(5);
    list.of(OpKind::rmsNorm) = each(5);
    list.of(OpKind::activation) = each(8);
    list.of(OpKind::elementwise) = kEachOperation;
    list.of(OpKind::residual) = {.perElement = kDropout, .perOperation = true};
    list.of(OpKind::lookup) = kEachOperation;
    return list;
}

constexpr PriceList onePagerPrices()
{
    PriceList list{.perMac = 2};
    list.of(OpKind::linear) = kEachOperation;
    list.of(OpKind::norm) = each(5);
    list.of(OpKind::rmsNorm) = each(5);
    list.of(OpKind::activation) = each(8);
    return list;
}

// By LensId, as far as the lenses have prices.
constexpr std::array kPrices{
    everything(),
    dotProducts(),
    products(2, true, 0), // matmul
    products(1, true, 0), // mac
    products(2, true, 0), // flash: its pairs are another matter
    products(2, false, 0), // torch_cpu
    products(1, false, 5), // fvcore
    products(1, true, 5), // fvcore_eager
    products(1, false, 4), // thop
    calflopsPrices(),
    electraPrices(),
    onePagerPrices(),
};
static_assert(kPrices.size() == static_cast<std::size_t>(LensId::onePager) + 1);

} // namespace

const PriceList& priceList(LensId id)
{
    const auto index = static_cast<std::size_t>(id);
    FLOPSMITH_CHECK(index < kPrices.size());
    return kPrices[index];
}

} // namespace flopsmith
