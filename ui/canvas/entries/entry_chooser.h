// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/canvas/base/stack_surface.h"
#include "ui/document/document.h"
#include "ui/widgets/typed/typed_list.h"

#include <QObject>
#include <QPointer>

#include <vector>

namespace flopsmith::ui {

/// A list over the window, in which components for the selected blocks are chosen by typing.
class EntryChooser : public QObject
{
    Q_OBJECT

public:
    EntryChooser(Document& document, StackSurface& surface);

    /// Offers blocks behind the selected ones, blocks inside their pattern, or other components.
    void insertBehind();
    void insertInto();

    /// Offers blocks for a gap between two, as in core/present/stack/landing.h.
    void insertAt(int gap);

    /// Offers blocks behind the selected ones, or else beside the selected part of the model.
    void add();
    void replace();

    /// Takes an edit of many blocks, with this beginning of it: "every 4th ".
    void takePhrase(const QString& beginning);

private:
    void open(const QString& prompt,
              int run,
              std::vector<TypedEntry> entries,
              TypedList::Source source);
    void close();

    Document& m_document;
    StackSurface& m_surface;
    QPointer<TypedList> m_list; ///< created on first use
};

} // namespace flopsmith::ui
