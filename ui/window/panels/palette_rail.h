// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

QT_BEGIN_NAMESPACE
class QToolButton;
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

class Palette;
class Panel;

/// Folds the palette to a rail of two letters per entry. While the pointer or the focus is there, it
/// lies unfolded over the stack; pinned, it has a place of its own beside it.
class PaletteRail : public QObject
{
    Q_OBJECT

public:
    /// `place` stands in the row of panels for the palette's panel, which lies over it as a child of
    /// `over`.
    PaletteRail(Panel& panel, Palette& palette, QWidget& place, QWidget& over);

    bool isPinned() const { return m_isPinned; }
    void setPinned(bool pinned);

    bool isUnfolded() const { return m_isPinned || m_isOpen; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void open(bool open);
    void foldIfLeft();
    void show();
    int leastWidth() const;
    void fitPlace();
    void follow();

    Panel& m_panel;
    Palette& m_palette;
    QWidget& m_place;
    QWidget& m_over;
    QToolButton* m_pin;
    QTimer m_hover; ///< until the pointer has rested on the rail
    QTimer m_watch; ///< whether it is still there
    bool m_isPinned = true;
    bool m_isOpen = false;
};

} // namespace flopsmith::ui
