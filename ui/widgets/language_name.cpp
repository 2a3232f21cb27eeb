// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/language_name.h"

#include <QLocale>

namespace flopsmith::ui {

QString languageName(const std::string& code)
{
    const QString wanted = QString::fromStdString(code);
    const QLocale::Language language = QLocale::codeToLanguage(wanted);
    const QString name = language == QLocale::English
        ? QLocale::languageToString(language) // Qt adds a country to its own name
        : QLocale(language).nativeLanguageName();
    return language == QLocale::AnyLanguage || name.isEmpty() ? wanted : name;
}

} // namespace flopsmith::ui
