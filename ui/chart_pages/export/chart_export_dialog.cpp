// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart_pages/export/chart_export_dialog.h"

#include "ui/chart_pages/export/export_preview.h"
#include "ui/theme/type_scale.h"
#include "ui/widgets/layout/fit_screen.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/save_path.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace flopsmith::ui {
namespace {

constexpr QSize kDialogSize(1060, 620);
constexpr int kPause = 60; ///< milliseconds between two previews
constexpr int kChoicesWidth = 280;

constexpr double kMillimetresPerPixel = 25.4 / 96.0;
constexpr double kMinPixels = 120.0;
constexpr double kMaxPixels = 16'000.0;

struct FormatText
{
    const char* suffix;
    const char* title;
};

constexpr std::array<FormatText, 5> kFormats{
    {{"svg", QT_TRANSLATE_NOOP("ChartExportDialog", "SVG drawing")},
     {"pdf", QT_TRANSLATE_NOOP("ChartExportDialog", "PDF document")},
     {"png", QT_TRANSLATE_NOOP("ChartExportDialog", "PNG picture")},
     {"csv", QT_TRANSLATE_NOOP("ChartExportDialog", "CSV, its numbers")},
     {"tex", QT_TRANSLATE_NOOP("ChartExportDialog", "LaTeX, pgfplots")}}};

QString named(const char* name)
{
    return QStringLiteral("chartExport.") + QLatin1String(name);
}

bool isPicture(ExportFormat format)
{
    return format != ExportFormat::csv && format != ExportFormat::tex;
}

QComboBox* createCombo(const char* name, const QString& accessible, QWidget* parent)
{
    auto* combo = new QComboBox(parent);
    combo->setObjectName(named(name));
    combo->setAccessibleName(accessible);
    return combo;
}

// "85.0 × 51.9 mm, 8 pt", "1280 × 720 px, 18 pt"
QString sizeText(const ExportChoice& choice, const ExportOptions& options)
{
    const QString times = QStringLiteral(" \u00D7 ");
    const QSize size = options.size;
    const QString type = ChartExportDialog::tr("%1 pt").arg(QString::number(options.typePoints));
    if (choice.isInMillimetres) {
        return QString::number(choice.width, 'f', 1) + times
            + QString::number(size.height() * kMillimetresPerPixel, 'f', 1)
            + ChartExportDialog::tr(" mm, ") + type;
    }
    return QString::number(size.width()) + times + QString::number(size.height())
        + ChartExportDialog::tr(" px, ") + type;
}

} // namespace

ChartExportDialog::ChartExportDialog(const QString& title,
                                     Source figure,
                                     double shape,
                                     QWidget* parent)
    : QDialog(parent)
    , m_title(title)
    , m_figure(std::move(figure))
    , m_shape(shape)
    , m_choice(storedExportChoice())
    , m_update([this] { update(); }, kPause)
{
    setObjectName(QStringLiteral("chartExport"));
    setAccessibleName(tr("Export %1").arg(title));
    setWindowTitle(tr("Export %1 \u2013 Flopsmith").arg(title));
    auto* row = new QHBoxLayout;
    row->addWidget(createChoices());
    auto* panel = new Panel(named("previewPanel"), tr("Preview"), this);
    m_preview = new ExportPreview(panel);
    panel->setBody(m_preview);
    row->addWidget(panel, 1);
    auto* column = new QVBoxLayout(this);
    column->addLayout(row, 1);
    column->addWidget(createEnd());
    showChoice();
    resizeToFit(*this, kDialogSize);
    m_preset->setFocus();
    update();
}

QWidget* ChartExportDialog::createChoices()
{
    auto* choices = new QWidget(this);
    choices->setObjectName(named("choices"));
    choices->setAccessibleName(tr("How the figure is written"));
    choices->setFixedWidth(scaledToType(kChoicesWidth, *this));
    auto* form = new QFormLayout(choices);
    form->setContentsMargins(0, 0, 0, 0);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    addWidths(*form);
    addLooks(*form);
    return choices;
}

