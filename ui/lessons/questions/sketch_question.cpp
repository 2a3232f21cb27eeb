// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/questions/sketch_question.h"

#include "ui/lessons/questions/option_button.h"
#include "ui/lessons/questions/tally_text.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace flopsmith::ui {

SketchQuestion::SketchQuestion(const LessonPlay& play, QWidget* parent)
    : QuestionWidget(parent)
    , m_pad(new SketchPad({play.current().ask()->axis.from, play.current().ask()->axis.to},
                          sketchRange(*play.current().ask(), play.view().context),
                          static_cast<int>(play.current().ask()->curves.size()),
                          this))
{
    setObjectName(QStringLiteral("lesson.sketch"));
    setAccessibleName(tr("Your curves"));
    setFocusProxy(m_pad);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    addCurves(play, *column);
    column->addWidget(m_pad, 1);
    if (play.prediction()) {
        if (const auto* before = std::get_if<DrawnCurves>(&*play.prediction())) {
            m_pad->setDrawn(before->curves);
        }
    }
    connect(m_pad, &SketchPad::changed, this, [this] {
        if (m_pad->isComplete() && isEnabled()) {
            Q_EMIT predicted(DrawnCurves{m_pad->drawn()});
        }
    });
}

void SketchQuestion::addCurves(const LessonPlay& play, QVBoxLayout& column)
{
    auto* line = new QHBoxLayout;
    int number = 0;
    for (const SketchCurve& curve : play.current().ask()->curves) {
        const QString text =
            QStringLiteral("%1  %2").arg(optionLetter(number + 1), lessonText(play, curve.label));
        auto* button = new OptionButton(text, this);
        button->setObjectName(QStringLiteral("lesson.curve%1").arg(number + 1));
        button->setAccessibleName(tr("Draw %1").arg(text));
        button->setCheckable(true);
        button->setAutoExclusive(true);
        button->setChecked(number == 0);
        connect(button, &QPushButton::clicked, this, [this, number] {
            m_pad->setCurrent(number);
            m_pad->setFocus();
        });
        line->addWidget(button);
        ++number;
    }
    column.addLayout(line);
}

void SketchQuestion::reveal(const LessonPlay& play)
{
    setEnabled(false);
    if (const auto truth = play.curves()) {
        m_pad->setTruth(*truth);
    }
}

DecadeAxis sketchRange(const Ask& ask, const LessonContext& context)
{
    double low = 0.0;
    double high = 0.0;
    for (const SketchCurve& curve : ask.curves) {
        const Result<Expression> expression = Expression::parsed(curve.expression);
        const auto points = expression
            ? curveOf(*expression, context, ask.axis.parameter, ask.axis.from, ask.axis.to)
            : Result<std::vector<CurvePoint>>(expression.error());
        for (const CurvePoint& point : points ? *points : std::vector<CurvePoint>()) {
            if (point.y > 0.0) {
                low = low > 0.0 ? std::min(low, point.y) : point.y;
                high = std::max(high, point.y);
            }
        }
    }
    if (low <= 0.0) {
        return {};
    }
    return {std::pow(10.0, std::floor(std::log10(low)) - 1.0),
            std::pow(10.0, std::ceil(std::log10(high)) + 1.0)};
}

} // namespace flopsmith::ui

#include "moc_sketch_question.cpp"
