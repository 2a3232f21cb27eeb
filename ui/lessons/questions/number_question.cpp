// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/questions/number_question.h"

#include "core/base/text.h"
#include "core/teach/play/localized_number.h"
#include "ui/lessons/base/lesson_words.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace flopsmith::ui {
namespace {

constexpr int kStopsPerDecade = 50;
constexpr double kLargeNumber = 1.6; ///< relative to ordinary text
constexpr int kLongestTyped = 60;

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
    , m_language(play.language())
    , m_slider(new QSlider(Qt::Horizontal, this))
    , m_value(new QLabel(this))
    , m_take(new QPushButton(lessonWordsIn(m_language).takeNumber, this))
    , m_typed(new QLineEdit(this))
    , m_wrong(new QLabel(this))
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
    m_value->setProperty("ownType", true);
    m_value->setTextFormat(Qt::PlainText);
    m_value->setWordWrap(true);
    m_take->setObjectName(QStringLiteral("lesson.number.take"));
    m_take->setAccessibleName(m_take->text());
    setFocusProxy(m_slider);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_slider);
    column->addWidget(m_value);
    addTyped(*column);
    if (const auto& before = play.prediction()) {
        if (const auto* number = std::get_if<double>(&*before)) {
            m_isPredicted = true;
            m_slider->setValue(stopOf(*number));
            if (this->number() != *number) { // not one of the scale
                m_typedNumber = *number;
            }
        }
    }
    connect(m_slider, &QSlider::valueChanged, this, [this] {
        m_typedNumber.reset();
        m_beforeTyping.reset();
        m_typed->clear();
        m_wrong->hide();
        showNumber();
        predict();
    });
    connect(m_take, &QPushButton::clicked, this, &NumberQuestion::predict);
    enlarge();
    showNumber();
}

int NumberQuestion::stopOf(double number) const
{
    const double stop = kStopsPerDecade * std::log10(number / m_from);
    return static_cast<int>(
        std::lround(std::clamp(stop, 0.0, static_cast<double>(m_slider->maximum()))));
}

void NumberQuestion::addTyped(QVBoxLayout& column)
{
    m_typed->setObjectName(QStringLiteral("lesson.number.typed"));
    m_typed->setAccessibleName(tr("Your number, typed"));
    m_typed->setPlaceholderText(
        lessonWordsIn(m_language)
            .typeNumber.arg(QString::fromStdString(localizedNumber("4.7 M", m_language))));
    m_typed->setMaxLength(kLongestTyped);
    m_wrong->setObjectName(QStringLiteral("lesson.number.wrong"));
    m_wrong->setTextFormat(Qt::PlainText);
    m_wrong->setWordWrap(true);
    m_wrong->setProperty("role", QStringLiteral("error"));
    m_wrong->hide();
    auto* line = new QHBoxLayout;
    line->addWidget(m_typed, 1);
    line->addWidget(m_take);
    column.addLayout(line);
    column.addWidget(m_wrong);
    connect(m_typed, &QLineEdit::textEdited, this, &NumberQuestion::takeTyped);
    connect(m_typed, &QLineEdit::editingFinished, this, &NumberQuestion::sayWhatIsWrong);
}

// Text that is not a number yet changes nothing.
void NumberQuestion::takeTyped()
{
    m_wrong->hide();
    if (m_typed->text().isEmpty()) {
        takeBack();
        return;
    }
    const Result<double> typed = typedNumber(m_typed->text().toStdString(), m_language);
    if (!typed || *typed <= 0.0) {
        return;
    }
    if (!m_beforeTyping) {
        m_beforeTyping = Shown{m_typedNumber, m_slider->value(), m_isPredicted};
    }
    m_typedNumber = *typed;
    const QSignalBlocker blocker(m_slider);
    m_slider->setValue(stopOf(*typed));
    showNumber();
    predict();
}

// As if nothing had been typed.
void NumberQuestion::takeBack()
{
    if (!m_beforeTyping) {
        return;
    }
    const Shown before = *std::exchange(m_beforeTyping, std::nullopt);
    m_typedNumber = before.typed;
    const QSignalBlocker blocker(m_slider);
    m_slider->setValue(before.stop);
    showNumber();
    if (before.isPrediction) {
        predict();
    } else {
        m_isPredicted = false;
        Q_EMIT withdrawn();
    }
}

void NumberQuestion::predict()
{
    m_isPredicted = true;
    Q_EMIT predicted(number());
}

void NumberQuestion::sayWhatIsWrong()
{
    if (m_typed->text().trimmed().isEmpty()) {
        return;
    }
    const Result<double> typed = typedNumber(m_typed->text().toStdString(), m_language);
    if (!typed || *typed <= 0.0) {
        m_wrong->setText(typed ? lessonWordsIn(m_language).numberAboveZero
                               : QString::fromStdString(typed.error().message));
        m_wrong->setAccessibleName(m_wrong->text());
        m_wrong->show();
    }
}

double NumberQuestion::number() const
{
    if (m_typedNumber) {
        return *m_typedNumber;
    }
    const double exact =
        m_from * std::pow(10.0, static_cast<double>(m_slider->value()) / kStopsPerDecade);
    return std::clamp(readable(exact), m_from, m_to);
}

void NumberQuestion::showNumber()
{
    m_value->setText(numberWithUnit(number(), m_unit, m_language));
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
    m_typed->hide();
    m_wrong->hide();
    const Result<Value> answer = play.answer();
    const std::optional<double> right = answer ? numberIn(*answer) : std::nullopt;
    if (!right) {
        return;
    }
    const bool predicted = play.prediction().has_value();
    const QString answerText = numberWithUnit(*right, m_unit, m_language);
    m_value->setText(predicted ? lessonWordsIn(m_language)
                                     .numberPredicted.arg(
                                         answerText, numberWithUnit(number(), m_unit, m_language))
                               : answerText);
    m_value->setAccessibleName(m_value->text());
}

QString numberWithUnit(double number, const QString& unit, const std::string& language)
{
    const ThreeDigits digits;
    const ShortNumber shown = shortNumber(number);
    return QStringLiteral("%1 %2%3")
        .arg(QString::fromStdString(localizedNumber(shown.figure, language)),
             QString::fromStdString(shown.prefix),
             unit)
        .trimmed();
}

} // namespace flopsmith::ui

#include "moc_number_question.cpp"
