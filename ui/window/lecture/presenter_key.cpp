// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/lecture/presenter_key.h"

namespace flopsmith::ui {

PresenterKey presenterKey(int key, Qt::KeyboardModifiers modifiers)
{
    if (modifiers.testAnyFlags(Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) {
        return PresenterKey::none;
    }
    switch (key) {
    case Qt::Key_PageDown:
    case Qt::Key_Right:
    case Qt::Key_Space: return PresenterKey::next;
    case Qt::Key_PageUp:
    case Qt::Key_Left: return PresenterKey::back;
    case Qt::Key_F5: return PresenterKey::first;
    case Qt::Key_B:
    case Qt::Key_Period: return PresenterKey::blank;
    case Qt::Key_Escape: return PresenterKey::leave;
    case Qt::Key_F11: return PresenterKey::fullScreen;
    case Qt::Key_F: return PresenterKey::freeze;
    case Qt::Key_S: return PresenterKey::spotlight;
    case Qt::Key_L: return PresenterKey::lens;
    case Qt::Key_Plus:
    case Qt::Key_Equal: return PresenterKey::larger; // the same key without Shift
    case Qt::Key_Minus: return PresenterKey::smaller;
    case Qt::Key_N: return PresenterKey::notes;
    case Qt::Key_R: return PresenterKey::reveal;
    case Qt::Key_W: return PresenterKey::why;
    case Qt::Key_T: return PresenterKey::timer;
    default: break;
    }
    return key >= Qt::Key_1 && key <= Qt::Key_5 ? PresenterKey::answer : PresenterKey::none;
}

bool actsWhileTyping(int key)
{
    switch (key) {
    case Qt::Key_PageDown:
    case Qt::Key_PageUp:
    case Qt::Key_F5:
    case Qt::Key_F11: return true;
    default: return false;
    }
}

} // namespace flopsmith::ui
