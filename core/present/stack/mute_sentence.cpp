// SPDX-License-Identifier: MIT
#include "core/present/stack/mute_sentence.h"

#include "core/base/text.h"

namespace flopsmith {

std::string muteSentence(const MuteChange& change, LensId id)
{
    const std::string subject = std::string(change.part) + " of " + std::to_string(change.blocks)
        + (change.blocks == 1 ? " block" : " blocks") + (change.muted ? " muted" : " unmuted");
    const Lens& under = lens(id);
    if (!change.before || !change.after) {
        return subject;
    }
    const Count before = *change.before;
    const Count after = *change.after;
    if (before == after) {
        return subject + ": costs the same under " + std::string(under.title);
    }
    const bool less = after < before;
    const std::string sign = less ? "\xE2\x88\x92" : "+";
    const double difference = toDouble(less ? before - after : after - before);
    const ShortNumber number = shortNumber(difference);
    std::string text =
        subject + ": " + sign + number.figure + " " + number.prefix + std::string(under.unit);
    if (before > 0) {
        text += " (" + sign + percentText(difference / toDouble(before)) + ")";
    }
    return text;
}

} // namespace flopsmith
