// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/budget/hardware.h"

#include "core/base/check.h"
#include "core/base/text_file.h"
#include "tests/fuzz/target.h"

// A table of devices that a person wrote.
FLOPSMITH_FUZZ_READER(hardware)
{
    using namespace flopsmith;
    const Result<std::string> text = textOfBytes(std::string(asText(data, size)), "table");
    if (!text) {
        return 0;
    }
    const Result<std::vector<Hardware>> devices = hardwareFromText(*text, "table");
    if (!devices) {
        FLOPSMITH_CHECK(!devices.error().message.empty());
    }
    return 0;
}
