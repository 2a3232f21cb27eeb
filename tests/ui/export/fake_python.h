// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <QFile>
#include <QTemporaryDir>

namespace flopsmith::ui::test {

/// A program that FLOPSMITH_PYTHON names while this lives.
class FakePython
{
public:
    FakePython() { names("/nowhere/python"); }
    ~FakePython()
    {
        if (m_wasNamed) {
            qputenv(kVariable, m_before);
        } else {
            qunsetenv(kVariable);
        }
    }
    FakePython(const FakePython&) = delete;
    FakePython& operator=(const FakePython&) = delete;

    /// Lines of a shell script.
    void does(const QByteArray& lines)
    {
        QFile file(path());
        ASSERT_TRUE(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write("#!/bin/sh\n" + lines + "\n");
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        file.close();
        names(QFile::encodeName(path()));
    }

    QString path() const { return m_folder.filePath(QStringLiteral("python")); }

private:
    static constexpr const char* kVariable = "FLOPSMITH_PYTHON";

    static void names(const QByteArray& program) { qputenv(kVariable, program); }

    const bool m_wasNamed = qEnvironmentVariableIsSet(kVariable);
    const QByteArray m_before = qgetenv(kVariable);
    QTemporaryDir m_folder;
};

} // namespace flopsmith::ui::test
