// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ffn/ffn.h"
#include "core/lab/plan/arms.h"

#include <QWidget>

#include <functional>
#include <optional>
#include <vector>

QT_BEGIN_NAMESPACE
class QMenu;
class QToolButton;
QT_END_NAMESPACE

namespace flopsmith::ui {

class ArmChip;
class FlowLayout;
class LabSession;

/// An FFN of the design at hand, and the width of its model.
struct DesignFfn
{
    FfnSpec ffn;
    int dModel = 768;
};

/// The arms of the lab as chips, and a menu of all that can be added.
class ArmRow : public QWidget
{
    Q_OBJECT

public:
    /// `design` says what an arm of the design would be; nothing where the design has none.
    ArmRow(LabSession& session,
           std::function<std::optional<DesignFfn>()> design,
           QWidget* parent = nullptr);

    const std::vector<ArmChip*>& chips() const { return m_chips; }
    QMenu& menu() { return *m_menu; }

    void updateIcons();

    /// The name of the arm that the design becomes.
    static constexpr const char* kDesignArm = "design";

Q_SIGNALS:
    void refused(const QString& sentence);

private:
    void fillMenu();
    void showArms();
    void add(const std::vector<Arm>& added);
    void addDesign();
    void remove(const std::string& name);

    LabSession& m_session;
    std::function<std::optional<DesignFfn>()> m_design;
    FlowLayout* m_flow;
    QToolButton* m_add;
    QMenu* m_menu;
    std::vector<ArmChip*> m_chips;
};

} // namespace flopsmith::ui
