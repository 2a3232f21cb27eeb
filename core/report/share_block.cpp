// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/share_block.h"

#include "core/report/frame_words.h"
#include "core/share/qr_code.h"

namespace flopsmith {

ReportBlock shareBlock(const Project& project, std::string_view page, std::string_view language)
{
    const FrameWords& words = frameWordsIn(language);
    const Result<std::string> code = shareCode(project, page);
    if (!code || shareLink(*code).size() > kLongestQrText) {
        return ReportText{.text = std::string(words.tooLarge), .isSmall = true};
    }
    return ReportShareCode{.code = *code, .hint = std::string(words.openCode)};
}

} // namespace flopsmith
