// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/stack_accessible.h"

#include "ui/canvas/stack_view.h"

#include <QAccessibleWidget>
#include <QHash>

#include <cstddef>
#include <utility>

namespace flopsmith::ui {
namespace {

constexpr int kWholeRow = -1; ///< in the place of a part

class StackAccessible;

/// A row of the stack or one of its parts. It reads the view whenever it is asked, so that it stays
/// right while the stack changes; it is invalid while there is no such row or part.
class StackItemAccessible
    : public QAccessibleInterface
    , public QAccessibleActionInterface
{
public:
    StackItemAccessible(const StackAccessible& tree, StackView& view, int row, int part)
        : m_tree(tree)
        , m_view(view)
        , m_row(row)
        , m_part(part)
    {}

    int row() const { return m_row; }
    int part() const { return m_part; }

    bool isValid() const override;
    QObject* object() const override { return nullptr; }
    QWindow* window() const override { return m_view.window()->windowHandle(); }
    QAccessible::Role role() const override { return QAccessible::TreeItem; }
    QAccessibleInterface* parent() const override;
    QAccessibleInterface* child(int index) const override;
    QAccessibleInterface* childAt(int x, int y) const override;
    int childCount() const override;
    int indexOfChild(const QAccessibleInterface* child) const override;
    QString text(QAccessible::Text kind) const override;
    void setText(QAccessible::Text /*kind*/, const QString& /*text*/) override {}
    QRect rect() const override;
    QAccessible::State state() const override;
    void* interface_cast(QAccessible::InterfaceType type) override;
    QStringList actionNames() const override { return {pressAction(), setFocusAction()}; }
    void doAction(const QString& name) override;
    QStringList keyBindingsForAction(const QString& /*name*/) const override { return {}; }

private:
    const StackRow& picture() const
    {
        return m_view.picture().rows.at(static_cast<std::size_t>(m_row));
    }
    const StackPart& pictureOfPart() const
    {
        return picture().parts.at(static_cast<std::size_t>(m_part));
    }

    const StackAccessible& m_tree;
    StackView& m_view;
    int m_row;
    int m_part;
};

/// The stack as a tree. After the rows come the widgets inside the view, such as the find bar.
class StackAccessible : public QAccessibleWidget
{
public:
    explicit StackAccessible(StackView* view)
        : QAccessibleWidget(view, QAccessible::Tree)
        , m_view(*view)
    {}

    ~StackAccessible() override
    {
        for (const QAccessible::Id id : std::as_const(m_items)) {
            QAccessible::deleteAccessibleInterface(id);
        }
    }

    // Qt's cache owns the items until this deletes them.
    QAccessibleInterface* item(int row, int part) const
    {
        const std::pair<int, int> place(row, part);
        if (!m_items.contains(place)) {
            auto* made = new StackItemAccessible(*this, m_view, row, part);
            m_items.insert(place, QAccessible::registerAccessibleInterface(made));
        }
        return QAccessible::accessibleInterface(m_items.value(place));
    }

    int rowCount() const { return static_cast<int>(m_view.picture().rows.size()); }

    int childCount() const override { return rowCount() + QAccessibleWidget::childCount(); }

    QAccessibleInterface* child(int index) const override
    {
        return index >= 0 && index < rowCount() ? item(index, kWholeRow)
                                                : QAccessibleWidget::child(index - rowCount());
    }

    int indexOfChild(const QAccessibleInterface* child) const override
    {
        const auto* row = dynamic_cast<const StackItemAccessible*>(child);
        if (row != nullptr) {
            return row->part() == kWholeRow ? row->row() : -1;
        }
        const int index = QAccessibleWidget::indexOfChild(child);
        return index < 0 ? -1 : rowCount() + index;
    }

    QAccessibleInterface* childAt(int x, int y) const override
    {
        const QWidget* over = m_view.childAt(m_view.mapFromGlobal(QPoint(x, y)));
        if (over != nullptr && over != m_view.viewport()) { // such as the find bar
            return QAccessibleWidget::childAt(x, y);
        }
        for (int row = 0; row < rowCount(); ++row) {
            if (item(row, kWholeRow)->rect().contains(x, y)) {
                return item(row, kWholeRow);
            }
        }
        return QAccessibleWidget::childAt(x, y);
    }

