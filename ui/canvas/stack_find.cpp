// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/stack/stack_find.h"

#include "ui/canvas/find/find_bar.h"
#include "ui/canvas/stack_view.h"

#include <algorithm>

// Finding rows of the stack by typing.

namespace flopsmith::ui {

void StackView::connectFind()
{
    connect(&m_actions, &StackActions::findWanted, this, [this] {
        Q_EMIT findStarts();
        m_find->open();
    });
    connect(&m_actions, &StackActions::findStepWanted, this, [this](int by) {
        Q_EMIT findStarts();
        stepFound(by);
    });
    connect(m_find, &FindBar::stepped, this, &StackView::stepFound);
    connect(m_find, &FindBar::queryChanged, this, &StackView::selectFound);
    connect(m_find, &FindBar::closed, this, [this] {
        m_find->hide();
        setFocus(Qt::OtherFocusReason);
    });
}

std::vector<int> StackView::foundRows()
{
    return rowsContaining(m_document.scenario(), m_layout.picture, m_find->query().toStdString());
}

// Selects the first found row from the selected one on, which stays if it was found.
void StackView::selectFound()
{
    refresh();
    const std::vector<int> rows = foundRows();
    if (!rows.empty()) {
        const auto next = std::lower_bound(rows.begin(), rows.end(), currentRow());
        chooseRow(next == rows.end() ? rows.front() : *next);
    }
    sayFound();
}

void StackView::stepFound(int by)
{
    if (m_find->query().trimmed().isEmpty()) {
        m_find->open();
        return;
    }
    m_find->show();
    refresh();
    const std::vector<int> rows = foundRows();
    if (!rows.empty()) {
        const auto next = std::upper_bound(rows.begin(), rows.end(), currentRow());
        const auto same = std::lower_bound(rows.begin(), rows.end(), currentRow());
        if (by > 0) {
            chooseRow(next == rows.end() ? rows.front() : *next);
        } else {
            chooseRow(same == rows.begin() ? rows.back() : *(same - 1));
        }
    }
    sayFound();
}

void StackView::sayFound()
{
    if (m_find->isHidden()) {
        return;
    }
    const QString query = m_find->query().trimmed();
    const std::vector<int> rows = foundRows();
    const auto place = std::find(rows.begin(), rows.end(), currentRow());
    if (query.isEmpty()) {
        m_find->say({});
    } else if (rows.empty()) {
        m_find->say(tr("Nothing contains “%1”.").arg(query));
    } else if (place == rows.end()) {
        m_find->say(tr("%1 found").arg(rows.size()));
    } else {
        m_find->say(tr("%1 of %2").arg(place - rows.begin() + 1).arg(rows.size()));
    }
}

} // namespace flopsmith::ui
