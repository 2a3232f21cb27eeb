// SPDX-License-Identifier: MIT
#include "core/kernels/check.h"

#include "core/base/check.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace flopsmith {
namespace {

constexpr double kOperandFactor = 8;
constexpr double kToleranceFactor = 16.0;

} // namespace

double Agreement::relativeError() const
{
    return largestError == 0 ? 0.0 : largestError / magnitude;
}

Agreement compare(std::span<const float> fast,
                  std::span<const double> reference,
                  double terms,
                  double operandRounding)
{
    FLOPSMITH_CHECK(fast.size() == reference.size());
    Agreement agreement{.compared = fast.size()};
    for (std::size_t i = 0; i < fast.size(); ++i) {
        const double error = std::abs(static_cast<double>(fast[i]) - reference[i]);
        agreement.largestError =
            std::max(agreement.largestError,
                     std::isfinite(error) ? error : std::numeric_limits<double>::infinity());
        agreement.magnitude = std::max(agreement.magnitude, std::abs(reference[i]));
    }
    const double ofSums =
        kToleranceFactor * std::numeric_limits<float>::epsilon() * std::sqrt(std::max(terms, 1.0));
    agreement.tolerance = agreement.magnitude * (ofSums + kOperandFactor * operandRounding);
    agreement.agrees = agreement.compared > 0 && std::isfinite(agreement.largestError)
        && agreement.largestError <= agreement.tolerance;
    return agreement;
}

std::vector<std::size_t> rowsToCheck(std::size_t tokens,
                                     const Count& operationsPerToken,
                                     const Count& budget)
{
    std::vector<std::size_t> rows;
    if (tokens == 0) {
        return rows;
    }
    const Count affordable = budget / std::max(operationsPerToken, Count{1});
    const auto count =
        static_cast<std::size_t>(std::clamp(affordable, Count{1}, static_cast<Count>(tokens)));
    for (std::size_t i = 0; i < count; ++i) {
        rows.push_back(count == 1 ? 0 : i * (tokens - 1) / (count - 1));
    }
    return rows;
}

Shape shapeToCheck(const Shape& shape,
                   const std::function<Count(const Shape&)>& operations,
                   const Count& budget)
{
    if (operations(shape) <= budget) {
        return shape;
    }
    const int cached = shape.context - shape.sequence;
    const auto cutTo = [&](int tokens) {
        Shape cut = shape;
        cut.batch = 1;
        cut.sequence = std::min(shape.sequence, tokens);
        cut.context = cut.sequence + std::min(cached, tokens);
        cut.source = std::min(shape.source, tokens);
        return cut;
    };
    int fits = 1; // the smallest shape is always checked
    int tooMany = std::max({shape.sequence, cached, shape.source}) + 1;
    while (tooMany - fits > 1) {
        const int middle = fits + (tooMany - fits) / 2;
        (operations(cutTo(middle)) <= budget ? fits : tooMany) = middle;
    }
    return cutTo(fits);
}

} // namespace flopsmith
