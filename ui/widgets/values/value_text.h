// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/legal_values.h"

#include <QString>

#include <optional>
#include <string_view>
#include <vector>

namespace flopsmith::ui {

QString fromUtf8(std::string_view utf8);

/// As a box shows it: whole numbers in full, real ones with at least two decimals.
QString boxText(const FieldValue& value);

/// A number typed into a box, of the same kind as `like`; "," is read as ".". Nothing if it is no
/// number of that kind.
std::optional<FieldValue> typedValue(const QString& text, const FieldValue& like);

/// The position among ascending stops that is closest to a number.
int stopIndex(const std::vector<FieldValue>& stops, const FieldValue& value);

/// The value one step up (+1) or down (−1): the next whole number if it is legal, else the next
/// stop. Stays where it is at the ends.
FieldValue stepped(const LegalValues& legal,
                   const std::vector<FieldValue>& stops,
                   const FieldValue& value,
                   int by);

/// "of 385" where the upper limit tells something, else empty.
QString limitHint(const LegalValues& legal,
                  const std::vector<FieldValue>& stops,
                  const FieldValue& value);

} // namespace flopsmith::ui
