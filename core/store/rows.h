// SPDX-License-Identifier: MIT
#pragma once

#include "core/protocol/wire/wire.h"
#include "core/store/measurement_store.h"

#include <optional>
#include <string>
#include <utility>

// Conversion of table rows; private to this folder.
namespace flopsmith::rows {

/// The SQL condition that machines `n` and `m` are different and of the same device.
inline constexpr const char* kSameDevice =
    "n.origin = m.origin AND n.device = m.device AND n.kind = m.kind AND n.id <> m.id";

/// A message as stored: without its id.
template <class Message>
std::string answerText(Message message)
{
    message.id = 0;
    return lineOf(Answer(std::move(message)));
}

/// Nothing if the text is not such a message, for example because a later version wrote it.
template <class Message>
std::optional<Message> messageOf(const std::string& text)
{
    const Result<Answer> answer = answerOf(text);
    const auto* message = answer ? std::get_if<Message>(&*answer) : nullptr;
    return message == nullptr ? std::nullopt : std::optional(*message);
}

/// The reverse of questionText().
std::optional<MeasureRequest> questionOf(const std::string& text);

/// Whether a new result replaces a stored one for the same question.
enum class Replace { always, older };

/// Database::changes() then tells whether the row was written.
Status write(sqlite::Database& database,
             std::int64_t machine,
             const StoredResult& result,
             Replace replace);
Status write(sqlite::Database& database,
             std::int64_t machine,
             const StoredPeaks& peaks,
             Replace replace);

/// "GPU of lab-gpu (imported)", with the device's own text where that name would be ambiguous.
enum class WithDevice { no, yes };
std::string importedName(const StoredMachine& machine, WithDevice withDevice);

} // namespace flopsmith::rows
