// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/base/figure_accessible.h"

#include "ui/charts/base/figure_view.h"

#include <QAccessibleWidget>

namespace flopsmith::ui {
namespace {

/// A chart whose description is the figure's summary, or the hotspot under the cursor.
class FigureAccessible : public QAccessibleWidget
{
public:
    explicit FigureAccessible(FigureView* view)
        : QAccessibleWidget(view, QAccessible::Chart)
        , m_view(view)
    {}

    QString text(QAccessible::Text kind) const override
    {
        if (kind == QAccessible::Description || kind == QAccessible::Value) {
            return m_view->accessibleText();
        }
        return QAccessibleWidget::text(kind);
    }

private:
    FigureView* m_view;
};

QAccessibleInterface* accessibleOf(const QString& /*className*/, QObject* object)
{
    auto* view = qobject_cast<FigureView*>(object);
    return view != nullptr ? new FigureAccessible(view) : nullptr; // Qt's cache takes it
}

} // namespace

void installFigureAccessibility()
{
    static const bool kInstalled = [] {
        QAccessible::installFactory(accessibleOf);
        return true;
    }();
    static_cast<void>(kInstalled);
}

} // namespace flopsmith::ui
