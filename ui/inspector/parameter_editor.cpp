// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/parameter_editor.h"

#include "ui/inspector/value_text.h"
#include "ui/theme/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QSignalBlocker>
#include <QSlider>
#include <QWheelEvent>

namespace flopsmith::ui {
namespace {

constexpr int kBurstPause = 700; // milliseconds without a key that end a burst

constexpr int kControlHeight = 25;
constexpr int kLeastCombo = 64; // a narrow panel cuts its text rather than the panel's edge

enum Column { kLabel, kSymbol, kSlider, kBox, kHint };

// The wheel scrolls the list and changes a control only when it has the focus.
class WheelGuard : public QObject
{
public:
    using QObject::QObject;

    bool eventFilter(QObject* watched, QEvent* event) override
    {
        const auto* widget = qobject_cast<QWidget*>(watched);
        if (event->type() == QEvent::Wheel && widget != nullptr && !widget->hasFocus()) {
            event->ignore();
            return true;
        }
        return QObject::eventFilter(watched, event);
    }
};

QString groupOf(const Parameter& parameter)
{
    return QString::fromStdString(parameter.group);
}

// "g_k" with its index lowered.
QString symbolText(const QString& symbol)
{
    const qsizetype line = symbol.indexOf(QLatin1Char('_'));
    return line < 0
        ? symbol
        : QStringLiteral("%1<sub>%2</sub>")
              .arg(symbol.left(line).toHtmlEscaped(), symbol.mid(line + 1).toHtmlEscaped());
}

QLabel* muted(QWidget& parent)
{
    auto* label = new QLabel(&parent);
    label->setProperty("role", QStringLiteral("muted"));
    return label;
}

} // namespace

EditBurst::EditBurst(Document& document, QObject* parent)
    : QObject(parent)
    , m_document(document)
{
    m_pause.setSingleShot(true);
    m_pause.setInterval(kBurstPause);
    connect(&m_pause, &QTimer::timeout, this, [this] { m_document.endGesture(); });
}

void EditBurst::touch()
{
    if (!m_pause.isActive() || !m_document.isInGesture()) {
        m_document.beginGesture();
    }
    m_pause.start();
}

void EditBurst::finish()
{
    if (m_pause.isActive()) {
        m_pause.stop();
        m_document.endGesture();
    }
}

EditorKind editorKind(const FieldValue& value)
{
    if (std::holds_alternative<bool>(value)) {
        return EditorKind::flag;
    }
    return std::holds_alternative<std::string>(value) ? EditorKind::choice : EditorKind::slider;
}

QString keyInBlock(const Parameter& parameter)
{
    const QString key = QString::fromStdString(parameter.key);
    return key.startsWith(QLatin1String("blocks["))
        ? QStringLiteral("block.") + key.mid(key.indexOf(QLatin1Char('.')) + 1)
        : key;
}

ParameterEditor::ParameterEditor(Document& document, Parameter parameter, QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_parameter(std::move(parameter))
{}

void ParameterEditor::name(QWidget& widget, const char* control, const QString& spoken) const
{
    widget.setObjectName(
        QStringLiteral("inspector.%1.%2").arg(keyInBlock(m_parameter), QLatin1String(control)));
    widget.setAccessibleName(spoken);
}

QString ParameterEditor::toolTip(const LegalValues& legal) const
{
    const QString help = fromUtf8(m_parameter.text.help);
    return tr("%1\nLegal: %2").arg(help, QString::fromStdString(legal.text()));
}

SliderEditor::SliderEditor(Document& document,
                           const Parameter& parameter,
                           EditBurst& burst,
                           QGridLayout& grid,
                           int line,
                           QWidget& parent)
    : ParameterEditor(document, parameter, &parent)
    , m_burst(burst)
    , m_label(new QLabel(fromUtf8(parameter.text.label), &parent))
    , m_symbol(muted(parent))
    , m_slider(new QSlider(Qt::Horizontal, &parent))
    , m_box(new ValueBox(&parent))
    , m_hint(muted(parent))
{
    const QString spoken = tr("%1, %2").arg(fromUtf8(parameter.text.label), groupOf(parameter));
    name(*m_label, "label", spoken);
    name(*m_symbol, "symbol", tr("symbol of %1").arg(spoken));
    name(*m_slider, "slider", spoken);
    name(*m_box, "box", tr("value of %1").arg(spoken));
    name(*m_hint, "hint", tr("limit of %1").arg(spoken));
    m_symbol->setText(symbolText(fromUtf8(parameter.text.symbol)));
    m_slider->setFocusPolicy(Qt::StrongFocus);
    m_slider->setMinimumWidth(70);
    if (parameter.component != nullptr) {
        m_slider->setProperty("accent", colour(*parameter.component));
    }
    m_slider->installEventFilter(new WheelGuard(m_slider));
    m_slider->installEventFilter(this);
    m_box->setFixedHeight(kControlHeight);
    m_label->setBuddy(m_box);
    grid.addWidget(m_label, line, kLabel);
    grid.addWidget(m_symbol, line, kSymbol, Qt::AlignHCenter);
    grid.addWidget(m_slider, line, kSlider);
    grid.addWidget(m_box, line, kBox);
    grid.addWidget(m_hint, line, kHint);
    connectControls();
    show(parameter);
}

void SliderEditor::connectControls()
{
    connect(m_slider, &QSlider::sliderPressed, this, &SliderEditor::beginHold);
    connect(m_slider, &QSlider::sliderReleased, this, &SliderEditor::endHold);
    connect(m_slider, &QSlider::valueChanged, this, [this](int index) {
        if (!m_held) {
            m_burst.touch();
        }
        set(m_stops.at(static_cast<std::size_t>(index)));
    });
    connect(m_box, &ValueBox::edited, this, [this](const FieldValue& value) {
        m_burst.touch();
        set(value);
    });
}

// A click into the groove changes the value before the slider says that it is pressed, so the
// gesture begins and ends with the mouse button.
bool SliderEditor::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::MouseButtonPress
        && static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton) {
        beginHold();
    } else if (event->type() == QEvent::MouseButtonRelease) {
        endHold();
    }
    return ParameterEditor::eventFilter(watched, event);
}

