// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/chart_pages/chart_panel.h"
#include "ui/charts/claims/claims_chart.h"
#include "ui/document/throttle.h"
#include "ui/jobs/measuring.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/measure_button.h"
#include "ui/widgets/message_bar.h"

QT_BEGIN_NAMESPACE
class QHBoxLayout;
class QProgressBar;
QT_END_NAMESPACE

namespace flopsmith::ui {

class ElidedLabel;

/// A window of its own beside the main one: what the founding notes claim, counted at the sizes
/// that are chosen here, and measured when asked for.
class ClaimsWindow : public QWidget
{
    Q_OBJECT

public:
    explicit ClaimsWindow(const Device& device, QWidget* parent = nullptr);

    const ClaimSizes& sizes() const { return m_chart.sizes; }
    const ClaimsChart& content() const { return m_chart; }
    ChartPanel& panel() { return *m_panel; }
    MessageBar& messages() { return *m_messages; }
    MeasureButton& measureButton() { return *m_measure; }

    /// Another device measures from now on; what runs on the old one is stopped.
    void setDevice(const Device& device);

    /// From now on results are kept in the file.
    void useStore(const std::filesystem::path& file) { m_measuring.useStore(file); }

    /// Measures both sides of every claim anew; if that is going on, stops it.
    void toggle();
    void cancel();
    bool isMeasuring() const { return m_measuring.isRunning(); }

    /// Gives pending changes to the figure now.
    void flush() { m_update.flush(); }

    /// Draws the icons for the present theme.
    void updateIcons();

Q_SIGNALS:
    /// Two measurements at once would slow each other down.
    void measuringStarted();

protected:
    void closeEvent(QCloseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QWidget* createBar();
    void addSize(QHBoxLayout& line,
                 const QString& name,
                 const QString& accessibleName,
                 const ClaimSizeRange& legal,
                 int ClaimSizes::*size);
    void takeTyped(const LegalValues& values,
                   const FieldValue& typed,
                   const QString& name,
                   int ClaimSizes::*size);
    void connectMeasuring();
    void countAgain();
    void readTimes();
    FigureRequest figureRequest() const;
    void reportProgress();
    void reportFailures();

    ClaimSizes m_wanted; ///< as in the boxes; counted at the next update
    ClaimsChart m_chart;
    Device m_device;
    bool m_unavailable = false; ///< the device has just said that it cannot be asked
    ChartPanel* m_panel;
    MessageBar* m_messages;
    ElidedLabel* m_progressText = nullptr;
    QProgressBar* m_progress = nullptr;
    MeasureButton* m_measure = nullptr;
    Throttle m_update;
    Measuring m_measuring;
};

} // namespace flopsmith::ui
