// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/find/stack_find.h"

#include "core/present/stack/stack_find.h"
#include "ui/canvas/find/find_bar.h"

#include <algorithm>

namespace flopsmith::ui {

StackFind::StackFind(const Document& document, StackSurface& surface)
    : m_document(document)
    , m_surface(surface)
    , m_bar(new FindBar(surface))
{
    connect(m_bar, &FindBar::stepped, this, &StackFind::step);
    connect(m_bar, &FindBar::queryChanged, this, &StackFind::selectFirst);
    connect(m_bar, &FindBar::closed, this, [this] {
        m_bar->hide();
        m_surface.setFocus(Qt::OtherFocusReason);
    });
}

std::vector<int> StackFind::found() const
{
    return rowsContaining(m_document.scenario(), m_surface.picture(), m_bar->query().toStdString());
}

// Selects the first found row from the selected one on, which stays if it was found.
void StackFind::selectFirst()
{
    m_surface.refresh();
    const std::vector<int> rows = found();
    if (!rows.empty()) {
        const auto next = std::lower_bound(rows.begin(), rows.end(), m_surface.currentRow());
        m_surface.chooseRow(next == rows.end() ? rows.front() : *next);
    }
    update();
}

void StackFind::step(int by)
{
    if (m_bar->query().trimmed().isEmpty()) {
        m_bar->open();
        return;
    }
    m_bar->show();
    m_surface.refresh();
    const std::vector<int> rows = found();
    if (!rows.empty()) {
        const int current = m_surface.currentRow();
        const auto next = std::upper_bound(rows.begin(), rows.end(), current);
        const auto same = std::lower_bound(rows.begin(), rows.end(), current);
        if (by > 0) {
            m_surface.chooseRow(next == rows.end() ? rows.front() : *next);
        } else {
            m_surface.chooseRow(same == rows.begin() ? rows.back() : *(same - 1));
        }
    }
    update();
}

void StackFind::update()
{
    if (m_bar->isHidden()) {
        return;
    }
    const QString query = m_bar->query().trimmed();
    const std::vector<int> rows = found();
    const auto place = std::find(rows.begin(), rows.end(), m_surface.currentRow());
    if (query.isEmpty()) {
        m_bar->say({});
    } else if (rows.empty()) {
        m_bar->say(tr("Nothing contains “%1”.").arg(query));
    } else if (place == rows.end()) {
        m_bar->say(tr("%1 found").arg(rows.size()));
    } else {
        m_bar->say(tr("%1 of %2").arg(place - rows.begin() + 1).arg(rows.size()));
    }
}

} // namespace flopsmith::ui

#include "moc_stack_find.cpp"
