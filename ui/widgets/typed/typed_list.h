// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/typed/typed_list_model.h"

#include <QFrame>
#include <QPointer>

#include <functional>
#include <vector>

QT_BEGIN_NAMESPACE
class QLabel;
class QLineEdit;
class QListView;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// A box over its parent with an input line and the matching entries. Enter or a click runs the
/// current entry, Esc closes the box; both return the focus. A line below describes the current
/// entry, or says why it cannot be run.
class TypedList : public QFrame
{
    Q_OBJECT

public:
    /// `accessibleName` describes the expected input; it is also shown in the empty line.
    TypedList(const QString& name, const QString& accessibleName, QWidget& parent);

    /// Changes the description of the expected input.
    void setPrompt(const QString& accessibleName);

    /// Makes entries of the typed text itself; they come before those that match it.
    using Source = std::function<std::vector<TypedEntry>(const QString& query)>;
    void setSource(Source source) { m_source = std::move(source); }

    /// Shows the entries in this order until something is typed. The box is as high as it must be,
    /// at most as `place` (in the parent), into which it is moved.
    void open(std::vector<TypedEntry> entries, const QRect& place);

    /// Closes the box and returns the focus.
    void dismiss();

    QLineEdit& box() { return *m_box; }
    const std::vector<TypedRow>& rows() const { return m_model->rows(); }

    /// The index of the current row; −1 if nothing was found.
    int current() const;

    /// The text of the line below.
    QString note() const;

    bool eventFilter(QObject* watched, QEvent* event) override;

Q_SIGNALS:
    /// The entry with this id is about to run.
    void chosen(const QString& id);

private:
    void build();
    void showFound();
    void showNote();
    void fit();
    void setCurrent(int row);
    void runCurrent();
    bool takeKey(int key);
    int rowHeight() const;

    QLineEdit* m_box;
    QListView* m_list;
    QLabel* m_note;
    TypedListModel* m_model;
    Source m_source;
    std::vector<TypedEntry> m_entries;
    QRect m_place;
    QPointer<QWidget> m_before; ///< had the focus before
};

} // namespace flopsmith::ui
