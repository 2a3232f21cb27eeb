// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <vector>

QT_BEGIN_NAMESPACE
class QHBoxLayout;
class QLayout;
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// Fits the tool bar into its width: hides a group of its widgets after the other, and shows what
/// stands for them.
class BarFolding
{
public:
    /// The groups in the order in which they are hidden; each level includes those before it.
    enum class Level { nothing, wordmark, menus, undo, theme, precision };

    explicit BarFolding(QHBoxLayout& line)
        : m_line(line)
    {}

    void hideFrom(Level level, QWidget& widget);
    void showFrom(Level level, QWidget& widget);

    /// The width of the bar with everything folded.
    int minimumWidth() const { return widthAt(Level::precision); }

    /// Folds as little as a bar of this width needs.
    void fit(int width);

private:
    struct Folded
    {
        Level level;
        QWidget* widget;
        bool isShown; ///< from this level on, and otherwise before it
    };

    bool isShownAt(Level level, const QWidget& widget) const;
    int widthOf(const QLayout& layout, Level level) const;
    int widthAt(Level level) const;

    QHBoxLayout& m_line;
    std::vector<Folded> m_folded;
    Level m_level = Level::nothing;
};

} // namespace flopsmith::ui
