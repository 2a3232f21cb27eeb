// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace flopsmith::ui {

/// Whether a file is a lab or a log of one, by its name.
inline bool isLabPath(const QString& path)
{
    return path.endsWith(QLatin1String(".flopsmith-lab")) || path.endsWith(QLatin1String(".jsonl"));
}

} // namespace flopsmith::ui
