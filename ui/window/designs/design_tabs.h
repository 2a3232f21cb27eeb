// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/designs.h"
#include "ui/document/throttle.h"

#include <QFrame>

#include <vector>

QT_BEGIN_NAMESPACE
class QHBoxLayout;
class QLabel;
class QToolButton;
QT_END_NAMESPACE

namespace flopsmith::ui {

class DesignActions;
class ElidedLabel;

/// A slim bar with the live design and those beside it: name, colour in the charts, and how many
/// FLOPs more they have. Hidden while nothing stands beside the live design.
class DesignTabs : public QFrame
{
    Q_OBJECT

public:
    DesignTabs(Document& document,
               Designs& designs,
               DesignActions& actions,
               QWidget* parent = nullptr);

    /// Shows pending changes now.
    void flush() { m_update.flush(); }

    /// Redraws icons and colours for the current theme.
    void updateIcons();

private:
    struct Tab
    {
        char letter = 'A';
        QFrame* frame = nullptr;
        QLabel* swatch = nullptr;
        ElidedLabel* name = nullptr;
        QLabel* cost = nullptr;
        QToolButton* more = nullptr;
        QToolButton* close = nullptr;
    };

    Tab addTab(QHBoxLayout& line, char letter);
    void addLive(QHBoxLayout& line);
    void addButtons(QHBoxLayout& line);
    void showDesigns();
    void showTab(const Tab& tab, std::size_t index);

    Document& m_document;
    Designs& m_designs;
    DesignActions& m_actions;
    ElidedLabel* m_live = nullptr;
    QToolButton* m_closeAll = nullptr;
    std::vector<Tab> m_tabs; ///< one for each letter, hidden without a design
    Throttle m_update;
};

} // namespace flopsmith::ui
