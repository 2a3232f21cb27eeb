// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/layout/panel_keys.h"

#include "ui/widgets/layout/tab_order.h"

#include <QApplication>
#include <QMenu>

namespace flopsmith::ui {

PanelKeys::PanelKeys(QWidget& window, const QList<QWidget*>& parts)
    : QObject(&window)
    , m_window(window)
    , m_parts(parts)
    , m_last(parts.size())
{
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
        saveFocus(now);
    });
}

void PanelKeys::fill(QMenu& menu)
{
    const auto add = [this, &menu](const char* name, const QString& text, auto keys, int by) {
        QAction* action = menu.addAction(text, this, [this, by] { move(by); });
        action->setObjectName(QStringLiteral("view.") + QLatin1String(name));
        action->setShortcut(keys);
        m_window.addAction(action);
    };
    add("nextPanel", tr("&Next panel"), QKeySequence(Qt::Key_F6), 1);
    add("previousPanel", tr("&Previous panel"), QKeySequence(Qt::SHIFT | Qt::Key_F6), -1);
}

int PanelKeys::partOf(const QWidget* widget) const
{
    for (int i = 0; i < m_parts.size(); ++i) {
        if (widget != nullptr && (widget == m_parts[i] || m_parts[i]->isAncestorOf(widget))) {
            return i;
        }
    }
    return -1;
}

void PanelKeys::saveFocus(QWidget* focused)
{
    const int part = partOf(focused);
    if (part >= 0) {
        m_last[part] = focused;
    }
}

void PanelKeys::move(int by)
{
    const int count = static_cast<int>(m_parts.size());
    int part = partOf(QApplication::focusWidget());
    for (int attempt = 0; attempt < count; ++attempt) {
        part = (part + by + count) % count;
        QWidget* last = m_last[part];
        QWidget* target = last != nullptr && last->isVisible() ? last : firstFocus(*m_parts[part]);
        if (target != nullptr) {
            target->setFocus(by > 0 ? Qt::TabFocusReason : Qt::BacktabFocusReason);
            return;
        }
    }
}

} // namespace flopsmith::ui

#include "moc_panel_keys.cpp"
