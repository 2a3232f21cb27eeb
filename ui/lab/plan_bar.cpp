// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/plan_bar.h"

#include "ui/charts/base/drawing.h"
#include "ui/lab/lab_session.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/theme/type_scale.h"
#include "ui/widgets/chip.h"

#include <QAction>
#include <QApplication>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace flopsmith::ui {
namespace {

constexpr std::array<const char*, 3> kPresets{"nano", "micro", "small"};
constexpr double kGiga = 1e9; ///< budgets of FLOPs are whole GFLOPs here
constexpr std::int64_t kMaxSeeds = 100;
constexpr std::int64_t kMaxSteps = 1'000'000;
constexpr std::int64_t kMaxGigaFlops = 1'000'000'000;
constexpr int kSeedsWidth = 44;
constexpr int kBudgetWidth = 78;

QString sizesText(const LabSizes& sizes)
{
    for (const char* name : kPresets) {
        if (sizesNamed(name).value() == sizes) {
            return QLatin1String(name);
        }
    }
    return PlanBar::tr("d %1, L %2").arg(sizes.dModel).arg(sizes.layers);
}

QString taskText(const TaskSpec& task)
{
    const auto* text = std::get_if<TextTask>(&task);
    return text != nullptr && !text->file.empty()
        ? PlanBar::tr("Text: %1").arg(QFileInfo(toQt(text->file)).fileName())
        : toQt(info(task).title);
}

bool bySteps(const LabPlan& plan)
{
    return plan.budget.kind == BudgetKind::steps;
}

} // namespace

// As the protocol has them.
std::int64_t usualSteps(const TaskSpec& task)
{
    return std::holds_alternative<TeacherTask>(task) ? 1'500 : 500;
}

PlanBar::PlanBar(LabSession& session, QWidget* parent)
    : QFrame(parent)
    , m_session(session)
    , m_column(new QVBoxLayout(this))
    , m_line(new QHBoxLayout)
    , m_back(new QToolButton(this))
    , m_task(new ChoiceChip(QStringLiteral("lab.task"), tr("Task"), tr("Task of the lab"), this))
    , m_sizes(
          new ChoiceChip(QStringLiteral("lab.sizes"), tr("Model"), tr("Sizes of the models"), this))
    , m_seeds(
          new NumberChip(QStringLiteral("lab.seeds"), tr("Seeds"), tr("Seeds of each arm"), this))
    , m_kind(new ChoiceChip(QStringLiteral("lab.kind"),
                            tr("Equal"),
                            tr("What each run may spend"),
                            this))
    , m_budget(new NumberChip(QStringLiteral("lab.budget"), QString(), tr("Budget of a run"), this))
    , m_more(new QToolButton(this))
    , m_files(new QMenu(m_more))
{
    setObjectName(QStringLiteral("lab.plan"));
    setAccessibleName(tr("Plan of the lab"));
    setProperty("panel", true);
    m_column->setContentsMargins(10, 8, 10, 9);
    m_column->setSpacing(8);
    m_line->setSpacing(6);
    m_column->addLayout(m_line);
    createBack();
    createTask();
    createSizes();
    createNumbers();
    createFiles();
    updateIcons();
    showPlan();
    connect(&session, &LabSession::planChanged, this, &PlanBar::showPlan);
}

// The title is the way back, as inside a block.
void PlanBar::createBack()
{
    m_back->setObjectName(QStringLiteral("lab.back"));
    setBack(tr("design"), tr("Back to the design"));
    m_back->setFocusPolicy(Qt::StrongFocus);
    connect(m_back, &QToolButton::clicked, this, &PlanBar::left);
    auto* name = new QLabel(tr("› Lab"), this);
    name->setObjectName(QStringLiteral("lab.name"));
    name->setAccessibleName(tr("Lab"));
    name->setProperty("role", QStringLiteral("title"));
    name->setTextFormat(Qt::PlainText);
    m_line->addWidget(m_back);
    m_line->addWidget(name);
    m_line->addStretch(1);
}

void PlanBar::setBack(const QString& name, const QString& help)
{
    m_back->setText(name);
    m_back->setAccessibleName(help);
    m_back->setToolTip(tr("%1 (Esc); what is trained goes on").arg(help));
}

void PlanBar::createTask()
{
    m_task->setCharacters(8, 26);
    for (const TaskSpec& task : taskPrototypes()) {
        const TaskInfo& about = info(task);
        QAction* action = m_task->choices().addAction(tr("Task: %1").arg(toQt(about.title)));
        action->setObjectName(QStringLiteral("lab.task.") + toQt(about.id));
        action->setToolTip(toQt(about.tests));
        connect(action, &QAction::triggered, this, [this, task] {
            change([&](LabPlan& plan, std::vector<Arm>&) {
                plan.task = task;
                if (bySteps(plan)) {
                    plan.budget.steps = usualSteps(task);
                }
            });
        });
    }
    m_task->choices().addSeparator();
    QAction* file = m_task->choices().addAction(tr("Task: text of a &file…"));
    file->setObjectName(QStringLiteral("lab.task.file"));
    connect(file, &QAction::triggered, this, &PlanBar::textFileRequested);
    m_task->choices().setToolTipsVisible(true);
    m_line->addWidget(m_task);
}