void ChartExportDialog::addWidths(QFormLayout& form)
{
    m_format = createCombo("format", tr("Format"), this);
    for (const FormatText& format : kFormats) {
        m_format->addItem(tr(format.title), QLatin1String(format.suffix));
    }
    m_preset = createCombo("preset", tr("Kind of width"), this);
    for (const WidthPreset& preset : widthPresets()) {
        m_preset->addItem(tr(preset.title));
    }
    m_width = new QDoubleSpinBox(this);
    m_width->setObjectName(named("width"));
    m_width->setAccessibleName(tr("Width"));
    m_unit = createCombo("unit", tr("Unit of the width"), this);
    m_unit->addItems({tr("px"), tr("mm")});
    m_type = new QDoubleSpinBox(this);
    m_type->setObjectName(named("type"));
    m_type->setAccessibleName(tr("Type size"));
    m_type->setRange(kMinTypePoints, kMaxTypePoints);
    m_type->setDecimals(2);
    m_type->setSingleStep(0.5);
    m_type->setSuffix(tr(" pt"));
    auto* width = new QHBoxLayout;
    width->addWidget(m_width, 1);
    width->addWidget(m_unit);
    form.addRow(tr("&Format"), m_format);
    form.addRow(tr("Fo&r"), m_preset);
    auto* label = new QLabel(tr("&Width"), this);
    label->setObjectName(named("width.label"));
    label->setBuddy(m_width);
    form.addRow(label, width);
    form.addRow(tr("&Type size"), m_type);
    connect(m_format, &QComboBox::currentIndexChanged, this, &ChartExportDialog::takeChoice);
    connect(m_preset, &QComboBox::currentIndexChanged, this, &ChartExportDialog::takePreset);
    connect(m_unit, &QComboBox::currentIndexChanged, this, &ChartExportDialog::takeWidth);
    connect(m_width, &QDoubleSpinBox::valueChanged, this, &ChartExportDialog::takeChoice);
    connect(m_type, &QDoubleSpinBox::valueChanged, this, &ChartExportDialog::takeChoice);
}

void ChartExportDialog::addLooks(QFormLayout& form)
{
    m_colours = createCombo("colours", tr("Colours"), this);
    m_colours->addItems({tr("Light"), tr("Dark")});
    form.addRow(tr("&Colours"), m_colours);
    m_hasTitle = addCheck(form, "title", tr("T&itle"));
    m_hasFooter = addCheck(form, "footer", tr("&Source of the figures"));
    m_hasFooter->setToolTip(tr("The line below: model, workload, lens, device and version"));
    m_outlines = addCheck(form, "outlines", tr("Texts as &outlines"));
    m_outlines->setToolTip(tr("An SVG drawing that looks the same without the font"));
    connect(m_colours, &QComboBox::currentIndexChanged, this, &ChartExportDialog::takeChoice);
}

QCheckBox* ChartExportDialog::addCheck(QFormLayout& form, const char* name, const QString& text)
{
    auto* check = new QCheckBox(text, this);
    check->setObjectName(named(name));
    check->setAccessibleName(QString(text).remove(QLatin1Char('&')));
    form.addRow(QString(), check);
    connect(check, &QCheckBox::toggled, this, &ChartExportDialog::takeChoice);
    return check;
}

QWidget* ChartExportDialog::createEnd()
{
    auto* end = new QWidget(this);
    end->setObjectName(named("end"));
    end->setAccessibleName(tr("Export"));
    m_size = new QLabel(end);
    m_size->setObjectName(named("size"));
    m_size->setProperty("role", "muted");
    m_size->setTextFormat(Qt::PlainText);
    auto* closing = new QPushButton(tr("Cancel"), end);
    closing->setObjectName(named("cancel"));
    closing->setAccessibleName(closing->text());
    closing->setAutoDefault(false);
    connect(closing, &QPushButton::clicked, this, &QDialog::reject);
    m_export = new QPushButton(tr("E&xport \u2026"), end);
    m_export->setObjectName(named("export"));
    m_export->setAccessibleName(tr("Export \u2026"));
    m_export->setProperty("primary", true);
    m_export->setDefault(true);
    connect(m_export, &QPushButton::clicked, this, &ChartExportDialog::askAndExport);
    auto* line = new QHBoxLayout(end);
    line->setContentsMargins(0, 0, 0, 0);
    line->addWidget(m_size, 1);
    line->addWidget(closing);
    line->addWidget(m_export);
    return end;
}

void ChartExportDialog::blockControls(bool areBlocked)
{
    for (QWidget* control : std::initializer_list<QWidget*>{m_preset,
                                                            m_width,
                                                            m_unit,
                                                            m_type,
                                                            m_format,
                                                            m_colours,
                                                            m_hasTitle,
                                                            m_hasFooter,
                                                            m_outlines}) {
        control->blockSignals(areBlocked);
    }
}

