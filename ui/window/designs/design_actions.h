// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/designs.h"

#include <QObject>

#include <array>

QT_BEGIN_NAMESPACE
class QAction;
class QMenu;
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

class MessageBar;

/// The actions that put designs beside the live one, exchange them with it, and remove them.
class DesignActions : public QObject
{
    Q_OBJECT

public:
    DesignActions(Document& document, Designs& designs, MessageBar& messages, QWidget& window);

    /// Adds a submenu with all of them.
    void fill(QMenu& menu);

    QAction& freeze() { return *m_freeze; }
    QAction& closeAll() { return *m_closeAll; }

    /// A preset or a file.
    QList<QAction*> additions() const { return {m_presets, m_file}; }

    /// What can be done with the design of a letter.
    QAction& swap(char letter) { return *at(letter).swap; }
    QAction& rename(char letter) { return *at(letter).rename; }
    QAction& remove(char letter) { return *at(letter).remove; }

    /// Adds a preset or a file, and shows what a reader should know of it, or why it cannot be.
    void addFrom(const QString& nameOrPath);

private:
    struct OfDesign
    {
        QAction* swap = nullptr;
        QAction* rename = nullptr;
        QAction* remove = nullptr;
    };

    QAction* added(const QString& name, const QString& text, const QString& reason);
    void addPresets();
    void addLetter(char letter);
    void askForFile();
    void askForName(char letter);
    void showPossible();
    OfDesign& at(char letter) { return m_letters.at(static_cast<std::size_t>(letter - 'A')); }

    Document& m_document;
    Designs& m_designs;
    MessageBar& m_messages;
    QWidget& m_window;
    QAction* m_freeze;
    QAction* m_presets = nullptr; ///< of their submenu
    QAction* m_file;
    QAction* m_closeAll;
    std::array<OfDesign, Designs::kMaxFrozen> m_letters;
};

} // namespace flopsmith::ui
