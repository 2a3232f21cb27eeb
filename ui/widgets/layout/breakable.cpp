// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/layout/breakable.h"

namespace flopsmith::ui {

QString breakable(const QString& sentence)
{
    constexpr int kLongestWord = 30;
    const QChar zeroWidthSpace(0x200B);
    QString text;
    int word = 0;
    for (const QChar character : sentence) {
        word = character.isSpace() ? 0 : word + 1;
        text += character;
        if (word == kLongestWord) {
            text += zeroWidthSpace;
            word = 0;
        }
    }
    return text;
}

} // namespace flopsmith::ui
