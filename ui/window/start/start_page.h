// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QTimer>

#include <functional>

QT_BEGIN_NAMESPACE
class QLabel;
class QLineEdit;
class QListView;
class QModelIndex;
class QSortFilterProxyModel;
class QVBoxLayout;
QT_END_NAMESPACE

namespace flopsmith::ui {

class Document;
class FileOpening;
class PresetModel;

/// A sheet over the window with what one can start from: an empty model, a file, the clipboard,
/// recent files, and the presets as cards that a filter narrows down. Closes when something was
/// opened.
class StartPage : public QDialog
{
    Q_OBJECT

public:
    StartPage(const Document& document, FileOpening& files, QWidget& window);

Q_SIGNALS:
    void lessonsRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* createChoices();
    void addChoice(QVBoxLayout& column,
                   const QString& name,
                   const QString& text,
                   const std::function<void()>& act);
    void addRecent(QVBoxLayout& column);
    QLayout* createCards();
    QLayout* createKinds();
    void narrow(const QString& words);
    void choose(const QModelIndex& card);
    void paste();
    void say(const QString& sentence);
    void closeIf(bool opened);

    FileOpening& m_files;
    PresetModel* m_presets;
    QSortFilterProxyModel* m_narrowed;
    QLineEdit* m_filter;
    QListView* m_cards;
    QLabel* m_message;
    QTimer m_counting; ///< counts one card whenever nothing else is to do
};

} // namespace flopsmith::ui
