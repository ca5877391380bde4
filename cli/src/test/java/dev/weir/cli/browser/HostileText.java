package dev.weir.cli.browser;

import java.util.List;

/** Texts that break pages which do not treat data as text. */
final class HostileText {
    static final List<String> ALL = List.of(
            "<script>alert(1)</script>",
            "<img src=x onerror=alert(1)>",
            "\"><svg onload=alert(1)>",
            "' onmouseover='alert(1)",
            "javascript:alert(1)",
            "<a href=\"javascript:alert(1)\">click</a>",
            "<iframe src=\"//example.invalid\"></iframe>",
            "<base href=\"//example.invalid/\">",
            "<meta http-equiv=\"refresh\" content=\"0\">",
            "<style>*{display:none}</style>",
            "<link rel=stylesheet href=//example.invalid/a.css>",
            "</title><script>alert(1)</script>",
            "<!-- comment",
            "]]><x>",
            "&lt;b&gt;bold&lt;/b&gt;",
            "%3Cscript%3Ealert(1)%3C/script%3E",
            "{{7*7}}",
            "#{7*7}",
            "`${alert(1)}`",
            "'; drop table weir.runs; --",
            "../../../../etc/passwd",
            "\\u003cscript\\u003e",
            "__proto__",
            "constructor",
            "NaN",
            "?key=other&prefix=x#sign-in=y",
            "a+b%20c/d",
            "\u202Eright to left",
            "z\u0351\u036F\u0489\u0300\u0301\u0302\u0303algo",
            "\uD83E\uDD2F emoji \uD83D\uDC68\u200D\uD83D\uDC69\u200D\uD83D\uDC67");

    private HostileText() {}
}
