// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/run_panel.h"

#include "core/base/text.h"
#include "core/lab/results/verdict.h"
#include "ui/charts/base/drawing.h"
#include "ui/lab/lab_session.h"
#include "ui/lab/part_stack.h"
#include "ui/lab/rate_picker.h"
#include "ui/lab/result_actions.h"
#include "ui/lab/sample_writer.h"
#include "ui/widgets/layout/breakable.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace flopsmith::ui {
namespace {

QString numberOrDash(double value, int digits)
{
    return std::isfinite(value) ? toQt(fixedText(value, digits)) : QStringLiteral("–");
}

// Seconds of a step, by the last evaluation.
QString stepTime(const LoggedRun& run)
{
    if (run.points.empty() || run.points.back().step == 0) {
        return {};
    }
    const LoggedPoint& last = run.points.back();
    return RunPanel::tr("%1 a step")
        .arg(toQt(durationText(last.seconds / static_cast<double>(last.step))));
}

// Which is also what a screen reader says.
void write(QLabel& label, const QString& text)
{
    label.setText(text);
    label.setAccessibleName(text.isEmpty() ? RunPanel::tr("Nothing yet") : text);
}

// A paragraph for each text, with the arm that it begins with, up to the mark, in bold.
void writeOfArms(QLabel& label, const QStringList& texts, QLatin1Char mark)
{
    QString rich;
    for (const QString& text : texts) {
        const auto end = std::max<qsizetype>(0, text.indexOf(mark));
        QString rest = text.mid(end).toHtmlEscaped();
        rest.replace(QLatin1Char('\n'), QLatin1String("<br>"));
        rich += QStringLiteral("<p style=\"margin: 0 0 5px 0\"><b>%1</b>%2</p>")
                    .arg(text.left(end).toHtmlEscaped(), rest);
    }
    write(label, texts.join(QLatin1Char('\n')));
    label.setText(rich);
}

} // namespace

RunPanel::RunPanel(LabSession& session, SampleWriter& samples, QWidget* parent)
    : Panel(QStringLiteral("lab.now"), tr("Right now"), parent)
    , m_session(session)
    , m_samples(samples)
{
    auto* area = new QScrollArea(this);
    area->setObjectName(QStringLiteral("lab.now.area"));
    area->setAccessibleName(tr("Right now"));
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::StrongFocus); // for the keys that scroll
    auto* body = new QWidget(area);
    body->setObjectName(QStringLiteral("lab.now.body"));
    body->setAccessibleName(tr("Right now"));
    build(*body);
    area->setWidget(body);
    area->viewport()->setObjectName(QStringLiteral("lab.now.viewport"));
    area->viewport()->setAccessibleName(tr("Right now"));
    area->viewport()->setAutoFillBackground(false);
    body->setAutoFillBackground(false);
    auto* whole = new QWidget(this);
    whole->setObjectName(QStringLiteral("lab.now.whole"));
    whole->setAccessibleName(tr("Right now"));
    m_column = new QVBoxLayout(whole);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(8);
    m_column->addWidget(area, 1);
    setBody(whole);
    connect(&samples, &SampleWriter::written, this, &RunPanel::showSample);
    showLog();
    showRuns();
}

QLabel* RunPanel::addText(QWidget& parent, const QString& name, const QString& role)
{
    auto* label = new QLabel(&parent);
    label->setObjectName(QStringLiteral("lab.now.") + name);
    label->setProperty("role", role);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    write(*label, {});
    parent.layout()->addWidget(label);
    return label;
}

void RunPanel::build(QWidget& body)
{
    auto* column = new QVBoxLayout(&body);
    column->setContentsMargins(0, 0, 8, 0);
    column->setSpacing(5);
    m_runs = addText(body, QStringLiteral("runs"), {});
    m_runs->setTextFormat(Qt::RichText);
    m_partsTitle = addText(body, QStringLiteral("partsTitle"), QStringLiteral("section"));
    m_parts = new PartStack(&body);
    column->addWidget(m_parts);
    m_sampleTitle = addText(body, QStringLiteral("sampleTitle"), QStringLiteral("section"));
    m_sample = addText(body, QStringLiteral("sample"), {});
    m_sample->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_verdictTitle = addText(body, QStringLiteral("verdictTitle"), QStringLiteral("section"));
    m_verdicts = addText(body, QStringLiteral("verdicts"), {});
    m_verdicts->setTextFormat(Qt::RichText);
    m_verdicts->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addStretch(1);
}

QPushButton* RunPanel::addButton(const QString& name, const QString& text, const QString& help)
{
    auto* button = new QPushButton(text, m_buttons);
    button->setObjectName(QStringLiteral("lab.now.") + name);
    button->setAccessibleName(help);
    button->setToolTip(help);
    button->setProperty("narrow", true);
    m_buttons->layout()->addWidget(button);
    return button;
}

QPushButton* RunPanel::addButton(const QString& name, const QString& text, QMenu& menu)
{
    QPushButton* button = addButton(name, text, menu.accessibleName());
    connect(button, &QPushButton::clicked, this, [button, &menu] {
        Q_EMIT menu.aboutToShow(); // its height follows from its entries
        menu.popup(button->mapToGlobal(QPoint(0, -menu.sizeHint().height())));
    });
    return button;
}

