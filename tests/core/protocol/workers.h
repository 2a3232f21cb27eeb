// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/device/device.h"
#include "core/protocol/wire/wire.h"
#include "tests/core/protocol/messages.h"

#include <string>

// Stand-ins for a measuring program, as shell scripts.
namespace flopsmith {

inline Device scripted(const std::string& script)
{
    return {"a test", {"/bin/sh", "-c", script}};
}

/// Shell functions: `answer` prints an answer under the id of the request in $line.
inline std::string shellWorker(const std::string& body,
                               Described described = {.device = "test device"})
{
    Measured measured = someMeasured();
    measured.id = 424242;
    described.id = 424242;
    const PeaksMeasured peaks{424242, 1, 1e11, 1e10, "made up"};
    const auto quoted = [](const Answer& answer) { return "'" + lineOf(answer) + "'"; };
    return R"(
id_of() { printf '%s' "$line" | sed 's/.*"id":\([0-9]*\).*/\1/'; }
answer() { printf '%s\n' "$1" | sed "s/424242/$(id_of)/"; }
described() { answer )"
        + quoted(described) + R"(; }
peaks() { answer )"
        + quoted(peaks) + R"(; }
measured() { answer )"
        + quoted(measured) + R"(; }
progress() { answer )"
        + quoted(Progress{424242, "timing", 1, 1e-3, 0.1}) + R"(; }
failure() { answer )"
        + quoted(Failure{424242, FailureCode::memory, "It needs 9 bytes."}) + R"(; }
cancelled() { answer )"
        + quoted(Failure{424242, FailureCode::cancelled, "Cancelled."}) + R"(; }
while read -r line; do
case "$line" in
*'"type":"describe"'*) described ;;
*'"type":"peaks"'*) peaks ;;
*'"type":"cancel"'*) cancelled ;;
*'"type":"measure"'*) )"
        + body + R"( ;;
esac
done
)";
}

} // namespace flopsmith
