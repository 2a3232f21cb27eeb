// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/beside/design_column_accessible.h"

#include "ui/canvas/beside/design_column.h"

#include <QAccessibleWidget>
#include <QHash>
#include <QWindow>

#include <cstddef>
#include <utility>

namespace flopsmith::ui {
namespace {

/// A box of the column. It reads the column whenever it is asked and is invalid while there is no
/// such box.
class BoxAccessible
    : public QAccessibleInterface
    , public QAccessibleActionInterface
{
public:
    BoxAccessible(DesignColumn& column, int box)
        : m_column(column)
        , m_box(box)
    {}

    int box() const { return m_box; }

    bool isValid() const override { return m_box < static_cast<int>(m_column.boxes().size()); }
    QObject* object() const override { return nullptr; }
    QWindow* window() const override { return m_column.window()->windowHandle(); }
    QAccessible::Role role() const override { return QAccessible::ListItem; }
    QAccessibleInterface* parent() const override
    {
        return QAccessible::queryAccessibleInterface(&m_column);
    }
    QAccessibleInterface* child(int /*index*/) const override { return nullptr; }
    QAccessibleInterface* childAt(int /*x*/, int /*y*/) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface* /*child*/) const override { return -1; }
    void setText(QAccessible::Text /*kind*/, const QString& /*text*/) override {}
    QStringList actionNames() const override { return {pressAction()}; }
    QStringList keyBindingsForAction(const QString& /*name*/) const override { return {}; }

    QString text(QAccessible::Text kind) const override
    {
        return isValid() && kind == QAccessible::Name ? QString::fromStdString(shown().text())
                                                      : QString();
    }

    QRect rect() const override
    {
        if (!isValid()) {
            return {};
        }
        const QRect place = m_column.placeOf(m_box).toAlignedRect();
        return {m_column.mapToGlobal(place.topLeft()), place.size()};
    }

    QAccessible::State state() const override
    {
        QAccessible::State state;
        if (!isValid()) {
            state.invalid = true;
            return state;
        }
        state.readOnly = true;
        state.selectable = shown().row >= 0;
        state.selected = m_column.isSelected(m_box);
        state.focusable = true;
        state.focused = m_column.hasFocus() && m_column.currentBox() == m_box;
        state.invisible = !m_column.isVisible();
        state.offscreen = !QRectF(m_column.rect()).intersects(m_column.placeOf(m_box));
        return state;
    }

    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this)
                                                    : nullptr;
    }

    void doAction(const QString& /*name*/) override
    {
        if (isValid()) {
            m_column.choose(m_box);
        }
    }

private:
    const ColumnBox& shown() const { return m_column.boxes()[static_cast<std::size_t>(m_box)]; }

    DesignColumn& m_column;
    int m_box;
};

class ColumnAccessible : public QAccessibleWidget
{
public:
    explicit ColumnAccessible(DesignColumn* column)
        : QAccessibleWidget(column, QAccessible::List)
        , m_column(*column)
    {}

    ~ColumnAccessible() override
    {
        for (const QAccessible::Id id : std::as_const(m_items)) {
            QAccessible::deleteAccessibleInterface(id);
        }
    }

    int childCount() const override { return static_cast<int>(m_column.boxes().size()); }

    // Qt's cache owns the items until this deletes them.
    QAccessibleInterface* child(int index) const override
    {
        if (index < 0 || index >= childCount()) {
            return nullptr;
        }
        if (!m_items.contains(index)) {
            auto* made = new BoxAccessible(m_column, index);
            m_items.insert(index, QAccessible::registerAccessibleInterface(made));
        }
        return QAccessible::accessibleInterface(m_items.value(index));
    }

    int indexOfChild(const QAccessibleInterface* child) const override
    {
        const auto* box = dynamic_cast<const BoxAccessible*>(child);
        return box != nullptr ? box->box() : -1;
    }

    QAccessibleInterface* childAt(int x, int y) const override
    {
        return child(m_column.boxAt(m_column.mapFromGlobal(QPoint(x, y))));
    }

    QAccessibleInterface* focusChild() const override
    {
        return m_column.hasFocus() ? child(m_column.currentBox()) : nullptr;
    }

private:
    DesignColumn& m_column;
    mutable QHash<int, QAccessible::Id> m_items;
};

QAccessibleInterface* accessibleColumn(const QString& /*className*/, QObject* object)
{
    auto* column = qobject_cast<DesignColumn*>(object);
    return column != nullptr ? new ColumnAccessible(column) : nullptr; // Qt's cache takes it
}

} // namespace

void installColumnAccessibility()
{
    static const bool kInstalled = [] {
        QAccessible::installFactory(accessibleColumn);
        return true;
    }();
    static_cast<void>(kInstalled);
}

void announceCurrentBox(DesignColumn& column)
{
    if (column.currentBox() >= 0 && column.hasFocus()) {
        QAccessibleEvent event(&column, QAccessible::Focus);
        event.setChild(column.currentBox());
        QAccessible::updateAccessibility(&event);
    }
}

} // namespace flopsmith::ui
