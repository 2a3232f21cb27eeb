// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/drag/landing_rows.h"

namespace flopsmith::ui {

std::vector<LandingRow> landingRows(const StackLayout& layout, const Model& model)
{
    std::vector<LandingRow> all(layout.geometry.rows.size());
    int next = model.layers();
    for (std::size_t i = all.size(); i-- > 0;) { // upwards: later repeats of a pattern have no row
        const StackRow& row = layout.picture.rows[i];
        const bool isRun = row.kind == StackRow::Kind::run;
        const QRectF& frame = layout.geometry.rows[i].frame;
        next = isRun ? model.firstBlock(row.run) : next;
        all[i] = {frame.top(), frame.bottom(), next, isRun ? row.repeat : 0};
    }
    return all;
}

} // namespace flopsmith::ui
