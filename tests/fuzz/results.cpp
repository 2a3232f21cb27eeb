// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/base/text_file.h"
#include "core/json/json_text.h"
#include "core/store/results_file.h"
#include "tests/fuzz/target.h"

// A file of results that somebody sent. What is read is written and read again the same.
FLOPSMITH_FUZZ_READER(results)
{
    using namespace flopsmith;
    const Result<std::string> text = textOfBytes(std::string(asText(data, size)), "file");
    if (!text) {
        return 0;
    }
    const Result<ResultsFile> file = resultsOfText(*text, "file");
    if (!file) {
        FLOPSMITH_CHECK(!file.error().message.empty());
        return 0;
    }
    const std::string written = jsonText(resultsJson(*file, "flopsmith"));
    const Result<ResultsFile> again = resultsOfText(written, "again");
    FLOPSMITH_CHECK(again.ok());
    FLOPSMITH_CHECK(jsonText(resultsJson(*again, "flopsmith")) == written);
    return 0;
}
