// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"

#include <QString>

namespace flopsmith::ui {

/// One figure of a block's FFN and of a dense FFN of the same width.
struct ComparedWithDense
{
    Count own = 0;
    Count dense = 0;

    bool isLess() const { return own < dense; }

    /// "899× fewer parameters", "1.5× more FLOPs", "0.08 % fewer parameters", "as many FLOPs"
    QString text(const QString& what) const;
};

/// A block's FFN compared with a dense FFN that is four times as wide inside, with biases.
struct FfnComparison
{
    ComparedWithDense parameters{}; ///< trainable
    ComparedWithDense flops{}; ///< exact lens, of a pass of the workload
};

/// The dense FFN that stands beside each.
FfnSpec denseBeside(const Scenario& scenario);

FfnComparison ffnComparison(const FfnSpec& ffn, const Scenario& scenario);

} // namespace flopsmith::ui