void ChartExportDialog::showChoice()
{
    const bool areMillimetres = m_choice.isInMillimetres;
    const double factor = areMillimetres ? kMillimetresPerPixel : 1.0;
    blockControls(true);
    m_preset->setCurrentIndex(static_cast<int>(m_choice.preset));
    m_unit->setCurrentIndex(areMillimetres ? 1 : 0);
    m_width->setDecimals(areMillimetres ? 1 : 0);
    m_width->setSingleStep(areMillimetres ? 1.0 : 10.0);
    m_width->setRange(kMinPixels * factor, kMaxPixels * factor);
    m_width->setValue(m_choice.width);
    m_type->setValue(m_choice.typePoints);
    m_format->setCurrentIndex(m_format->findData(m_choice.suffix));
    m_colours->setCurrentIndex(m_choice.isDark ? 1 : 0);
    m_hasTitle->setChecked(m_choice.hasTitle);
    m_hasFooter->setChecked(m_choice.hasFooter);
    m_outlines->setChecked(m_choice.areOutlines);
    blockControls(false);
}

void ChartExportDialog::takePreset(int index)
{
    m_choice.choosePreset(static_cast<std::size_t>(std::max(0, index)));
    showChoice();
    changed();
}

// Another unit, the same width.
void ChartExportDialog::takeWidth()
{
    const bool areMillimetres = m_unit->currentIndex() == 1;
    if (areMillimetres != m_choice.isInMillimetres) {
        m_choice.width *= areMillimetres ? kMillimetresPerPixel : 1.0 / kMillimetresPerPixel;
        m_choice.isInMillimetres = areMillimetres;
        m_choice.preset = kWidthPresets - 1;
        showChoice();
    }
    changed();
}

void ChartExportDialog::takeChoice()
{
    if (m_width->value() != m_choice.width) {
        m_choice.width = m_width->value();
        m_choice.preset = kWidthPresets - 1; // the person's own
    }
    m_choice.typePoints = m_type->value();
    m_choice.suffix = m_format->currentData().toString();
    m_choice.isDark = m_colours->currentIndex() == 1;
    m_choice.hasTitle = m_hasTitle->isChecked();
    m_choice.hasFooter = m_hasFooter->isChecked();
    m_choice.areOutlines = m_outlines->isChecked();
    showChoice();
    changed();
}

void ChartExportDialog::changed()
{
    m_update.request();
}

void ChartExportDialog::update()
{
    const ExportFormat format = m_choice.format();
    const bool isDrawn = isPicture(format);
    m_colours->setEnabled(isDrawn);
    m_outlines->setEnabled(format == ExportFormat::svg);
    for (QWidget* control : std::initializer_list<QWidget*>{m_preset, m_width, m_unit, m_type}) {
        control->setEnabled(format != ExportFormat::csv);
    }
    const Figure* figure = m_figure();
    const ExportOptions options =
        m_choice.options(m_shape, figure != nullptr ? figure->minExportHeight() : 0);
    const QString problem =
        figure == nullptr ? tr("There is no figure yet.") : exportProblem(*figure, options);
    m_export->setEnabled(problem.isEmpty());
    m_size->setText(isDrawn && problem.isEmpty() ? sizeText(m_choice, options) : problem);
    m_bytes = problem.isEmpty() ? ui::exported(*figure, format, options) : QByteArray();
    if (!problem.isEmpty()) {
        m_preview->showProblem(problem);
    } else if (isDrawn) {
        m_preview->showPicture(exportedImage(*figure, options), options.size, figure->summary());
    } else {
        m_preview->showText(QString::fromUtf8(m_bytes));
    }
}

bool ChartExportDialog::exportTo(const QString& path)
{
    m_update.flush();
    const Result<ExportFormat> format = exportFormat(path);
    if (m_bytes.isEmpty()) {
        return false; // the reason is shown
    }
    const Status saved = !format ? Status(format.error())
        : *format != m_choice.format()
        ? Status(Error{tr("%1 is no .%2 file: choose its format here")
                           .arg(QFileInfo(path).fileName(), m_choice.suffix)
                           .toStdString()})
        : writeExported(m_bytes, path);
    if (!saved) {
        m_size->setText(QString::fromStdString(saved.error().message));
        return false;
    }
    m_choice.folder = QFileInfo(path).absolutePath();
    storeExportChoice(m_choice);
    Q_EMIT exported(path);
    accept();
    return true;
}

void ChartExportDialog::askAndExport()
{
    const QDir folder(m_choice.folder.isEmpty() ? QDir::homePath() : m_choice.folder);
    const QString name = m_title.toLower().replace(QLatin1Char(' '), QLatin1Char('-'))
        + QLatin1Char('.') + m_choice.suffix;
    const QString path = askSavePath(*this,
                                     tr("Export %1").arg(m_title),
                                     folder.filePath(name),
                                     QStringLiteral("*.%1").arg(m_choice.suffix));
    if (!path.isEmpty()) {
        exportTo(path);
    }
}

} // namespace flopsmith::ui

#include "moc_chart_export_dialog.cpp"
