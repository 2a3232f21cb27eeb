// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/chart_pages/shown_table_model.h"
#include "ui/document/designs.h"
#include "ui/document/throttle.h"
#include "ui/jobs/stored_passes.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/table/figures_view.h"

QT_BEGIN_NAMESPACE
class QLabel;
class QTabBar;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// The differences between the compared designs and the live one: every figure, the parameters that
/// differ, and each stack aligned with the live one's. Hidden while there are none, and computed
/// only while it is visible.
class ComparisonTables : public Panel
{
    Q_OBJECT

public:
    ComparisonTables(Document& document, Designs& designs, QWidget* parent = nullptr);

    QTabBar& tabs() { return *m_tabs; }
    FiguresView& table() { return *m_table; }
    ShownTableModel& model() { return *m_model; }

    /// From now on the store's times for this device are compared too.
    void compareTimesOn(const Device& device, const std::filesystem::path& store);

    /// Looks them up again.
    void timesMeasured();

    /// Shows pending changes now.
    void flush() { m_update.flush(); }

Q_SIGNALS:
    /// Rows were copied: "3 rows copied".
    void copied(const QString& sentence);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void createTabs();
    void createTable();
    QLabel* createCaption(QWidget* body);
    void showTabs();
    void changed();
    void refresh();
    void addTimes(std::vector<ComparedDesign>& designs);

    Document& m_document;
    Designs& m_designs;
    QTabBar* m_tabs = nullptr;
    FiguresView* m_table = nullptr;
    ShownTableModel* m_model = nullptr;
    QLabel* m_caption = nullptr;
    Device m_device; ///< the device of compared times
    std::filesystem::path m_storeFile; ///< empty: no store
    Throttle m_update;
    StoredPasses m_passes;
};

} // namespace flopsmith::ui
