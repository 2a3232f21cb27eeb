// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/arm_row.h"

#include "core/lab/results/learned_claims.h"
#include "core/lab/results/verdict.h"
#include "core/present/lab/lab_chart.h"
#include "ui/charts/base/drawing.h"
#include "ui/lab/arm_chip.h"
#include "ui/lab/lab_session.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/layout/flow_layout.h"
#include "ui/widgets/menu_heading.h"

#include <QAction>
#include <QApplication>
#include <QMenu>
#include <QToolButton>

#include <algorithm>

namespace flopsmith::ui {
namespace {

constexpr int kArmGap = 6;

// What an arm is, and what a reader of its results should know.
QString helpOf(const Arm& arm, int dModel)
{
    const auto known = std::ranges::find(armNames(), arm.name, &ArmName::name);
    QStringList lines;
    if (known != armNames().end()) {
        lines << toQt(known->help);
    } else if (arm.role == ArmRole::narrowed) {
        lines << ArmRow::tr("a dense FFN at the FLOPs of an arm; in every comparison");
    } else if (arm.name == ArmRow::kDesignArm) {
        lines << ArmRow::tr("the FFN of the design at hand, at the width of the lab");
    }
    for (const std::string& note : armNotes(arm, dModel)) {
        lines << toQt(note);
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace

ArmRow::ArmRow(LabSession& session,
               std::function<std::optional<DesignFfn>()> design,
               QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_design(std::move(design))
    , m_flow(new FlowLayout(kArmGap, this))
    , m_add(new QToolButton(this))
    , m_menu(new QMenu(m_add))
{
    setObjectName(QStringLiteral("lab.arms"));
    setAccessibleName(tr("Arms"));
    m_add->setObjectName(QStringLiteral("lab.arms.add"));
    m_add->setText(tr("Add an arm"));
    m_add->setAccessibleName(m_add->text());
    m_add->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_add->setPopupMode(QToolButton::InstantPopup);
    m_add->setFocusPolicy(Qt::StrongFocus);
    m_menu->setObjectName(QStringLiteral("lab.arms.menu"));
    m_menu->setAccessibleName(m_add->text());
    m_add->setMenu(m_menu);
    m_flow->addWidget(m_add);
    fillMenu();
    showArms();
    updateIcons();
    connect(&session, &LabSession::planChanged, this, &ArmRow::showArms);
}

void ArmRow::fillMenu()
{
    QAction* design = m_menu->addAction(tr("The FFN of the &design at hand"));
    design->setObjectName(QStringLiteral("lab.add.design"));
    design->setProperty("generalName", tr("Add the FFN of the design at hand to the lab"));
    connect(design, &QAction::triggered, this, &ArmRow::addDesign);
    QAction* claimed = m_menu->addAction(tr("All FFNs of the &claims"));
    claimed->setObjectName(QStringLiteral("lab.add.claims"));
    claimed->setProperty("generalName", tr("Add all FFNs of the claims to the lab"));
    connect(claimed, &QAction::triggered, this, [this] {
        add(claimedArms(m_session.plan().sizes.dModel));
    });
    m_menu->addSeparator();
    for (const ArmName& arm : armNames()) {
        if (arm.name == kNoFfnArm || arm.name == kLinearArm) {
            continue; // always there
        }
        QAction* action = submenuOf(*m_menu, toQt(arm.group))
                              .addAction(tr("Arm %1: %2").arg(toQt(arm.name), toQt(arm.help)));
        action->setObjectName(QStringLiteral("lab.add.") + toQt(arm.name));
        const std::string name(arm.name);
        connect(action, &QAction::triggered, this, [this, name] {
            add({{.name = name, .ffn = armNamed(name, m_session.plan().sizes.dModel).value()}});
        });
    }
}

void ArmRow::add(const std::vector<Arm>& added)
{
    const Status done = m_session.change([&](LabPlan&, std::vector<Arm>& arms) {
        for (const Arm& each : added) {
            const auto same = std::ranges::find(arms, each.name, &Arm::name);
            if (same == arms.end()) {
                arms.push_back(each);
            } else {
                same->ffn = each.ffn; // of another design
            }
        }
    });
    if (!done) {
        Q_EMIT refused(toQt(done.error().message));
    }
}

void ArmRow::addDesign()
{
    const std::optional<DesignFfn> design = m_design();
    if (!design || holds_alternative<NoFfn>(design->ffn)) {
        Q_EMIT refused(tr("The design at hand has no block with an FFN: there is no arm in it."));
        return;
    }
    add({{.name = kDesignArm,
          .ffn = ffnAtWidth(design->ffn, design->dModel, m_session.plan().sizes.dModel)}});
}

void ArmRow::remove(const std::string& name)
{
    m_session
        .change([&](LabPlan&, std::vector<Arm>& arms) {
            std::erase_if(arms, [&](const Arm& arm) { return arm.name == name; });
        })
        .ok();
    (m_chips.empty() || !m_chips.front()->isChosen() ? static_cast<QWidget*>(m_add)
                                                     : m_chips.front())
        ->setFocus();
}

void ArmRow::showArms()
{
    for (ArmChip* chip : m_chips) {
        chip->hide(); // it may be the one whose key is being handled
        chip->setObjectName({});
        m_flow->removeWidget(chip);
        chip->deleteLater();
    }
    m_chips.clear();
    const LabPlan& plan = m_session.plan();
    for (const ArmRole role : {ArmRole::chosen, ArmRole::control, ArmRole::narrowed}) {
        for (const Arm& arm : plan.arms) {
            if (arm.role != role) {
                continue;
            }
            auto* chip = new ArmChip(labSeriesOf(plan, arm), helpOf(arm, plan.sizes.dModel), this);
            m_flow->insertWidget(static_cast<int>(m_chips.size()), chip);
            connect(chip, &ArmChip::removed, this, [this, name = arm.name] { remove(name); });
            chip->show();
            m_chips.push_back(chip);
        }
    }
    updateGeometry();
}

void ArmRow::updateIcons()
{
    m_add->setIcon(themedIcon(QStringLiteral("plus"), systemTheme().mutedText));
}

} // namespace flopsmith::ui

#include "moc_arm_row.cpp"
