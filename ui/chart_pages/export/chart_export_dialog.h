// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/chart_pages/export/export_choice.h"
#include "ui/document/throttle.h"

#include <QDialog>

#include <functional>

QT_BEGIN_NAMESPACE
class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QPushButton;
QT_END_NAMESPACE

namespace flopsmith::ui {

class ExportPreview;

/// "Export …" of a chart: width, type size, title, provenance, format and colours, beside a preview
/// of the very figure that is written. Opens with the choices of the last export; Enter exports.
class ChartExportDialog : public QDialog
{
    Q_OBJECT

public:
    /// Gives the chart's figure, or null; `shape` is its height over its width on the screen.
    using Source = std::function<const Figure*()>;

    ChartExportDialog(const QString& title, Source figure, double shape, QWidget* parent);

    const ExportChoice& choice() const { return m_choice; }
    ExportPreview& preview() { return *m_preview; }

    /// What is written now; empty if the figure cannot be exported.
    const QByteArray& bytes() const { return m_bytes; }

    /// Shows a change of the choices now.
    void flush() { m_update.flush(); }

    /// Writes the file and keeps the choices; a failure stays in the dialog.
    bool exportTo(const QString& path);

Q_SIGNALS:
    void exported(const QString& path);

private:
    QWidget* createChoices();
    void addWidths(QFormLayout& form);
    void addLooks(QFormLayout& form);
    QCheckBox* addCheck(QFormLayout& form, const char* name, const QString& text);
    QWidget* createEnd();
    void blockControls(bool areBlocked);
    void showChoice();
    void takeChoice();
    void takeWidth();
    void takePreset(int index);
    void changed();
    void update();
    void askAndExport();

    QString m_title;
    Source m_figure;
    double m_shape;
    ExportChoice m_choice;
    QByteArray m_bytes;
    Throttle m_update;
    QComboBox* m_preset = nullptr;
    QDoubleSpinBox* m_width = nullptr;
    QComboBox* m_unit = nullptr;
    QDoubleSpinBox* m_type = nullptr;
    QComboBox* m_format = nullptr;
    QComboBox* m_colours = nullptr;
    QCheckBox* m_hasTitle = nullptr;
    QCheckBox* m_hasFooter = nullptr;
    QCheckBox* m_outlines = nullptr;
    ExportPreview* m_preview = nullptr;
    QLabel* m_size = nullptr; ///< what the file will be, or why there is none
    QPushButton* m_export = nullptr;
};

} // namespace flopsmith::ui
