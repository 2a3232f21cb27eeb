// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/formulas/symbol_accessible.h"

#include "ui/formulas/symbol_handle.h"
#include "ui/widgets/values/value_text.h"

#include <QAccessibleWidget>

namespace flopsmith::ui {
namespace {

class SymbolAccessible
    : public QAccessibleWidget
    , public QAccessibleValueInterface
{
public:
    explicit SymbolAccessible(SymbolHandle* handle)
        : QAccessibleWidget(handle, QAccessible::Slider)
        , m_handle(handle)
    {}

    QString text(QAccessible::Text kind) const override
    {
        return kind == QAccessible::Value ? boxText(FieldValue(m_handle->value()))
                                          : QAccessibleWidget::text(kind);
    }

    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::ValueInterface ? static_cast<QAccessibleValueInterface*>(this)
                                                   : QAccessibleWidget::interface_cast(type);
    }

    QVariant currentValue() const override { return static_cast<double>(m_handle->value()); }
    QVariant maximumValue() const override { return m_handle->legal().high(); }
    QVariant minimumValue() const override { return m_handle->legal().low(); }
    QVariant minimumStepSize() const override { return {}; }
    void setCurrentValue(const QVariant& value) override { m_handle->enter(value.toDouble()); }

private:
    SymbolHandle* m_handle;
};

QAccessibleInterface* accessibleOf(const QString& /*className*/, QObject* object)
{
    auto* handle = qobject_cast<SymbolHandle*>(object);
    return handle != nullptr ? new SymbolAccessible(handle) : nullptr; // owned by Qt's cache
}

} // namespace

void installSymbolAccessibility()
{
    static const bool kInstalled = [] {
        QAccessible::installFactory(accessibleOf);
        return true;
    }();
    static_cast<void>(kInstalled);
}

} // namespace flopsmith::ui
