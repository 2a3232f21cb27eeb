// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace flopsmith::ui {

/// What lies over a lecture: a black screen, so that all look at the lecturer, or a spotlight around
/// the pointer. The pointer's clicks reach what is below.
class LectureOverlay : public QWidget
{
    Q_OBJECT

public:
    enum class Kind { none, blank, spotlight };

    /// Covers the parent.
    explicit LectureOverlay(QWidget& parent);

    Kind kind() const { return m_kind; }

    /// Shows it, or nothing if it is shown already.
    void toggle(Kind kind);

    /// Where the spotlight is, in the parent.
    void moveTo(QPoint place);

    bool eventFilter(QObject* watched, QEvent* event) override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Kind m_kind = Kind::none;
    QPoint m_place;
};

} // namespace flopsmith::ui
