// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/headline/headline.h"
#include "ui/widgets/measure_button.h"

#include <QWidget>

#include <vector>

QT_BEGIN_NAMESPACE
class QHBoxLayout;
QT_END_NAMESPACE

namespace flopsmith::ui {

class ChoiceChip;
class HeadlineTile;

/// The strip below the tool bar: what the design costs, in large type, with the button that measures
/// it. If it is narrow, tiles are left out from the middle; digits never are.
class HeadlineStrip : public QWidget
{
    Q_OBJECT

public:
    explicit HeadlineStrip(QWidget* parent = nullptr);

    /// One figure of each kind.
    void setFigures(const std::vector<HeadlineFigure>& figures, const QString& baseline);

    HeadlineTile& tile(HeadlineKind kind) { return *m_tiles.at(static_cast<std::size_t>(kind)); }

    /// The device whose roofs bound the time, and the one that measures it.
    ChoiceChip& hardwareChip() { return *m_hardware; }
    ChoiceChip& deviceChip() { return *m_device; }

    MeasureButton& measureButton() { return *m_measure; }

    /// Whether the button stops or starts measuring.
    void showMeasuring(bool running);

    /// Sets why the device is slow, as the tool tip of its chip; empty if nothing is known.
    void setDeviceWarning(const QString& warning);

    void updateIcons() { m_measure->updateIcon(); }

    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void whyRequested(HeadlineKind kind);

protected:
    bool event(QEvent* event) override;

private:
    HeadlineTile& add(HeadlineKind kind, const QString& accessibleName, int stretch);
    int widthOf(std::size_t tiles) const;
    void fit();

    QHBoxLayout* m_line;
    std::vector<HeadlineTile*> m_tiles; ///< by kind
    ChoiceChip* m_hardware;
    ChoiceChip* m_device;
    MeasureButton* m_measure;
    bool m_running = false;
};

} // namespace flopsmith::ui
