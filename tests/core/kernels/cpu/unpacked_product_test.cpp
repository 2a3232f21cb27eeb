// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/gemm/unpacked_product.h"

#include "core/kernels/weights.h"

#include <gmock/gmock.h>

#include <cmath>
#include <vector>

namespace flopsmith::cpu {
namespace {

// The matrices stand in wider ones, of which nothing else may count or change.
constexpr std::int64_t kBeside = 3;
constexpr float kElsewhere = -7.0F;

void expectSameAsPlain(const ProductSize& size, Into into)
{
    SCOPED_TRACE(std::to_string(size.rows) + "·" + std::to_string(size.inner) + "·"
                 + std::to_string(size.columns) + (into == Into::add ? ", added" : ""));
    const std::int64_t aStride = size.inner + kBeside;
    const std::int64_t bStride = size.columns + kBeside;
    const auto a = randomActivations<float>(static_cast<std::size_t>(size.rows * aStride), 1);
    auto b = randomActivations<float>(static_cast<std::size_t>(size.inner * bStride), 2);
    std::vector<float> c(static_cast<std::size_t>(size.rows * bStride), kElsewhere);
    std::vector<double> right(c.begin(), c.end());
    for (std::int64_t k = 0; k < size.inner; ++k) {
        std::fill_n(b.begin() + k * bStride + size.columns, kBeside, NAN);
    }
    for (std::int64_t i = 0; i < size.rows; ++i) {
        for (std::int64_t j = 0; j < size.columns; ++j) {
            double& sum = right[static_cast<std::size_t>(i * bStride + j)];
            sum = into == Into::add ? static_cast<double>(kElsewhere) : 0.0;
            for (std::int64_t k = 0; k < size.inner; ++k) {
                sum += static_cast<double>(a[static_cast<std::size_t>(i * aStride + k)])
                    * static_cast<double>(b[static_cast<std::size_t>(k * bStride + j)]);
            }
        }
    }
    multiplyUnpacked(size, {a.data(), aStride}, {b.data(), bStride}, {c.data(), bStride}, into);
    const double tolerance =
        1.2e-7 * 16.0 * (1.0 + static_cast<double>(size.inner)); // sums up to 16
    for (std::size_t i = 0; i < c.size(); ++i) {
        ASSERT_NEAR(static_cast<double>(c[i]), right[i], tolerance) << "element " << i;
    }
}

TEST(UnpackedProduct, MultipliesAnyNumberOfRows)
{
    for (std::int64_t rows = 1; rows <= 27; ++rows) {
        expectSameAsPlain({rows, 7, 48}, Into::overwrite);
        expectSameAsPlain({rows, 7, 19}, Into::add);
    }
}

TEST(UnpackedProduct, MultipliesAnyNumberOfColumns)
{
    for (std::int64_t columns = 1; columns <= 150; ++columns) {
        expectSameAsPlain({5, 6, columns}, columns % 2 == 0 ? Into::overwrite : Into::add);
    }
}

TEST(UnpackedProduct, SumsAnyNumberOfTerms)
{
    for (const std::int64_t inner : {0, 1, 2, 15, 16, 17, 128, 301}) {
        expectSameAsPlain({13, inner, 33}, Into::overwrite);
        expectSameAsPlain({13, inner, 33}, Into::add);
    }
}

} // namespace
} // namespace flopsmith::cpu
