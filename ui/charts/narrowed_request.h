// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/figure_request.h"

#include <vector>

namespace flopsmith::ui {

/// A request with another tree, other operations and their times than those of its whole model: of the
/// part that its scope names, under a lens that prices operations and without other designs, which
/// need not have the part; or, of the whole model, with composed FFNs as one part each.
class NarrowedRequest
{
public:
    explicit NarrowedRequest(const FigureRequest& request);
    NarrowedRequest(const NarrowedRequest&) = delete; // the request points into it
    NarrowedRequest& operator=(const NarrowedRequest&) = delete;

    FigureResult makeWith(FigureResult (*make)(const FigureRequest& request)) const
    {
        return make(m_request);
    }

private:
    FigureRequest m_request;
    CostTree<Count> m_tree;
    std::vector<MeasuredPart> m_parts;
};

} // namespace flopsmith::ui