    QAccessibleInterface* focusChild() const override
    {
        const int row = m_view.currentRow();
        return m_view.hasFocus() && row >= 0 ? item(row, kWholeRow)
                                             : QAccessibleWidget::focusChild();
    }

private:
    StackView& m_view;
    mutable QHash<std::pair<int, int>, QAccessible::Id> m_items; ///< by row and part
};

// "Attention 12.1 G, Dense FFN 40.4 G"; of a row that is its one part, the cost alone.
QString costOfRow(const StackRow& row)
{
    QStringList costs;
    for (const StackPart& part : row.parts) {
        const QString cost = QString::fromStdString(part.bar.text);
        const bool isAll = part.title == row.title;
        costs << (isAll ? cost
                        : QStringLiteral("%1 %2").arg(QString::fromStdString(part.title), cost));
    }
    return costs.join(QStringLiteral(", "));
}

bool StackItemAccessible::isValid() const
{
    const auto& rows = m_view.picture().rows;
    const auto& laidOut = m_view.geometryOfStack().rows;
    const auto row = static_cast<std::size_t>(m_row);
    if (row >= rows.size() || row >= laidOut.size()) {
        return false;
    }
    return m_part == kWholeRow
        || (static_cast<std::size_t>(m_part) < rows[row].parts.size()
            && static_cast<std::size_t>(m_part) < laidOut[row].parts.size());
}

QAccessibleInterface* StackItemAccessible::parent() const
{
    return m_part == kWholeRow ? QAccessible::queryAccessibleInterface(&m_view)
                               : m_tree.item(m_row, kWholeRow);
}

int StackItemAccessible::childCount() const
{
    return isValid() && m_part == kWholeRow ? static_cast<int>(picture().parts.size()) : 0;
}

QAccessibleInterface* StackItemAccessible::child(int index) const
{
    return index >= 0 && index < childCount() ? m_tree.item(m_row, index) : nullptr;
}

QAccessibleInterface* StackItemAccessible::childAt(int x, int y) const
{
    for (int part = 0; part < childCount(); ++part) {
        if (child(part)->rect().contains(x, y)) {
            return child(part);
        }
    }
    return nullptr;
}

int StackItemAccessible::indexOfChild(const QAccessibleInterface* child) const
{
    const auto* part = dynamic_cast<const StackItemAccessible*>(child);
    return part != nullptr && m_part == kWholeRow && part->row() == m_row ? part->part() : -1;
}

QString StackItemAccessible::text(QAccessible::Text kind) const
{
    if (!isValid()) {
        return {};
    }
    const bool isRow = m_part == kWholeRow;
    switch (kind) {
    case QAccessible::Name:
        return QString::fromStdString(isRow ? picture().title : pictureOfPart().title);
    case QAccessible::Value:
        return isRow ? costOfRow(picture()) : QString::fromStdString(pictureOfPart().bar.text);
    case QAccessible::Description:
        return isRow
            ? QString()
            : QString::fromStdString(pictureOfPart().detail + "; " + pictureOfPart().bar.exactText);
    default: return {};
    }
}

QRect StackItemAccessible::rect() const
{
    if (!isValid()) {
        return {};
    }
    const RowGeometry& row = m_view.geometryOfStack().rows[static_cast<std::size_t>(m_row)];
    const QRectF place =
        m_part == kWholeRow ? row.frame : row.parts[static_cast<std::size_t>(m_part)].box;
    const QRect seen = m_view.mapFromScene(place).boundingRect();
    return {m_view.viewport()->mapToGlobal(seen.topLeft()), seen.size()};
}

QAccessible::State StackItemAccessible::state() const
{
    QAccessible::State state;
    if (!isValid()) {
        state.invalid = true;
        return state;
    }
    const bool isRow = m_part == kWholeRow;
    state.selectable = true;
    state.selected = m_view.isRowSelected(m_row);
    state.multiSelectable = isRow && picture().kind == StackRow::Kind::run;
    state.focusable = isRow;
    state.focused = isRow && m_view.hasFocus() && m_row == m_view.currentRow();
    state.expandable = isRow && childCount() > 1;
    state.expanded = state.expandable;
    state.invisible = !m_view.isVisible();
    state.offscreen = !m_view.viewport()
                           ->rect()
                           .translated(m_view.viewport()->mapToGlobal(QPoint()))
                           .intersects(rect());
    return state;
}

void* StackItemAccessible::interface_cast(QAccessible::InterfaceType type)
{
    return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this)
                                                : nullptr;
}

void StackItemAccessible::doAction(const QString& name)
{
    if (!isValid()) {
        return;
    }
    if (name == setFocusAction()) {
        m_view.setFocus(Qt::OtherFocusReason);
    }
    m_view.chooseRow(m_row);
}

QAccessibleInterface* accessibleStack(const QString& /*className*/, QObject* object)
{
    auto* view = qobject_cast<StackView*>(object);
    return view != nullptr ? new StackAccessible(view) : nullptr; // Qt's cache takes it
}

} // namespace

void installStackAccessibility()
{
    static const bool kInstalled = [] {
        QAccessible::installFactory(accessibleStack);
        return true;
    }();
    static_cast<void>(kInstalled);
}

void announceCurrentRow(StackView& view)
{
    for (const QAccessible::Event kind : {QAccessible::Focus, QAccessible::Selection}) {
        if (view.currentRow() >= 0 && (kind == QAccessible::Selection || view.hasFocus())) {
            QAccessibleEvent event(&view, kind);
            event.setChild(view.currentRow());
            QAccessible::updateAccessibility(&event);
        }
    }
}

} // namespace flopsmith::ui