void SliderEditor::beginHold()
{
    if (!m_held) {
        m_held = true;
        m_burst.finish();
        document().beginGesture();
    }
}

void SliderEditor::endHold()
{
    if (m_held) {
        m_held = false;
        document().endGesture();
    }
}

void SliderEditor::show(const Parameter& parameter)
{
    take(parameter);
    setVisible(applies());
    const LegalValues allowed = legal();
    readLegal(allowed);
    const FieldValue now = value();
    const QSignalBlocker blocker(m_slider);
    m_slider->setRange(0, static_cast<int>(m_stops.size()) - 1);
    m_slider->setValue(stopIndex(m_stops, now));
    m_box->show(allowed, m_stops, now);
    m_hint->setText(limitHint(allowed, m_stops, now));
}

void SliderEditor::readLegal(const LegalValues& allowed)
{
    const QString text = QString::fromStdString(allowed.text());
    if (text == m_legalText) {
        return;
    }
    m_legalText = text;
    m_stops = allowed.stops();
    const QString tip = toolTip(allowed);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_label, m_symbol, m_slider, m_box}) {
        widget->setToolTip(tip);
    }
    m_slider->setPageStep(std::max(1, static_cast<int>(m_stops.size()) / 10));
    m_slider->setAccessibleDescription(tr("positions among the legal values: %1").arg(text));
}

void SliderEditor::setVisible(bool visible)
{
    for (QWidget* widget :
         std::initializer_list<QWidget*>{m_label, m_symbol, m_slider, m_box, m_hint}) {
        if (widget->isHidden() == visible) {
            widget->setVisible(visible);
        }
    }
}

ChoiceEditor::ChoiceEditor(Document& document, const Parameter& parameter, QWidget& parent)
    : ParameterEditor(document, parameter, &parent)
    , m_label(new QLabel(fromUtf8(parameter.text.label), &parent))
    , m_combo(new QComboBox(&parent))
{
    const QString spoken = tr("%1, %2").arg(fromUtf8(parameter.text.label), groupOf(parameter));
    name(*m_label, "label", spoken);
    name(*m_combo, "combo", tr("choice of %1").arg(spoken));
    m_combo->setFocusPolicy(Qt::StrongFocus);
    m_combo->installEventFilter(new WheelGuard(m_combo));
    m_label->setBuddy(m_combo);
    m_combo->setFixedHeight(kControlHeight);
    m_combo->setMinimumWidth(kLeastCombo);
    connect(m_combo, &QComboBox::activated, this, &ChoiceEditor::choose);
    show(parameter);
}

void ChoiceEditor::choose(int index)
{
    set(m_combo->itemText(index).toStdString());
}

void ChoiceEditor::show(const Parameter& parameter)
{
    take(parameter);
    const LegalValues allowed = legal();
    const QString text = QString::fromStdString(allowed.text());
    const QSignalBlocker blocker(m_combo);
    if (text != m_legalText) {
        m_legalText = text;
        m_combo->clear();
        for (const std::string_view choice : allowed.names()) {
            m_combo->addItem(fromUtf8(choice));
        }
        m_combo->setToolTip(toolTip(allowed));
        m_label->setToolTip(m_combo->toolTip());
    }
    m_combo->setCurrentText(boxText(value()));
    m_label->setVisible(applies());
    m_combo->setVisible(applies());
}

FlagEditor::FlagEditor(Document& document, const Parameter& parameter, QWidget& parent)
    : ParameterEditor(document, parameter, &parent)
    , m_box(new QCheckBox(fromUtf8(parameter.text.label), &parent))
{
    name(*m_box, "check", tr("%1, %2").arg(fromUtf8(parameter.text.label), groupOf(parameter)));
    connect(m_box, &QCheckBox::toggled, this, [this](bool checked) { set(checked); });
    show(parameter);
}

void FlagEditor::show(const Parameter& parameter)
{
    take(parameter);
    const QSignalBlocker blocker(m_box);
    const LegalValues allowed = legal();
    const bool checked = std::get<bool>(value());
    m_box->setChecked(checked);
    m_box->setEnabled(checked || allowed.contains(true));
    m_box->setToolTip(toolTip(allowed));
    m_box->setVisible(applies());
}

} // namespace flopsmith::ui
