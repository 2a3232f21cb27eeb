// SPDX-License-Identifier: MIT
#include "core/base/count.h"

#include <algorithm>

namespace flopsmith {

std::string digits(Count count)
{
    const bool negative = count < 0;
    std::string text;
    do {
        const int digit = static_cast<int>(count % 10);
        text.push_back(static_cast<char>('0' + (negative ? -digit : digit)));
        count /= 10;
    } while (count != 0);
    if (negative) {
        text.push_back('-');
    }
    std::reverse(text.begin(), text.end());
    return text;
}

} // namespace flopsmith
