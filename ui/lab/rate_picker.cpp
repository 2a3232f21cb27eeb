// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/rate_picker.h"

#include "core/lab/progress/next_run.h"
#include "ui/charts/base/drawing.h"
#include "ui/lab/lab_session.h"
#include "ui/theme/type_scale.h"
#include "ui/widgets/values/stop_slider.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>

#include <algorithm>
#include <cmath>

namespace flopsmith::ui {
namespace {

constexpr int kSliderWidth = 96;
constexpr int kFirstPower = -5; ///< of ten
constexpr int kLastPower = 0;

// 1, 2, 3 and 5 in each power of ten.
std::vector<FieldValue> rates()
{
    std::vector<FieldValue> all;
    for (int power = kFirstPower; power < kLastPower; ++power) {
        for (const double digit : {1.0, 2.0, 3.0, 5.0}) {
            all.emplace_back(digit * std::pow(10.0, power));
        }
    }
    all.emplace_back(1.0);
    return all;
}

} // namespace

QString learningRateText(double rate)
{
    if (!(rate > 0.0)) {
        return QStringLiteral("0");
    }
    int power = static_cast<int>(std::floor(std::log10(rate) + 1e-9));
    double digit = std::round(rate / std::pow(10.0, power) * 10.0) / 10.0;
    if (digit >= 10.0) {
        digit = 1.0;
        ++power;
    }
    return QStringLiteral("%1e%2").arg(QString::number(digit, 'g', 2)).arg(power);
}

RatePicker::RatePicker(LabSession& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_auto(new QCheckBox(tr("tune learning &rate"), this))
    , m_slider(new StopSlider(this))
    , m_text(new QLabel(this))
{
    setObjectName(QStringLiteral("lab.rate"));
    setAccessibleName(tr("Learning rate"));
    m_auto->setObjectName(QStringLiteral("lab.rate.auto"));
    m_auto->setAccessibleName(tr("Find the learning rate of each arm"));
    m_auto->setToolTip(
        tr("Each arm gets its own learning rate: the best of five to seven, tried with seed 0.\n"
           "Set by hand, it is the same for all arms, and training restarts."));
    m_slider->setObjectName(QStringLiteral("lab.rate.slider"));
    m_slider->setAccessibleName(tr("Learning rate of all arms"));
    m_slider->setFixedWidth(scaledToType(kSliderWidth, *this));
    m_text->setObjectName(QStringLiteral("lab.rate.text"));
    m_text->setProperty("role", QStringLiteral("figure"));
    m_text->setTextFormat(Qt::PlainText);
    m_text->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("around 3.2e-3 ")));
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(8);
    line->addWidget(m_auto);
    line->addWidget(m_slider);
    line->addWidget(m_text);
    connect(m_auto, &QCheckBox::toggled, this, [this](bool on) {
        take(on, on ? 3e-3 : m_session.plan().baseRate);
    });
    connect(m_slider, &QSlider::valueChanged, this, [this] {
        m_text->setText(learningRateText(chosen()));
        if (!m_slider->isSliderDown()) {
            take(false, chosen());
        }
    });
    connect(m_slider, &QSlider::sliderReleased, this, [this] { take(false, chosen()); });
    connect(&session, &LabSession::planChanged, this, &RatePicker::showRate);
    showRate();
}

double RatePicker::chosen() const
{
    return std::get<double>(m_slider->stops().at(static_cast<std::size_t>(m_slider->value())));
}

void RatePicker::take(bool tunes, double rate)
{
    const bool hadRuns = !m_session.log().runs.empty();
    const LabPlan before = m_session.plan();
    const Status done = m_session.change([&](LabPlan& plan, std::vector<Arm>&) {
        plan.tunes = tunes;
        plan.baseRate = rate;
    });
    if (!done) {
        Q_EMIT refused(toQt(done.error().message));
    } else if (hadRuns && m_session.plan() != before) {
        Q_EMIT begunAnew();
    }
    showRate();
}

void RatePicker::showRate()
{
    const LabPlan& plan = m_session.plan();
    const QSignalBlocker noToggle(m_auto);
    const QSignalBlocker noMove(m_slider);
    m_auto->setChecked(plan.tunes);
    if (m_slider->isSliderDown()) {
        return;
    }
    std::optional<double> rate = plan.baseRate;
    QString text = learningRateText(plan.baseRate);
    QString help;
    if (plan.tunes) {
        const std::vector<RunUnderWay> runs = m_session.runsUnderWay();
        const std::string arm = runs.empty() ? plan.arms.front().name : runs.front().key.arm;
        rate = tunedRate(m_session.log(), arm);
        text = rate ? learningRateText(*rate) : tr("around %1").arg(text);
        help = rate ? tr("found for %1") : tr("not found for %1 yet");
        help = help.arg(toQt(arm));
    }
    m_text->setToolTip(help);
    m_text->setText(text);
    m_text->setAccessibleName(tr("Learning rate: %1").arg(text));
    m_slider->show(rates(), rate.value_or(plan.baseRate), text);
    m_slider->setEnabled(!plan.tunes);
}

} // namespace flopsmith::ui

#include "moc_rate_picker.cpp"
