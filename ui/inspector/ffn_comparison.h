// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"

#include <QString>

namespace flopsmith::ui {

/// A block's FFN compared with a dense FFN of the same width.
struct FfnComparison
{
    Count parameters = 0; ///< trainable, of this FFN
    Count denseParameters = 0; ///< 2·d·4d + 4d + d: dense, four times as wide, with biases
    QString verdict; ///< "899× fewer than dense", "1.5× more than dense", "as dense"

    bool isFewer() const { return parameters < denseParameters; }
};

FfnComparison ffnComparison(const FfnSpec& ffn, int dModel);

} // namespace flopsmith::ui
