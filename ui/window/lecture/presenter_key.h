// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qt>

namespace flopsmith::ui {

/// What a lecturer does by one key. A remote sends next, back, blank, first and leave.
enum class PresenterKey {
    none,
    next,
    back,
    first,
    blank,
    leave,
    fullScreen, ///< a lesson in its window; else leaves
    freeze,
    spotlight,
    lens,
    larger,
    smaller,
    notes,
    reveal,
    why,
    timer,
    answer, ///< 1 … 5
};

PresenterKey presenterKey(int key, Qt::KeyboardModifiers modifiers);

/// Whether the key also acts while a text is typed: those of a remote that write nothing. Esc ends
/// the typing.
bool actsWhileTyping(int key);

} // namespace flopsmith::ui
