// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/parameter/parameter_table.h"
#include "ui/document/document.h"

#include <QStringList>
#include <QWidget>

#include <vector>

QT_BEGIN_NAMESPACE
class QGridLayout;
class QLabel;
QT_END_NAMESPACE

namespace flopsmith::ui {

class StopSlider;

/// A few parameters as sliders with their values large beside them. Up and Down move a slider; the
/// keys of a presenter's remote are left to the lecture.
class LectureSliders : public QWidget
{
    Q_OBJECT

public:
    /// More would take the place of the chart.
    static constexpr qsizetype kMaxSliders = 3;

    explicit LectureSliders(Document& document, QWidget* parent = nullptr);

    /// Shows the parameters by their keys, "d_ff" of all blocks that have one; those that the model
    /// does not have, or that are no numbers, are left out.
    void setKeys(const QStringList& keys);
    const QStringList& keys() const { return m_keys; }

    /// Type for the names and, larger, for the values.
    void setTypeFont(const QFont& type);

    /// As many as are shown.
    int count() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Row
    {
        std::string key;
        QLabel* name;
        StopSlider* slider;
        QLabel* value;
    };

    void add(const std::string& key, const Parameter& parameter);
    void showRow(const Row& row);
    void take(const Row& row, int stop);
    void enlargeValues();
    void refresh();

    Document& m_document;
    QGridLayout* m_grid;
    QStringList m_keys;
    std::vector<Row> m_rows;
};

} // namespace flopsmith::ui
