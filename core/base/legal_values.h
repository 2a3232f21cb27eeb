// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace flopsmith {

/// The value of an editable parameter: a whole number, a real one, a flag, or the name of a choice.
using FieldValue = std::variant<std::int64_t, double, bool, std::string>;

/// As files and messages show it: 64, 0.25, true, low_pass.
std::string valueText(const FieldValue& value);

/// How a slider or an axis spreads a parameter's values.
enum class Scale { linear, log2 };

/// Which values a parameter may take, and the stops at which a slider rests. Every value of
/// stops() is legal; a whole number typed by hand may be any that contains() accepts.
class LegalValues
{
public:
    /// Whole numbers low … high that are multiples of `multipleOf`.
    static LegalValues integers(std::int64_t low,
                                std::int64_t high,
                                Scale scale = Scale::linear,
                                std::int64_t multipleOf = 1);

    /// The divisors of `number`, for example heads of d_model.
    static LegalValues divisorsOf(std::int64_t number);

    /// Whole numbers low … high except those in `excluded`.
    static LegalValues integersBut(std::int64_t low,
                                   std::int64_t high,
                                   const std::vector<std::int64_t>& excluded);

    /// Real numbers low … high; stops every `step` from the first multiple of it above low.
    /// `openLow`: low itself is excluded, as in (0, 1].
    enum class LowEnd { closed, open };
    static LegalValues reals(double low, double high, double step, LowEnd end = LowEnd::closed);

    static LegalValues flag();

    /// A flag that the other settings do not allow to be set (or to be cleared).
    static LegalValues onlyFalse();
    static LegalValues onlyTrue();

    /// The names are not copied: they have to be literals.
    static LegalValues choices(std::vector<std::string_view> names);

    bool contains(const FieldValue& value) const;

    /// The legal value closest to `value` (for numbers), else the first legal one.
    FieldValue nearest(const FieldValue& value) const;

    /// The slider's positions in ascending order: at most 1025 of them.
    std::vector<FieldValue> stops() const;

    /// For messages and tool tips: "1 … 385", "a divisor of 768", "low_pass, learned or top_k".
    std::string text() const;

    /// The smallest and the largest legal number; 0 and 0 for flags and choices.
    double low() const { return m_low; }
    double high() const { return m_high; }

    const std::vector<std::string_view>& names() const { return m_names; }
    Scale scale() const { return m_scale; }

private:
    enum class Kind { integers, divisors, list, reals, flag, choices };

    bool isListed() const { return m_kind == Kind::divisors || m_kind == Kind::list; }
    std::vector<std::int64_t> listed() const; ///< divisors and lists, ascending
    bool containsInteger(std::int64_t number) const;
    std::int64_t nearestInteger(double number) const;
    std::vector<FieldValue> integerStops() const;
    std::vector<FieldValue> flagStops() const;

    Kind m_kind = Kind::flag;
    Scale m_scale = Scale::linear;
    double m_low = 0;
    double m_high = 0;
    double m_step = 1;
    LowEnd m_lowEnd = LowEnd::closed;
    std::vector<std::int64_t> m_listed; ///< of a list, ascending
    bool m_allowsFalse = true;
    bool m_allowsTrue = true;
    std::int64_t m_dividend = 0;
    std::vector<std::string_view> m_names;
};

/// The divisor of `number` nearest to its square root: the most even factorisation of a width.
int nearRootDivisor(int number);

} // namespace flopsmith
