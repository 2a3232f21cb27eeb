// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"
#include "ui/document/throttle.h"

#include <QObject>

namespace flopsmith::ui {

class StatusLine;

/// The parameters of the document's model and its cost under the lens, in the status line.
class CostFigures : public QObject
{
    Q_OBJECT

public:
    CostFigures(const Document& document, StatusLine& status, QObject* parent);

    /// Shows them now instead of with the next frame.
    void show();
    void flush() { m_update.flush(); }

Q_SIGNALS:
    void shown();

private:
    const Document& m_document;
    StatusLine& m_status;
    Throttle m_update;
};

} // namespace flopsmith::ui
