// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/expected_time.h"

#include "core/count/lens.h"

#include <QObject>

#include <cmath>

namespace flopsmith::ui {
namespace {

constexpr double kRuns = 3.0; // a warm-up and the fewest samples
constexpr double kShareOfPeak = 0.5; // that matrix products reach
constexpr double kModestRate = 4e10; // FLOP/s of two cores with vectors of eight floats

} // namespace

double expectedSeconds(const std::vector<MeasuredPart>& parts,
                       const std::vector<PartTime>& times,
                       std::optional<double> flopsPerSecond)
{
    const double rate = kShareOfPeak * flopsPerSecond.value_or(kModestRate);
    double seconds = 0.0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i < times.size() && times[i].hasTime()) {
            continue;
        }
        const CostTree<Count> tree = costTree(parts[i].operation);
        seconds += kRuns * toDouble(pricedPart(LensId::exact, tree, 0)) / rate;
    }
    return seconds;
}

QString roughTimeText(double seconds)
{
    constexpr double kMinute = 60.0;
    constexpr double kHour = 3600.0;
    constexpr double kUntil = 1.5; // the smaller unit is used up to 90 s and 90 min
    if (seconds < kUntil * kMinute) {
        return QObject::tr("%1 s").arg(std::round(seconds));
    }
    return seconds < kUntil * kHour ? QObject::tr("%1 min").arg(std::round(seconds / kMinute))
                                    : QObject::tr("%1 h").arg(std::round(seconds / kHour));
}

} // namespace flopsmith::ui
