// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/protocol/wire/wire.h"
#include "tests/fuzz/target.h"

#include <algorithm>

// Bytes that arrive on either side of the pipe: cut into lines, and each line read as a request and
// as an answer. What is understood is written and understood again.
FLOPSMITH_FUZZ_READER(protocol)
{
    using namespace flopsmith;
    const std::string_view text = asText(data, size);
    std::size_t start = 0;
    while (start <= text.size()) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        const std::string_view line = text.substr(start, end - start);
        start = end + 1;
        const auto request = requestOf(line);
        if (const auto* understood = std::get_if<Request>(&request)) {
            FLOPSMITH_CHECK(std::holds_alternative<Request>(requestOf(lineOf(*understood))));
        }
        const Result<Answer> answer = answerOf(line);
        if (answer) {
            FLOPSMITH_CHECK(answerOf(lineOf(*answer)).ok());
        } else {
            FLOPSMITH_CHECK(!answer.error().message.empty());
        }
    }
    return 0;
}
