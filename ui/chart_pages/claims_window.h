// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/chart_pages/chart_panel.h"
#include "ui/charts/claims/claims_chart.h"
#include "ui/document/throttle.h"
#include "ui/jobs/measuring.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/measure_button.h"
#include "ui/widgets/message_bar.h"

#include <memory>

QT_BEGIN_NAMESPACE
class QHBoxLayout;
class QProgressBar;
QT_END_NAMESPACE

namespace flopsmith {
struct LabLog;
}

namespace flopsmith::ui {

class ElidedLabel;

/// A separate window with the claims of design notes, counted at the sizes that are chosen
/// here and measured on request.
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

    /// Measures on another device from now on; a run on the old one is stopped.
    void setDevice(const Device& device);

    /// From now on results are stored in the file.
    void useStore(const std::filesystem::path& file) { m_measuring.useStore(file); }

    /// Measures both sides of every claim again, or stops the current run.
    void toggle();
    void cancel();
    bool isMeasuring() const { return m_measuring.isRunning(); }

    /// From now on shows the learned results of that lab, until the program's own is chosen again.
    void showLab(std::shared_ptr<const LabLog> lab);
    bool showsLab() const { return m_isLabShown; }

    /// Updates the figure with pending changes now.
    void flush() { m_update.flush(); }

    /// Redraws the icons in the colours of the current theme.
    void updateIcons();

Q_SIGNALS:
    /// Emitted so that others stop: two measurements at once would slow each other down.
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
    void createLabChip(QHBoxLayout& line);
    void setLabShown(bool shown);
    const LabLog* shownLab() const { return m_isLabShown ? m_lab.get() : nullptr; }
    void connectMeasuring();
    void countAgain();
    void readTimes();
    FigureRequest figureRequest() const;
    void reportProgress();
    void reportFailures();

    ClaimSizes m_wanted; ///< as entered; counted at the next update
    ClaimsChart m_chart;
    Device m_device;
    bool m_unavailable = false; ///< the last run failed because the device is unavailable
    ChartPanel* m_panel;
    MessageBar* m_messages;
    ElidedLabel* m_progressText = nullptr;
    QProgressBar* m_progress = nullptr;
    ChoiceChip* m_labChip = nullptr; ///< hidden until there is a lab to choose
    std::shared_ptr<const LabLog> m_lab;
    bool m_isLabShown = false;
    MeasureButton* m_measure = nullptr;
    Throttle m_update;
    Measuring m_measuring;
};

} // namespace flopsmith::ui
