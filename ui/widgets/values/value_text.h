// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/legal_values.h"
#include "ui/theme/utf8.h"

#include <QString>

#include <optional>
#include <vector>

namespace flopsmith::ui {

/// The text of a value box: whole numbers in full, real ones with at least two decimals.
QString boxText(const FieldValue& value);

/// Parses a number of the same kind as `like`, also as quantityOf() does ("2*768", "4k"); "," is read
/// as ".". Nothing if the text is not such a number.
std::optional<FieldValue> typedValue(const QString& text, const FieldValue& like);

/// The index of the stop that is closest to a number; stops are ascending.
int stopIndex(const std::vector<FieldValue>& stops, const FieldValue& value);

/// The value one step up (+1) or down (−1): the next whole number if it is legal, otherwise the
/// next stop. Unchanged at the ends.
FieldValue stepped(const LegalValues& legal,
                   const std::vector<FieldValue>& stops,
                   const FieldValue& value,
                   int by);

/// "of 385" if the upper limit is informative, otherwise empty.
QString limitHint(const LegalValues& legal,
                  const std::vector<FieldValue>& stops,
                  const FieldValue& value);

} // namespace flopsmith::ui
