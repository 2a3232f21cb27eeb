// SPDX-License-Identifier: MIT
#include "core/study/search/fit.h"

#include "core/base/check.h"

#include <cmath>
#include <vector>

namespace flopsmith {
namespace {

struct LogPoint
{
    double u = 0;
    double v = 0;
};

bool hasLogarithm(double value)
{
    return std::isfinite(value) && value > 0;
}

std::vector<LogPoint> logPoints(std::span<const double> x, std::span<const double> y)
{
    std::vector<LogPoint> points;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (hasLogarithm(x[i]) && hasLogarithm(y[i])) {
            points.push_back({std::log(x[i]), std::log(y[i])});
        }
    }
    return points;
}

LogPoint mean(const std::vector<LogPoint>& points)
{
    LogPoint sum;
    for (const LogPoint& point : points) {
        sum.u += point.u;
        sum.v += point.v;
    }
    const auto count = static_cast<double>(points.size());
    return {sum.u / count, sum.v / count};
}

} // namespace

double PowerLaw::at(double x) const
{
    return coefficient * std::pow(x, exponent);
}

Result<PowerLaw> fitPowerLaw(std::span<const double> x, std::span<const double> y)
{
    FLOPSMITH_CHECK(x.size() == y.size());
    const std::vector<LogPoint> points = logPoints(x, y);
    if (points.size() < 2) {
        return Error{"a slope needs at least two points with numbers above 0"};
    }
    const LogPoint centre = mean(points);
    double uu = 0;
    double uv = 0;
    for (const LogPoint& point : points) {
        uu += (point.u - centre.u) * (point.u - centre.u);
        uv += (point.u - centre.u) * (point.v - centre.v);
    }
    constexpr double kSameX = 1e-20; // rounding of logarithms of one and the same x
    if (uu <= kSameX) {
        return Error{"a slope needs points at different places of the axis"};
    }
    PowerLaw law{.exponent = uv / uu, .points = static_cast<int>(points.size())};
    const double intercept = centre.v - law.exponent * centre.u;
    law.coefficient = std::exp(intercept);
    if (points.size() >= 3) {
        double squares = 0;
        for (const LogPoint& point : points) {
            const double residual = point.v - intercept - law.exponent * point.u;
            squares += residual * residual;
        }
        law.exponentError = std::sqrt(squares / static_cast<double>(points.size() - 2) / uu);
    }
    return law;
}

} // namespace flopsmith
