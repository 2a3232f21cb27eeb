// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/lecture/lecture_sliders.h"

#include "core/parameter/parameter_lookup.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8.h"
#include "ui/widgets/values/parameter_editor.h"
#include "ui/widgets/values/stop_slider.h"
#include "ui/widgets/values/value_text.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>

#include <algorithm>

namespace flopsmith::ui {
namespace {

constexpr double kLargeValue = 1.35; ///< relative to ordinary text
constexpr int kMinLectureSlider = 160;

QLabel* lectureLabel(const QString& name, const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setObjectName(QStringLiteral("lecture.") + name);
    label->setAccessibleName(text);
    label->setTextFormat(Qt::PlainText);
    return label;
}

} // namespace

LectureSliders::LectureSliders(Document& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_grid(new QGridLayout(this))
{
    setObjectName(QStringLiteral("lecture.sliders"));
    setAccessibleName(tr("Parameters"));
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(18);
    m_grid->setColumnStretch(1, 1);
    connect(&document, &Document::scenarioChanged, this, &LectureSliders::refresh);
}

void LectureSliders::setKeys(const QStringList& keys)
{
    for (const Row& row : m_rows) {
        delete row.name;
        delete row.slider;
        delete row.value;
    }
    m_rows.clear();
    m_keys = keys;
    for (const QString& key : keys) {
        const std::string wanted = key.toStdString();
        const auto parameter = firstParameter(m_document.scenario(), wanted);
        const bool isNumber =
            parameter && editorKind(parameter->value(m_document.scenario())) == EditorKind::slider;
        if (isNumber && m_rows.size() < static_cast<std::size_t>(kMaxSliders)) {
            add(wanted, *parameter);
        }
    }
    enlargeValues();
    refresh();
}

int LectureSliders::count() const
{
    return static_cast<int>(std::count_if(
        m_rows.begin(), m_rows.end(), [](const Row& row) { return !row.slider->isHidden(); }));
}

void LectureSliders::add(const std::string& key, const Parameter& parameter)
{
    const QString id = QString::fromStdString(key);
    const QString title = fromUtf8(parameter.text.label);
    const Row row{.key = key,
                  .name = lectureLabel(id + QStringLiteral(".label"), title, this),
                  .slider = new StopSlider(this),
                  .value = lectureLabel(id + QStringLiteral(".value"), title, this)};
    row.slider->setObjectName(QStringLiteral("lecture.%1.slider").arg(id));
    row.slider->setAccessibleName(title);
    row.slider->setFocusPolicy(Qt::StrongFocus);
    row.slider->setMinimumWidth(kMinLectureSlider);
    if (parameter.component != nullptr) {
        row.slider->setProperty("accent", colour(*parameter.component));
    }
    row.value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    const int line = m_grid->rowCount();
    m_grid->addWidget(row.name, line, 0);
    m_grid->addWidget(row.slider, line, 1);
    m_grid->addWidget(row.value, line, 2);
    connect(row.slider, &QSlider::valueChanged, this, [this, row](int stop) { take(row, stop); });
    m_rows.push_back(row);
}

void LectureSliders::refresh()
{
    for (const Row& row : m_rows) {
        showRow(row);
    }
}

void LectureSliders::showRow(const Row& row)
{
    const auto parameter = firstParameter(m_document.scenario(), row.key);
    for (QWidget* widget : std::initializer_list<QWidget*>{row.name, row.slider, row.value}) {
        widget->setVisible(parameter.has_value());
    }
    if (parameter) {
        const QSignalBlocker blocker(row.slider);
        const FieldValue value = parameter->value(m_document.scenario());
        const QString text = boxText(value);
        row.slider->show(parameter->legal(m_document.scenario()).stops(), value, text);
        row.value->setText(text);
        row.value->setAccessibleName(tr("value of %1").arg(row.name->text()));
    }
}

// The parameter of every block that has it: a lecture speaks of the model, not of one run.
void LectureSliders::take(const Row& row, int stop)
{
    const FieldValue value = row.slider->stops().at(static_cast<std::size_t>(stop));
    m_document.apply(tr("Set %1").arg(row.name->text()), [&row, &value](DocumentState& state) {
        for (const Parameter& each : matchingParameters(state.scenario, row.key)) {
            setAndRepair(state.scenario, each, value);
        }
    });
    showRow(row);
}

void LectureSliders::enlargeValues()
{
    QFont large = font();
    large.setPointSizeF(font().pointSizeF() * kLargeValue);
    large.setWeight(QFont::DemiBold);
    for (const Row& row : m_rows) {
        row.name->setFont(font()); // which it does not inherit below a style sheet
        row.value->setFont(large);
        row.value->setMinimumWidth(
            row.value->fontMetrics().horizontalAdvance(QStringLiteral("0000000")));
    }
}

void LectureSliders::setTypeFont(const QFont& type)
{
    setFont(type);
    enlargeValues(); // also where a style sheet has changed the values alone
}

void LectureSliders::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange) {
        enlargeValues();
    }
    QWidget::changeEvent(event);
}

} // namespace flopsmith::ui

#include "moc_lecture_sliders.cpp"
