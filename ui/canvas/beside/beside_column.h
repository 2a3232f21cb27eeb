// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/stack/stack_columns.h"
#include "ui/canvas/base/stack_surface.h"
#include "ui/document/document.h"

#include <QObject>

#include <optional>
#include <vector>

namespace flopsmith::ui {

class DesignColumn;

/// A design for a second column beside the stack.
struct BesideDesign
{
    QString name; ///< "A GPT-2 small"
    Scenario scenario;
};

/// The second column: which design it shows, and which of its blocks stand beside which rows. The
/// stack's rows move apart where the column needs more height than they have.
class BesideColumn : public QObject
{
    Q_OBJECT

public:
    BesideColumn(Document& document, StackSurface& surface);

    DesignColumn& column() { return *m_column; }

    /// Shows the design aligned with the stack; none closes the column.
    void show(std::optional<BesideDesign> design);

    /// In pixels; 0 while it is closed.
    int width() const;

    /// Matches the blocks of both designs anew, after the stack's picture has changed.
    void align();

    /// Moves the rows of the stack apart, and the boxes of the column beside them.
    void makeWay(StackGeometry& geometry);

    /// Whether rows of the stack may have given way.
    bool movesRows() const { return !m_groups.empty(); }

Q_SIGNALS:
    /// Another design, or none, is shown.
    void changed();

private:
    Document& m_document;
    StackSurface& m_surface;
    DesignColumn* m_column;
    std::optional<Scenario> m_design;
    StackPicture m_picture; ///< of the design
    std::vector<ColumnGroup> m_groups; ///< none while it is closed
};

} // namespace flopsmith::ui
