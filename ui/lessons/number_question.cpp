// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/number_question.h"

#include "core/base/text.h"

#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace flopsmith::ui {
namespace {

constexpr int kStopsPerDecade = 50;
constexpr double kLargeNumber = 1.6; ///< relative to ordinary text

// The number with three significant digits, as it is read.
double readable(double number)
{
    const double unit = std::pow(10.0, std::floor(std::log10(number)) - 2.0);
    return std::round(number / unit) * unit;
}

} // namespace

NumberQuestion::NumberQuestion(const LessonPlay& play, QWidget* parent)
    : QuestionWidget(parent)
    , m_from(play.current().ask()->from)
    , m_to(play.current().ask()->to)
    , m_unit(QString::fromStdString(play.current().ask()->unit))
    , m_slider(new QSlider(Qt::Horizontal, this))
    , m_value(new QLabel(this))
    , m_take(new QPushButton(tr("That is my answer"), this))
{
    setObjectName(QStringLiteral("lesson.number"));
    setAccessibleName(tr("A number"));
    m_slider->setObjectName(QStringLiteral("lesson.number.slider"));
    m_slider->setAccessibleName(tr("Your number"));
    m_slider->setFocusPolicy(Qt::StrongFocus);
    const int stops =
        std::max(1, static_cast<int>(std::lround(kStopsPerDecade * std::log10(m_to / m_from))));
    m_slider->setRange(0, stops);
    m_slider->setSingleStep(kStopsPerDecade / 10);
    m_slider->setValue(stops / 2);
    m_value->setObjectName(QStringLiteral("lesson.number.value"));
    m_value->setTextFormat(Qt::PlainText);
    m_value->setWordWrap(true);
    m_take->setObjectName(QStringLiteral("lesson.number.take"));
    m_take->setAccessibleName(m_take->text());
    setFocusProxy(m_slider);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_slider);
    auto* below = new QHBoxLayout;
    below->addWidget(m_value, 1);
    below->addWidget(m_take);
    column->addLayout(below);
    if (const auto& before = play.prediction()) {
        if (const auto* number = std::get_if<double>(&*before)) {
            m_slider->setValue(
                static_cast<int>(std::lround(kStopsPerDecade * std::log10(*number / m_from))));
        }
    }
    connect(m_slider, &QSlider::valueChanged, this, [this] {
        showNumber();
        Q_EMIT predicted(number());
    });
    connect(m_take, &QPushButton::clicked, this, [this] { Q_EMIT predicted(number()); });
    enlarge();
    showNumber();
}

double NumberQuestion::number() const
{
    const double exact =
        m_from * std::pow(10.0, static_cast<double>(m_slider->value()) / kStopsPerDecade);
    return std::clamp(readable(exact), m_from, m_to);
}

void NumberQuestion::showNumber()
{
    m_value->setText(numberWithUnit(number(), m_unit));
    m_value->setAccessibleName(m_value->text());
}

void NumberQuestion::enlarge()
{
    QFont large = font();
    large.setPointSizeF(font().pointSizeF() * kLargeNumber);
    large.setWeight(QFont::DemiBold);
    m_value->setFont(large);
}

void NumberQuestion::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange) {
        enlarge();
    }
    QuestionWidget::changeEvent(event);
}

void NumberQuestion::reveal(const LessonPlay& play)
{
    m_slider->setEnabled(false);
    m_take->hide();
    const Result<Value> answer = play.answer();
    const std::optional<double> right = answer ? numberIn(*answer) : std::nullopt;
    if (!right) {
        return;
    }
    const bool predicted = play.prediction().has_value();
    m_value->setText(
        predicted ? tr("%1; you said %2")
                        .arg(numberWithUnit(*right, m_unit), numberWithUnit(number(), m_unit))
                  : numberWithUnit(*right, m_unit));
    m_value->setAccessibleName(m_value->text());
}

QString numberWithUnit(double number, const QString& unit)
{
    const ThreeDigits digits;
    const ShortNumber shown = shortNumber(number);
    return QStringLiteral("%1 %2%3")
        .arg(QString::fromStdString(shown.figure), QString::fromStdString(shown.prefix), unit)
        .trimmed();
}

} // namespace flopsmith::ui