void RunPanel::addButtons(ResultActions& results)
{
    m_buttons = new QWidget(this);
    m_buttons->setObjectName(QStringLiteral("lab.now.buttons"));
    m_buttons->setAccessibleName(tr("Results"));
    auto* line = new QHBoxLayout(m_buttons);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(6);
    addButton(QStringLiteral("export"), tr("Export"), results.exports());
    QAction& claims = results.claims();
    QPushButton* button = addButton(QStringLiteral("claims"), tr("Claims"), claims.toolTip());
    connect(button, &QPushButton::clicked, &claims, &QAction::trigger);
    const auto follow = [button, &claims] { button->setEnabled(claims.isEnabled()); };
    connect(&claims, &QAction::changed, button, follow);
    follow();
    addButton(QStringLiteral("checkpoint"), tr("Save checkpoint"), results.checkpoints());
    line->addStretch(1);
    m_column->addWidget(m_buttons);
}

void RunPanel::setView(LabView view)
{
    m_view = view;
    showVerdicts();
}

QString RunPanel::runLine(const LoggedRun& run, std::int64_t step) const
{
    const QString kind = run.key.seed == 0
        ? tr("tuning at %1").arg(learningRateText(run.key.rate))
        : tr("seed %1 at %2").arg(run.key.seed).arg(learningRateText(run.key.rate));
    QStringList facts;
    if (run.curves.count() > 0) {
        facts << tr("loss %1").arg(numberOrDash(run.curves.losses.back(), 2))
              << tr("|g| %1").arg(numberOrDash(run.curves.gradientNorms.back(), 2));
    }
    if (const QString time = stepTime(run); !time.isEmpty()) {
        facts << time;
    }
    const QString first =
        tr("%1, %2 · step %3/%4").arg(toQt(run.key.arm), kind).arg(step).arg(run.steps);
    return facts.isEmpty() ? first : first + QLatin1Char('\n') + facts.join(QStringLiteral(" · "));
}

void RunPanel::showRuns()
{
    QStringList lines;
    for (const RunUnderWay& each : m_session.runsUnderWay()) {
        const LoggedRun* run = m_session.log().run(each.key);
        if (run != nullptr) {
            const auto logged = run->curves.count();
            lines << runLine(*run, std::max(each.step, logged));
        }
    }
    const bool isComplete = m_session.state() == LabSession::State::complete;
    if (!lines.isEmpty()) {
        writeOfArms(*m_runs, lines, QLatin1Char(','));
        return;
    }
    write(*m_runs,
          isComplete                   ? tr("All runs are trained.")
              : m_session.isTiming()   ? tr("A training step of each arm is being timed.")
              : m_session.isTraining() ? tr("The next runs are starting.")
                                       : tr("Nothing is training. Press Train (Ctrl+T) to start."));
}

void RunPanel::showLog()
{
    showParts();
    showSample();
    showVerdicts();
}

// Of a run under way, or the last one that said it.
void RunPanel::showParts()
{
    const LoggedRun* shown = nullptr;
    for (const LoggedRun& run : m_session.log().runs) {
        const bool isOlder =
            shown != nullptr && shown->end == RunEnd::open && run.end != RunEnd::open;
        shown = run.parts.empty() || isOlder ? shown : &run;
    }
    m_partsTitle->setVisible(shown != nullptr);
    m_parts->setVisible(shown != nullptr);
    if (shown != nullptr) {
        write(*m_partsTitle, tr("Gradient norm of each part: %1").arg(toQt(shown->key.arm)));
        const Arm* arm = m_session.plan().arm(shown->key.arm);
        m_parts->setParts(shown->parts, arm != nullptr ? arm->ffn : FfnSpec());
    }
}

void RunPanel::showSample()
{
    const bool hasText = !m_samples.text().isEmpty();
    m_sampleTitle->setVisible(hasText);
    m_sample->setVisible(hasText);
    write(*m_sampleTitle, tr("It writes (%1)").arg(m_samples.source()));
    write(*m_sample, QStringLiteral("“%1”").arg(m_samples.text()));
    m_sample->setText(breakable(m_sample->text())); // its words may be longer than a line
}

void RunPanel::showVerdicts()
{
    QStringList sentences;
    bool isAny = false;
    const Score score = info(m_session.plan().task).score;
    const LabResults results = labResults(m_session.log(), m_view);
    for (const ArmResult& arm : results.arms) {
        isAny = isAny || !arm.points.empty() || arm.gaveUp || arm.diverged > 0;
        if (arm.arm.role == ArmRole::chosen) {
            sentences << toQt(armVerdict(arm, results, score));
        }
    }
    if (isAny) {
        sentences << toQt(limitsText(m_session.log(), results));
    }
    m_verdictTitle->setVisible(isAny);
    m_verdicts->setVisible(isAny);
    write(*m_verdictTitle, tr("So far, at equal %1").arg(toQt(viewName(m_view))));
    writeOfArms(*m_verdicts, sentences, QLatin1Char(':'));
}

} // namespace flopsmith::ui

#include "moc_run_panel.cpp"
