// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/drawing.h"
#include "ui/report/drawn_report.h"

#include <QString>

#include <functional>
#include <string>
#include <vector>

QT_BEGIN_NAMESPACE
class QPainter;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// An indivisible item on a page: a line of text, a row of a table, figures side by side, an answer
/// box, or a gap, which paints nothing and is dropped at the top of a page.
struct PageItem
{
    double height = 0.0;
    bool keepsNext = false; ///< it is never the last on a page
    bool beginsPage = false; ///< of a page break
    std::function<void(QPainter& painter, double top)> paint{}; ///< at the left margin x = 0
};

/// The report in items that are `width` pixels wide, with text of that height. The report and its
/// figures must outlive the items.
std::vector<PageItem> pageItems(const DrawnReport& drawn, double width, int textPixels);

/// An item and its place on a page.
struct PlacedPageItem
{
    const PageItem* item = nullptr;
    double top = 0.0;
};

/// The items on pages of that height. No item crosses the end of a page, unless it is higher than one.
std::vector<std::vector<PlacedPageItem>> pagesOf(const std::vector<PageItem>& items, double height);

} // namespace flopsmith::ui
