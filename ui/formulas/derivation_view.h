// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formula/derivation.h"
#include "ui/document/document.h"

#include <QStringList>
#include <QWidget>

#include <optional>

QT_BEGIN_NAMESPACE
class QLabel;
class QPushButton;
QT_END_NAMESPACE

namespace flopsmith::ui {

class LiveSheet;

/// The derivation of the model's cost under the document's lens, a step at a time: "Next step" or
/// Right opens one more, "Back" or Left closes the last, "All" opens all. The letters can be moved.
/// It is computed on refresh(), on the GUI thread.
class DerivationView : public QWidget
{
    Q_OBJECT

public:
    explicit DerivationView(Document& document, QWidget* parent = nullptr);

    /// Derives again; as many steps stay open. `keys` as in movableSymbols().
    void refresh(const std::optional<QStringList>& keys);

    /// Opens so many more steps, or closes some. False at the ends, where nothing changes.
    bool advance(int by);
    void showAll();

    int shown() const { return m_shown; }
    int count() const { return static_cast<int>(m_derivation.steps.size()); }
    const Derivation& derivation() const { return m_derivation; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QPushButton* button(const char* name, const QString& text);
    void addButtons();
    void setShown(int steps);
    void showSteps();

    Document& m_document;
    LiveSheet* m_sheet;
    QPushButton* m_back;
    QPushButton* m_next;
    QPushButton* m_all;
    QLabel* m_place;
    Derivation m_derivation;
    QString m_problem; ///< why there is no derivation
    std::optional<QStringList> m_keys;
    int m_shown = 1;
};

} // namespace flopsmith::ui
