// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/base/text_file.h"
#include "core/protocol/device/device_list.h"
#include "tests/fuzz/target.h"

// A devices.json as a person wrote it. What is read is written and read again the same.
FLOPSMITH_FUZZ_READER(devices)
{
    using namespace flopsmith;
    const Result<std::string> text = textOfBytes(std::string(asText(data, size)), "devices.json");
    if (!text) {
        return 0;
    }
    const Result<std::vector<Device>> devices = devicesOf(*text, "devices.json");
    if (!devices) {
        FLOPSMITH_CHECK(!devices.error().message.empty());
        return 0;
    }
    for (const Device& device : *devices) {
        FLOPSMITH_CHECK(validDeviceName(device.name).ok());
        FLOPSMITH_CHECK(!device.command.empty());
    }
    FLOPSMITH_CHECK(*devicesOf(textOf(*devices), "again") == *devices);
    return 0;
}
