// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/designs.h"

#include <QObject>

#include <array>

QT_BEGIN_NAMESPACE
class QAction;
class QActionGroup;
QT_END_NAMESPACE

namespace flopsmith::ui {

class StackView;

/// Whether and which frozen design stands in a second column beside the stack, kept from one start
/// to the next.
class ColumnActions : public QObject
{
    Q_OBJECT

public:
    ColumnActions(Designs& designs, StackView& stack, QWidget& window);

    QAction& shown() { return *m_shown; }

    /// Which design the column has: A, B or C.
    QAction& letter(char letter) { return *m_letters.at(static_cast<std::size_t>(letter - 'A')); }

    QList<QAction*> all() const;

private:
    void addLetters(QWidget& window);
    const FrozenDesign* wanted() const;
    void update();

    Designs& m_designs;
    StackView& m_stack;
    QAction* m_shown;
    QActionGroup* m_group;
    std::array<QAction*, Designs::kMaxFrozen> m_letters{};
};

} // namespace flopsmith::ui
