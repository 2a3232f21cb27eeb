// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/figure_request.h"

#include <vector>

namespace flopsmith::ui {

/// The request for a part of its model: the part's tree, operations and times, under a lens that
/// prices operations. Other designs are left out, because they need not have the part.
class ScopedRequest
{
public:
    explicit ScopedRequest(const FigureRequest& request);

    FigureResult makeWith(FigureResult (*make)(const FigureRequest& request)) const
    {
        return make(m_request);
    }

private:
    FigureRequest m_request;
    CostTree<Count> m_tree;
    std::vector<MeasuredPart> m_parts;
};

/// The request with composed FFNs as one part each, without their stages.
class FoldedRequest
{
public:
    explicit FoldedRequest(const FigureRequest& request);

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
