// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

#include <vector>

namespace flopsmith::ui {

/// A table of names and figures. Rows are chosen whole, Tab leaves the table, and the first column
/// stays where it is while the others scroll sideways.
class FiguresView : public QTableView
{
    Q_OBJECT

public:
    explicit FiguresView(const QString& name, QWidget* parent = nullptr);

    void setModel(QAbstractItemModel* model) override;

    /// Makes every column as wide as its texts need; where they need more than there is, words are
    /// elided, the first column last. Until the view or its columns change, columns only grow; when
    /// the view changes, they are fitted again.
    void fitColumns();

    /// The chosen rows in the order of the screen, or all of them if none is chosen.
    std::vector<int> chosenRows() const;

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    void createNames();
    void placeNames();
    int neededWidth(int column) const;
    std::vector<int> neededWidths();

    std::vector<int> m_needed; ///< widths of the texts by column, the largest so far
    QString m_fitted; ///< for which columns and which width; empty: widths are somebody else's
    QTableView* m_names; ///< the first column, over the others that are scrolled
};

} // namespace flopsmith::ui
