// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/chart_pages/chart_feed.h"
#include "ui/theme/display_scale.h"
#include "ui/window/lecture/stage_zoom.h"

#include <QStackedWidget>
#include <QStringList>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith::ui {

class FormulaPage;

/// One chart, table, sheet of formulas or the stack at a time, as large as the place for it. Pages
/// have ids, "share" or "scaling", and are made when they are first shown.
class LecturePages : public QStackedWidget
{
    Q_OBJECT

public:
    explicit LecturePages(Document& document, QWidget* parent = nullptr);

    /// The ids of all pages, in their order.
    static QStringList ids();

    /// False if there is no such page: then nothing changes.
    bool showPage(const QString& id);
    QString id() const;
    QString title() const { return titleOf(id()); }
    static QString titleOf(const QString& id);

    /// The id of the page with this chart; every chart has one.
    static std::string_view idOf(ChartId chart);

    /// Shows the page that comes so many later, and stops at the ends.
    void move(int by);

    /// How near the page of the stack is shown: see LessonView::zoom. Other pages have no zoom.
    void setZoom(const std::string& zoom);

    /// Whether the stack says what its parts cost.
    void setCostsShown(bool shown);

    void setScale(const DisplayScale& scale);

    /// Times of the scenario as it is now; they are shown as long as it is this one.
    void setRunTimes(const RunTimes& times);

    /// As ChartFeed has it.
    void compareTimesOn(const Device& device, const std::filesystem::path& store);

    /// Keeps the design as the only one beside what becomes of it.
    void freeze();
    Designs& designs() { return m_designs; }

    /// Shows these designs beside the document's, the oldest first; the document is as before.
    void showFrozen(const std::vector<Scenario>& frozen);

    /// The parameters whose letters can be moved in formulas, by their keys; none: all.
    void setMovable(const std::optional<QStringList>& keys);

    /// Opens or closes a step of a derivation that is shown; false without one, or at its ends.
    bool advanceDerivation(int by);

    /// Shows the derivation on the page of formulas, or the formula again; false on another page.
    bool toggleDerivation();

    ChartFeed& feed() { return *m_feed; }

    /// Small, so that large type never makes the window wider than the screen.
    QSize minimumSizeHint() const override { return {320, 200}; }

Q_SIGNALS:
    void pageChanged();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    StackPages* stackShown() const;
    QWidget* made(std::size_t page);
    QWidget* madeOther(const QString& id);
    FigureView* madeChart(ChartId chart);
    FormulaPage* shownFormulas() const;
    void showTimes();

    Document& m_document;
    Designs m_designs;
    ChartFeed* m_feed;
    std::vector<QWidget*> m_pages; ///< null until they are shown
    std::vector<FigureView*> m_charts;
    FormulaPage* m_formulas = nullptr; ///< null until it is shown
    std::optional<QStringList> m_movable;
    bool m_showsCosts = true;
    std::size_t m_current = 0;
    DisplayScale m_scale;
    StageZoom m_zoom;
    RunTimes m_times;
    std::optional<Scenario> m_timed; ///< whose times they are
};

} // namespace flopsmith::ui