void PlanBar::createSizes()
{
    m_sizes->setCharacters(5, 10);
    for (const char* name : kPresets) {
        const LabSizes sizes = sizesNamed(name).value();
        QAction* action = m_sizes->choices().addAction(tr("Models of size %1: d %2, %3 layers")
                                                           .arg(QLatin1String(name))
                                                           .arg(sizes.dModel)
                                                           .arg(sizes.layers));
        action->setObjectName(QStringLiteral("lab.sizes.") + QLatin1String(name));
        connect(action, &QAction::triggered, this, [this, sizes] {
            change([&](LabPlan& plan, std::vector<Arm>& arms) {
                for (Arm& arm : arms) { // named ones as they are at this width
                    const Result<FfnSpec> named = armNamed(arm.name, sizes.dModel);
                    arm.ffn = named ? *named : ffnAtWidth(arm.ffn, plan.sizes.dModel, sizes.dModel);
                }
                plan.sizes = sizes;
            });
        });
    }
    m_line->addWidget(m_sizes);
}

void PlanBar::createNumbers()
{
    fitNumbers();
    takeNumber(*m_seeds, &PlanBar::setSeeds);
    takeNumber(*m_budget, &PlanBar::setBudget);
    m_kind->setCharacters(6, 7);
    for (const bool steps : {true, false}) {
        QAction* action =
            m_kind->choices().addAction(steps ? tr("Budget of a run in &steps: equal data")
                                              : tr("Budget of a run in &GFLOPs: equal cost"));
        action->setObjectName(steps ? QStringLiteral("lab.budget.steps")
                                    : QStringLiteral("lab.budget.flops"));
        connect(action, &QAction::triggered, this, [this, steps] { setBudgetKind(steps); });
    }
    m_line->addWidget(m_seeds);
    m_line->addWidget(m_kind);
    m_line->addWidget(m_budget);
}

void PlanBar::fitNumbers()
{
    m_seeds->box().setFixedWidth(scaledToType(kSeedsWidth, *this));
    m_budget->box().setFixedWidth(scaledToType(kBudgetWidth, *this));
}

void PlanBar::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        fitNumbers();
    }
}

void PlanBar::createFiles()
{
    m_more->setObjectName(QStringLiteral("lab.more"));
    m_more->setAccessibleName(tr("Files of the lab"));
    m_more->setToolTip(tr("Open and save labs and their logs"));
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setFocusPolicy(Qt::StrongFocus);
    m_files->setObjectName(QStringLiteral("lab.files"));
    m_files->setAccessibleName(tr("Files of the lab"));
    m_more->setMenu(m_files);
    m_line->addWidget(m_more);
}

void PlanBar::addRow(QWidget* row)
{
    m_column->addWidget(row);
}

template <class Edit>
void PlanBar::change(const Edit& edit)
{
    if (const Status done = m_session.change(edit); !done) {
        Q_EMIT refused(toQt(done.error().message));
        showPlan();
    }
}

void PlanBar::takeNumber(NumberChip& chip, void (PlanBar::*take)(std::int64_t))
{
    connect(&chip.box(), &ValueBox::edited, this, [this, take](const FieldValue& value) {
        (this->*take)(std::get<std::int64_t>(value));
    });
    connect(&chip.box(),
            &ValueBox::correctionRequested,
            this,
            [this, take, &chip](const FieldValue& typed) {
                (this->*take)(std::get<std::int64_t>(chip.box().legal().nearest(typed)));
                showPlan();
            });
}

void PlanBar::setSeeds(std::int64_t seeds)
{
    change([&](LabPlan& plan, std::vector<Arm>&) { plan.seeds = static_cast<int>(seeds); });
}

void PlanBar::setBudget(std::int64_t amount)
{
    change([&](LabPlan& plan, std::vector<Arm>&) {
        if (bySteps(plan)) {
            plan.budget.steps = amount;
        } else {
            plan.budget.flops = Count(amount) * static_cast<Count>(kGiga);
        }
    });
}

void PlanBar::setBudgetKind(bool steps)
{
    change([&](LabPlan& plan, std::vector<Arm>&) {
        if (steps == bySteps(plan)) {
            return;
        }
        constexpr Count kFirst = 500;
        plan.budget = steps
            ? LabBudget{.steps = usualSteps(plan.task)}
            : LabBudget{.kind = BudgetKind::flops, .flops = kFirst * static_cast<Count>(kGiga)};
    });
}

void PlanBar::showPlan()
{
    const LabPlan& plan = m_session.plan();
    m_task->setValue(taskText(plan.task));
    m_task->setToolTip(toQt(info(plan.task).definition));
    m_sizes->setValue(sizesText(plan.sizes));
    const LegalValues seeds = LegalValues::integers(1, kMaxSeeds);
    m_seeds->box().show(seeds, seeds.stops(), std::int64_t{plan.seeds});
    showBudget();
}

void PlanBar::showBudget()
{
    const LabPlan& plan = m_session.plan();
    m_kind->setValue(bySteps(plan) ? tr("steps") : tr("GFLOPs"));
    const LegalValues legal =
        LegalValues::integers(1, bySteps(plan) ? kMaxSteps : kMaxGigaFlops, Scale::log2);
    const auto flops = static_cast<std::int64_t>(toDouble(plan.budget.flops) / kGiga);
    m_budget->box().show(
        legal, legal.stops(), bySteps(plan) ? plan.budget.steps : std::max<std::int64_t>(1, flops));
}

void PlanBar::updateIcons()
{
    const Theme& theme = systemTheme();
    m_more->setIcon(themedIcon(QStringLiteral("more"), theme.mutedText));
}

} // namespace flopsmith::ui

#include "moc_plan_bar.cpp"
