// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/values/value_accessible.h"

#include "ui/widgets/values/stop_slider.h"
#include "ui/widgets/values/value_box.h"
#include "ui/widgets/values/value_text.h"

#include <QAbstractItemView>
#include <QAccessibleWidget>
#include <QComboBox>

namespace flopsmith::ui {
namespace {

QVariant asVariant(const FieldValue& value)
{
    if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        return static_cast<double>(*whole);
    }
    const auto* real = std::get_if<double>(&value);
    return real != nullptr ? QVariant(*real) : QVariant();
}

class SliderAccessible
    : public QAccessibleWidget
    , public QAccessibleValueInterface
{
public:
    explicit SliderAccessible(StopSlider* slider)
        : QAccessibleWidget(slider, QAccessible::Slider)
        , m_slider(slider)
    {}

    QString text(QAccessible::Text kind) const override
    {
        return kind == QAccessible::Value ? m_slider->accessibleValue()
                                          : QAccessibleWidget::text(kind);
    }

    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::ValueInterface ? static_cast<QAccessibleValueInterface*>(this)
                                                   : QAccessibleWidget::interface_cast(type);
    }

    QVariant currentValue() const override { return asVariant(m_slider->parameterValue()); }
    QVariant maximumValue() const override { return asVariant(m_slider->stops().back()); }
    QVariant minimumValue() const override { return asVariant(m_slider->stops().front()); }
    QVariant minimumStepSize() const override { return {}; }

    void setCurrentValue(const QVariant& value) override
    {
        m_slider->setValue(stopIndex(m_slider->stops(), value.toDouble()));
    }

private:
    StopSlider* m_slider;
};

class BoxAccessible
    : public QAccessibleWidget
    , public QAccessibleValueInterface
{
public:
    explicit BoxAccessible(ValueBox* box)
        : QAccessibleWidget(box, QAccessible::SpinBox)
        , m_box(box)
    {}

    QString text(QAccessible::Text kind) const override
    {
        return kind == QAccessible::Value ? m_box->accessibleValue()
                                          : QAccessibleWidget::text(kind);
    }

    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::ValueInterface ? static_cast<QAccessibleValueInterface*>(this)
                                                   : QAccessibleWidget::interface_cast(type);
    }

    QVariant currentValue() const override { return asVariant(m_box->value()); }
    QVariant maximumValue() const override { return m_box->legal().high(); }
    QVariant minimumValue() const override { return m_box->legal().low(); }
    QVariant minimumStepSize() const override { return {}; }
    void setCurrentValue(const QVariant& value) override { m_box->enter(value.toDouble()); }

    int childCount() const override { return 0; } // the line edit is not reported separately

private:
    ValueBox* m_box;
};

class ComboAccessible : public QAccessibleWidget
{
public:
    explicit ComboAccessible(QComboBox* combo)
        : QAccessibleWidget(combo, QAccessible::ComboBox)
        , m_combo(combo)
    {}

    QString text(QAccessible::Text kind) const override
    {
        if (kind != QAccessible::Value) {
            return QAccessibleWidget::text(kind);
        }
        return m_combo->currentIndex() < 0 ? ValueBox::tr("mixed") : m_combo->currentText();
    }

    int childCount() const override { return 1; }

    QAccessibleInterface* child(int index) const override
    {
        return index == 0 ? QAccessible::queryAccessibleInterface(m_combo->view()) : nullptr;
    }

    int indexOfChild(const QAccessibleInterface* child) const override
    {
        return child != nullptr && child->object() == m_combo->view() ? 0 : -1;
    }

    QStringList actionNames() const override { return {showMenuAction(), pressAction()}; }

    void doAction(const QString& name) override
    {
        if (name == showMenuAction() || name == pressAction()) {
            m_combo->showPopup();
        }
    }

private:
    QComboBox* m_combo;
};

QAccessibleInterface* accessibleOf(const QString& /*className*/, QObject* object)
{
    if (auto* slider = qobject_cast<StopSlider*>(object)) {
        return new SliderAccessible(slider); // owned by Qt's cache
    }
    if (auto* box = qobject_cast<ValueBox*>(object)) {
        return new BoxAccessible(box);
    }
    auto* combo = qobject_cast<QComboBox*>(object);
    return combo != nullptr && !combo->isEditable() ? new ComboAccessible(combo) : nullptr;
}

} // namespace

void installValueAccessibility()
{
    static const bool kInstalled = [] {
        QAccessible::installFactory(accessibleOf);
        return true;
    }();
    static_cast<void>(kInstalled);
}

} // namespace flopsmith::ui
