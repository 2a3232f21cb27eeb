// SPDX-License-Identifier: MIT
#pragma once

#include "core/protocol/wire/message.h"

#include <string>
#include <string_view>
#include <variant>

namespace flopsmith {

/// The message as one line without its line feed. Bytes that are not UTF-8 become "�".
std::string lineOf(const Request& request);
std::string lineOf(const Answer& answer);

/// Reading is total: any bytes give a message, or the answer to send for the line. Unknown keys are
/// ignored, so that a later version may add some; wrong types, missing keys, numbers out of range
/// and other versions are a Failure.
std::variant<Request, Failure> requestOf(std::string_view line);

/// The same for the asker's side.
Result<Answer> answerOf(std::string_view line);

} // namespace flopsmith
