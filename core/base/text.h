// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/count.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace flopsmith {

/// A number as the screen shows it: three or four significant digits and an SI prefix. The
/// decimal point is always ".", whatever the locale.
struct ShortNumber
{
    std::string figure; ///< "218.7"
    std::string prefix; ///< "G", or empty

    std::string text() const { return prefix.empty() ? figure : figure + " " + prefix; }
};

/// While it lives, short numbers that this thread makes have three significant digits at most, as
/// an audience reads them: "219 G" in place of "218.7 G".
class ThreeDigits
{
public:
    explicit ThreeDigits(bool on = true);
    ~ThreeDigits();
    ThreeDigits(const ThreeDigits&) = delete;
    ThreeDigits& operator=(const ThreeDigits&) = delete;

private:
    bool m_before;
};

/// 218712345678 → "218.7", "G". Zero gives "0"; not-a-number and infinity give "–".
ShortNumber shortNumber(double value);

/// "218.7 G"; from 10²¹ on "3.14e23".
std::string siText(double value);

/// Parameters as papers write them: "8.03 B", "124.4 M".
ShortNumber shortParameters(double parameters);
std::string parametersText(double parameters);

/// A rate with its unit: "61.3 GFLOP/s".
std::string rateText(double perSecond, std::string_view unit);

/// Seconds with their unit: "1.43 s", "614 ms", "10.2 µs".
std::string durationText(double seconds);

/// Bytes with a decimal unit, as papers and the makers of devices give them: "497.8 MB".
std::string bytesText(double bytes);

/// Digits in groups of three, separated by a narrow no-break space: "291 648 307 200".
std::string groupedDigits(Count count);

/// A share as "37.0 %", "0.03 %" or "< 0.01 %".
std::string percentText(double share);

/// A difference as a share of what it is from: "+12.3 %", "−21.0 %", "0 %"; "≈ 0 %" if it is too
/// small to be shown.
std::string signedPercentText(double share);

/// "0.51×", "0.0031×"; empty for a ratio of 0, which means that there is none.
std::string ratioText(double ratio);

/// Seconds since 1970 as date and time in UTC: "2026-11-21 10:40 UTC".
std::string dateText(std::int64_t secondsSince1970);

/// A number with this many digits after the decimal point, in every locale.
std::string fixedText(double value, int digits);

/// The shortest text that reads back as the same double, always with ".": "0.25".
std::string numberText(double value);

} // namespace flopsmith
