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

QString spoken(const Figure& figure,
               const std::vector<Hotspot>& hotspots,
               const std::vector<ChartPlace>& places,
               int hotspot,
               const ChartMark& mark)
{
    const bool isOfHotspot =
        hotspot >= 0 && hotspot < static_cast<int>(hotspots.size()) && figure.emptyText().isEmpty();
    const std::vector<bool> marked = markedPlaces(places, mark);
    bool isSelected = false;
    QStringList selected;
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (marked[i]) {
            isSelected = isSelected || places[i].hotspot == hotspot;
            selected << toQt(places[i].component == nullptr
                                 ? mark.path
                                 : std::string(places[i].component->title));
        }
    }
    if (isOfHotspot) {
        const QString words = hotspots[static_cast<std::size_t>(hotspot)].accessibleText();
        return isSelected ? FigureView::tr("%1, selected").arg(words) : words;
    }
    selected.removeDuplicates();
    return selected.isEmpty() ? figure.summary()
                              : FigureView::tr("%1. Selected: %2")
                                    .arg(figure.summary(), selected.join(QStringLiteral(", ")));
}

} // namespace flopsmith::ui
