// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/share/deflate.h"
#include "core/share/envelope.h"
#include "core/share/share_code.h"
#include "tests/fuzz/target.h"

#include <string>

// Share codes, from the letters inwards, as no fuzzer guesses a checksum: after "z" bytes that are to
// be unfolded, after "d" the text of a design, else a code. What is read is shared and reads back the
// same.
namespace {

using namespace flopsmith;

std::string codeOf(std::string_view input)
{
    const std::string_view rest = input.substr(1);
    if (input.front() == 'z' || input.front() == 'd') {
        const Result<std::string> code =
            sealed({.bytes = input.front() == 'z' ? std::string(rest) : deflated(rest, {})});
        return code ? *code : std::string();
    }
    return std::string(input);
}

} // namespace

FLOPSMITH_FUZZ_READER(share)
{
    if (size == 0) {
        return 0;
    }
    for (const Illegal illegal : {Illegal::refuse, Illegal::repair}) {
        const Result<SharedDesign> design = parsedShareCode(codeOf(asText(data, size)), illegal);
        if (!design) {
            FLOPSMITH_CHECK(!design.error().message.empty());
            continue;
        }
        const Result<std::string> again = shareCode(design->project, design->page);
        if (!again) { // it is larger with all its values written
            continue;
        }
        const Result<SharedDesign> read = parsedShareCode(*again);
        FLOPSMITH_CHECK(read.ok());
        FLOPSMITH_CHECK(read->project.scenario == design->project.scenario);
        FLOPSMITH_CHECK(read->page == design->page);
    }
    return 0;
}
