// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/inside/inside_geometry.h"

#include <QString>

#include <string>

namespace flopsmith::ui {

/// The picture of a block and where it is drawn, with what follows from both: which operation or part
/// is at a point or has a path, and what is said of it. Points are those of the laid out block.
struct InsideLayout
{
    InsidePicture picture;
    InsideGeometry geometry;

    int operationCount() const { return static_cast<int>(geometry.boxes.size()); }

    /// The operation at a point, or -1.
    int operationAt(const InsidePoint& point) const;

    /// The path of the innermost frame at a point; empty beside all.
    std::string partAt(const InsidePoint& point) const;

    /// The operation, or the frame of a part, that has this path; -1 if none has.
    int operationOf(const std::string& path) const;
    int frameOf(const std::string& path) const;

    /// What an operation is and costs, in one line; empty if there is none.
    QString sentenceOf(int operation) const;

    /// The same of an operation or part that has this path.
    QString sentenceOf(const std::string& path) const;

    /// All operations and parts with their values, for screen readers.
    QString description(InsideMeasure measure) const;
};

} // namespace flopsmith::ui
