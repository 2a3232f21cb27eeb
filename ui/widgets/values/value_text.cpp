// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/values/value_text.h"

#include "core/base/quantity.h"

#include <QLocale>
#include <QObject>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <limits>

namespace flopsmith::ui {
namespace {

constexpr double kMinShownLimit = 17.0;
constexpr double kMaxShownLimit = 1024.0;

double asNumber(const FieldValue& value)
{
    if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        return static_cast<double>(*whole);
    }
    const auto* real = std::get_if<double>(&value);
    return real != nullptr ? *real : 0.0;
}

// The first stop above or below the value; the value itself at the ends.
FieldValue nextStop(const std::vector<FieldValue>& stops, const FieldValue& value, int by)
{
    const double number = asNumber(value);
    constexpr double kSame = 1e-9;
    if (by > 0) {
        for (const FieldValue& stop : stops) {
            if (asNumber(stop) > number + kSame) {
                return stop;
            }
        }
        return value;
    }
    for (auto stop = stops.rbegin(); stop != stops.rend(); ++stop) {
        if (asNumber(*stop) < number - kSame) {
            return *stop;
        }
    }
    return value;
}

// "1,024", "1 024" and "1.024" are 1024, because a whole number has no decimals.
QString withoutGrouping(const QString& text)
{
    static const QRegularExpression kGrouped(
        QStringLiteral("^([+-]?\\d{1,3})([ ,.\u2009\u202F\u00A0])(\\d{3})(?:\\2\\d{3})*$"));
    const QRegularExpressionMatch grouped = kGrouped.match(text);
    return grouped.hasMatch() ? QString(text).remove(grouped.captured(2)) : text;
}

// A number beyond 64 bits is read as the largest one, which is illegal too.
std::optional<FieldValue> typedWhole(const QString& text)
{
    static const QRegularExpression kDigits(QStringLiteral("^[+-]?\\d+$"));
    bool fits = false;
    const qlonglong whole = text.toLongLong(&fits);
    if (!fits && kDigits.match(text).hasMatch()) {
        const bool negative = text.startsWith(QLatin1Char('-'));
        return negative ? std::numeric_limits<std::int64_t>::min()
                        : std::numeric_limits<std::int64_t>::max();
    }
    return fits ? std::optional<FieldValue>(std::int64_t{whole}) : std::nullopt;
}

// "2*768", "4k"; also if it is too large, and so illegal.
std::optional<FieldValue> wholeQuantity(const QString& text)
{
    constexpr double kLargest = 9.0e18;
    const std::optional<double> quantity = quantityOf(text.toStdString());
    if (!quantity || *quantity != std::round(*quantity)) {
        return std::nullopt;
    }
    return FieldValue(static_cast<std::int64_t>(std::clamp(*quantity, -kLargest, kLargest)));
}

} // namespace

QString boxText(const FieldValue& value)
{
    const auto* real = std::get_if<double>(&value);
    if (real == nullptr) {
        return QString::fromStdString(valueText(value));
    }
    const QString two = QString::number(*real, 'f', 2);
    const bool exact = two.toDouble() == *real;
    return exact ? two : QString::fromStdString(valueText(value));
}

std::optional<FieldValue> typedValue(const QString& text, const FieldValue& like)
{
    bool isNumber = false;
    QString trimmed = text.trimmed();
    if (std::holds_alternative<std::int64_t>(like)) {
        const auto whole = typedWhole(withoutGrouping(trimmed));
        return whole ? whole : wholeQuantity(trimmed);
    }
    const double real = trimmed.replace(QLatin1Char(','), QLatin1Char('.')).toDouble(&isNumber);
    if (isNumber && std::isfinite(real)) {
        return real;
    }
    const std::optional<double> quantity = quantityOf(trimmed.toStdString());
    return quantity ? std::optional<FieldValue>(*quantity) : std::nullopt;
}

int stopIndex(const std::vector<FieldValue>& stops, const FieldValue& value)
{
    if (stops.empty()) {
        return 0;
    }
    const double number = asNumber(value);
    const auto above = std::lower_bound(
        stops.begin(), stops.end(), number, [](const FieldValue& stop, double wanted) {
            return asNumber(stop) < wanted;
        });
    if (above == stops.begin()) {
        return 0;
    }
    const auto index = static_cast<int>(above - stops.begin());
    if (above == stops.end()) {
        return index - 1;
    }
    const bool lowerIsCloser = number - asNumber(*(above - 1)) < asNumber(*above) - number;
    return lowerIsCloser ? index - 1 : index;
}

FieldValue stepped(const LegalValues& legal,
                   const std::vector<FieldValue>& stops,
                   const FieldValue& value,
                   int by)
{
    FieldValue reached = value;
    const int direction = by > 0 ? 1 : -1;
    for (int step = 0; step < std::abs(by); ++step) {
        const auto* whole = std::get_if<std::int64_t>(&reached);
        const FieldValue neighbour = whole != nullptr ? FieldValue(*whole + direction) : reached;
        reached = whole != nullptr && legal.contains(neighbour)
            ? neighbour
            : nextStop(stops, reached, direction);
    }
    return reached;
}

QString limitHint(const LegalValues& legal,
                  const std::vector<FieldValue>& stops,
                  const FieldValue& value)
{
    const bool whole = std::holds_alternative<std::int64_t>(value);
    const bool shown = legal.high() >= kMinShownLimit && legal.high() <= kMaxShownLimit;
    // Divisors and multiples have gaps, so that their upper limit is not informative.
    const bool gapless = static_cast<double>(stops.size()) >= legal.high() - legal.low();
    if (!whole || !shown || !gapless || legal.scale() != Scale::linear) {
        return {};
    }
    return QObject::tr("of %1").arg(static_cast<qint64>(legal.high()));
}

} // namespace flopsmith::ui
