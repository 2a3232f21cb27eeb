// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/share/qr_code.h"

#include <QDialog>

#include <optional>

QT_BEGIN_NAMESPACE
class QHBoxLayout;
class QLabel;
class QVBoxLayout;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// "Share": the document as code, as link and as QR code of the link, to copy and to save. Of a code
/// that is too long to be scanned it says so in place of the picture.
class ShareDialog : public QDialog
{
    Q_OBJECT

public:
    ShareDialog(const QString& code, QWidget& window);

    /// Writes the picture as SVG or, for any other ending, as PNG; says whether that worked.
    bool savePicture(const QString& path);

private:
    void addLine(QVBoxLayout& rows, const QString& name, const QString& title, const QString& text);
    void addPicture(QVBoxLayout& rows, const QString& link);
    QHBoxLayout* createButtons();
    void askAndSave();

    std::optional<QrCode> m_picture;
    QLabel* m_result;
};

} // namespace flopsmith::ui
