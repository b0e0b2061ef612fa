//! The words in other languages than English.
//!
//! Each language counts by its own rule, from the plural rules of the Unicode CLDR: French, Spanish and Portuguese have a
//! form for whole millions, Arabic has six forms, Japanese and Chinese one.

use super::texts::{Shown, Texts, grouped};
use crate::paginator::Total;

/// What a language says, with the number of results where it counts them.
struct Words {
    language: &'static str,
    is_right_to_left: bool,
    pagination: &'static str,
    previous: &'static str,
    next: &'static str,
    page: fn(u64) -> String,
    load_more: &'static str,
    /// The separator between each three digits, and the fewest digits of a number that has one.
    grouping: (&'static str, usize),
    empty: &'static str,
    empty_page: &'static str,
    /// A sentence that says how many results there are, after `empty_page`.
    there_are: fn(u64, &str) -> String,
    /// The results from one position to another, and those of a single position.
    range: fn(&str, &str) -> String,
    single: fn(&str) -> String,
    /// The number of results on a cursor page, with the noun in its form for this number.
    rows: fn(u64, &str) -> String,
    /// A number of shown results, followed by the number of all.
    of: fn(&str, &str) -> String,
    /// The number of all, depending on what is known of it.
    exact: fn(&str) -> String,
    at_least: fn(&str) -> String,
    about: fn(&str) -> String,
}

impl Words {
    fn number(&self, number: u64) -> String {
        let (separator, fewest) = self.grouping;
        if number.to_string().len() < fewest { number.to_string() } else { grouped(number, separator) }
    }

    fn summary(&self, shown: Shown) -> String {
        let number = |rows| self.number(rows);
        let of_all = |shown: String, total: Option<Total>| match total {
            None => shown,
            Some(Total::Exact(rows)) => (self.of)(&shown, &(self.exact)(&number(rows))),
            Some(Total::AtLeast(rows)) => (self.of)(&shown, &(self.at_least)(&number(rows))),
            Some(Total::Estimated(rows)) => (self.of)(&shown, &(self.about)(&number(rows))),
        };
        match shown {
            Shown::Empty => self.empty.to_owned(),
            Shown::Beyond { total: None } => self.empty_page.to_owned(),
            Shown::Beyond { total: Some(rows) } => {
                format!("{}{}", self.empty_page, (self.there_are)(rows, &number(rows)))
            }
            Shown::Range { from, to, total } if from == to => {
                of_all((self.single)(&number(from)), total.map(Total::Exact))
            }
            Shown::Range { from, to, total } => {
                of_all((self.range)(&number(from), &number(to)), total.map(Total::Exact))
            }
            Shown::Rows { count, total } => of_all((self.rows)(count, &number(count)), total),
        }
    }
}

/// The noun after a number in a language with a form for one, one for whole millions, and one for the rest.
fn romance(number: u64, is_one: bool, one: &'static str, others: &'static str, millions: &'static str) -> &'static str {
    match number {
        _ if is_one => one,
        number if number > 0 && number.is_multiple_of(1_000_000) => millions,
        _ => others,
    }
}

/// Gives a language its type.
macro_rules! languages {
    ($($(#[$doc:meta])* $name:ident = $words:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        pub struct $name;

        impl Texts for $name {
            fn language(&self) -> &str {
                $words.language
            }

            fn is_right_to_left(&self) -> bool {
                $words.is_right_to_left
            }

            fn pagination(&self) -> &str {
                $words.pagination
            }

            fn previous(&self) -> &str {
                $words.previous
            }

            fn next(&self) -> &str {
                $words.next
            }

            fn page(&self, number: u64) -> String {
                ($words.page)(number)
            }

            fn load_more(&self) -> &str {
                $words.load_more
            }

            fn summary(&self, shown: Shown) -> String {
                $words.summary(shown)
            }
        }
    )*};
}

languages! {
    /// The words in German.
    ///
    /// ```
    /// use folio::html::{German, Shown, Texts};
    ///
    /// let shown = Shown::Range { from: 21, to: 40, total: Some(1_093) };
    /// assert_eq!(German.summary(shown), "21 bis 40 von 1.093");
    /// ```
    German = GERMAN;
    /// The words in French.
    ///
    /// ```
    /// use folio::html::{French, Shown, Texts};
    ///
    /// assert_eq!(French.summary(Shown::Rows { count: 1, total: None }), "1 résultat");
    /// ```
    French = FRENCH;
    /// The words in Spanish.
    ///
    /// ```
    /// use folio::html::{Shown, Spanish, Texts};
    ///
    /// assert_eq!(Spanish.summary(Shown::Rows { count: 20, total: None }), "20 resultados");
    /// ```
    Spanish = SPANISH;
    /// The words in Portuguese, as in Brazil.
    ///
    /// ```
    /// use folio::html::{Portuguese, Shown, Texts};
    ///
    /// assert_eq!(Portuguese.summary(Shown::Empty), "Nenhum resultado");
    /// ```
    Portuguese = PORTUGUESE;
    /// The words in Japanese.
    ///
    /// ```
    /// use folio::html::{Japanese, Shown, Texts};
    ///
    /// let shown = Shown::Range { from: 21, to: 40, total: Some(93) };
    /// assert_eq!(Japanese.summary(shown), "21～40件目／93件");
    /// ```
    Japanese = JAPANESE;
    /// The words in Chinese, in simplified characters.
    ///
    /// ```
    /// use folio::html::{Chinese, Shown, Texts};
    ///
    /// let shown = Shown::Range { from: 21, to: 40, total: Some(93) };
    /// assert_eq!(Chinese.summary(shown), "第 21 至 40 条，共 93 条");
    /// ```
    Chinese = CHINESE;
    /// The words in Arabic, which is written from right to left.
    ///
    /// ```
    /// use folio::html::{Arabic, Shown, Texts};
    ///
    /// assert!(Arabic.is_right_to_left());
    /// assert_eq!(Arabic.summary(Shown::Rows { count: 11, total: None }), "عرض 11 نتيجة");
    /// ```
    Arabic = ARABIC;
}

static GERMAN: Words = Words {
    language: "de",
    is_right_to_left: false,
    pagination: "Seitennavigation",
    previous: "Zurück",
    next: "Weiter",
    page: |number| format!("Seite {number}"),
    load_more: "Mehr laden",
    grouping: (".", 4),
    empty: "Keine Ergebnisse",
    empty_page: "Keine Ergebnisse auf dieser Seite",
    there_are: |rows, number| match rows {
        1 => ". Es gibt 1 Ergebnis.".to_owned(),
        _ => format!(". Es gibt {number} Ergebnisse."),
    },
    range: |from, to| format!("{from} bis {to}"),
    single: str::to_owned,
    rows: |rows, number| format!("{number} {}", if rows == 1 { "Ergebnis" } else { "Ergebnisse" }),
    of: |shown, all| format!("{shown} von {all}"),
    exact: str::to_owned,
    at_least: |rows| format!("mindestens {rows}"),
    about: |rows| format!("etwa {rows}"),
};

fn french_results(rows: u64, number: &str) -> String {
    format!("{number} {}", romance(rows, rows < 2, "résultat", "résultats", "de résultats"))
}

static FRENCH: Words = Words {
    language: "fr",
    is_right_to_left: false,
    pagination: "Pagination",
    previous: "Précédent",
    next: "Suivant",
    page: |number| format!("Page {number}"),
    load_more: "Afficher plus",
    // A narrow space that does not break.
    grouping: ("\u{202f}", 4),
    empty: "Aucun résultat",
    empty_page: "Aucun résultat sur cette page",
    there_are: |rows, number| format!(". Il y a {}.", french_results(rows, number)),
    range: |from, to| format!("{from} à {to}"),
    single: str::to_owned,
    rows: french_results,
    of: |shown, all| format!("{shown} sur {all}"),
    exact: str::to_owned,
    at_least: |rows| format!("au moins {rows}"),
    about: |rows| format!("environ {rows}"),
};

fn spanish_results(rows: u64, number: &str) -> String {
    format!("{number} {}", romance(rows, rows == 1, "resultado", "resultados", "de resultados"))
}

static SPANISH: Words = Words {
    language: "es",
    is_right_to_left: false,
    pagination: "Paginación",
    previous: "Anterior",
    next: "Siguiente",
    page: |number| format!("Página {number}"),
    load_more: "Cargar más",
    grouping: (".", 5),
    empty: "No hay resultados",
    empty_page: "No hay resultados en esta página",
    there_are: |rows, number| format!(". Hay {}.", spanish_results(rows, number)),
    range: |from, to| format!("{from} a {to}"),
    single: str::to_owned,
    rows: spanish_results,
    of: |shown, all| format!("{shown} de {all}"),
    exact: str::to_owned,
    at_least: |rows| format!("al menos {rows}"),
    about: |rows| format!("unos {rows}"),
};

fn portuguese_results(rows: u64, number: &str) -> String {
    format!("{number} {}", romance(rows, rows < 2, "resultado", "resultados", "de resultados"))
}

static PORTUGUESE: Words = Words {
    language: "pt-BR",
    is_right_to_left: false,
    pagination: "Paginação",
    previous: "Anterior",
    next: "Próxima",
    page: |number| format!("Página {number}"),
    load_more: "Carregar mais",
    grouping: (".", 4),
    empty: "Nenhum resultado",
    empty_page: "Nenhum resultado nesta página",
    there_are: |rows, number| format!(". Há {}.", portuguese_results(rows, number)),
    range: |from, to| format!("{from} a {to}"),
    single: str::to_owned,
    rows: portuguese_results,
    of: |shown, all| format!("{shown} de {all}"),
    exact: str::to_owned,
    at_least: |rows| format!("pelo menos {rows}"),
    about: |rows| format!("cerca de {rows}"),
};

static JAPANESE: Words = Words {
    language: "ja",
    is_right_to_left: false,
    pagination: "ページ送り",
    previous: "前へ",
    next: "次へ",
    page: |number| format!("{number}ページ目"),
    load_more: "もっと見る",
    grouping: (",", 4),
    empty: "該当なし",
    empty_page: "このページに表示する項目はありません",
    there_are: |_, number| format!("（全{number}件）"),
    range: |from, to| format!("{from}～{to}件目"),
    single: |position| format!("{position}件目"),
    rows: |_, number| format!("{number}件を表示"),
    of: |shown, all| format!("{shown}／{all}"),
    exact: |rows| format!("{rows}件"),
    at_least: |rows| format!("{rows}件以上"),
    about: |rows| format!("約{rows}件"),
};

static CHINESE: Words = Words {
    language: "zh-Hans",
    is_right_to_left: false,
    pagination: "分页",
    previous: "上一页",
    next: "下一页",
    page: |number| format!("第 {number} 页"),
    load_more: "加载更多",
    grouping: (",", 4),
    empty: "没有结果",
    empty_page: "本页没有结果",
    there_are: |_, number| format!("，共 {number} 条"),
    range: |from, to| format!("第 {from} 至 {to} 条"),
    single: |position| format!("第 {position} 条"),
    rows: |_, number| format!("显示 {number} 条"),
    of: |shown, all| format!("{shown}，共{all}条"),
    exact: |rows| format!(" {rows} "),
    at_least: |rows| format!("至少 {rows} "),
    about: |rows| format!("约 {rows} "),
};

/// The results that are shown. The noun is in the genitive, and two of them are a form of their own without the number.
fn arabic_results(rows: u64, number: &str) -> String {
    match (rows, rows % 100) {
        (1, _) => "نتيجة واحدة".to_owned(),
        (2, _) => "نتيجتين".to_owned(),
        (_, 3..=10) => format!("{number} نتائج"),
        _ => format!("{number} نتيجة"),
    }
}

static ARABIC: Words = Words {
    language: "ar",
    is_right_to_left: true,
    pagination: "ترقيم الصفحات",
    previous: "السابق",
    next: "التالي",
    page: |number| format!("الصفحة {number}"),
    load_more: "عرض المزيد",
    grouping: (",", 4),
    empty: "لا توجد نتائج",
    empty_page: "لا توجد نتائج في هذه الصفحة",
    there_are: |_, number| format!(". عدد النتائج: {number}"),
    range: |from, to| format!("عرض {from} إلى {to}"),
    single: |position| format!("عرض {position}"),
    rows: |rows, number| format!("عرض {}", arabic_results(rows, number)),
    of: |shown, all| format!("{shown} من أصل {all}"),
    exact: str::to_owned,
    at_least: |rows| format!("{rows} على الأقل"),
    about: |rows| format!("حوالي {rows}"),
};

#[cfg(test)]
mod tests {
    use super::super::English;
    use super::*;

    /// Numbers of rows, and what a language says for each.
    type Forms<'a> = &'a [(u64, &'a str)];

    /// The numbers at which each language changes the form of its noun.
    #[test]
    fn each_language_counts_by_its_own_rule() {
        let rows = |count| Shown::Rows { count, total: None };
        let cases: [(&dyn Texts, Forms<'_>); 8] = [
            (&English, &[(0, "Showing 0 results"), (1, "Showing 1 result"), (2, "Showing 2 results")]),
            (&German, &[(0, "0 Ergebnisse"), (1, "1 Ergebnis"), (2, "2 Ergebnisse")]),
            (
                &French,
                &[
                    (0, "0 résultat"),
                    (1, "1 résultat"),
                    (2, "2 résultats"),
                    (1_000_000, "1\u{202f}000\u{202f}000 de résultats"),
                    (1_000_001, "1\u{202f}000\u{202f}001 résultats"),
                ],
            ),
            (
                &Spanish,
                &[
                    (0, "0 resultados"),
                    (1, "1 resultado"),
                    (1_000, "1000 resultados"),
                    (2_000_000, "2.000.000 de resultados"),
                ],
            ),
            (&Portuguese, &[(0, "0 resultado"), (1, "1 resultado"), (1_000, "1.000 resultados")]),
            (&Japanese, &[(1, "1件を表示"), (1_000, "1,000件を表示")]),
            (&Chinese, &[(1, "显示 1 条"), (1_000, "显示 1,000 条")]),
            (
                &Arabic,
                &[
                    (0, "عرض 0 نتيجة"),
                    (1, "عرض نتيجة واحدة"),
                    (2, "عرض نتيجتين"),
                    (3, "عرض 3 نتائج"),
                    (10, "عرض 10 نتائج"),
                    (11, "عرض 11 نتيجة"),
                    (99, "عرض 99 نتيجة"),
                    (100, "عرض 100 نتيجة"),
                    (102, "عرض 102 نتيجة"),
                    (103, "عرض 103 نتائج"),
                ],
            ),
        ];
        for (texts, forms) in cases {
            for &(count, expected) in forms {
                assert_eq!(texts.summary(rows(count)), expected, "{}", texts.language());
            }
        }
    }

    #[test]
    fn a_total_that_is_not_exact_says_so() {
        let texts: [(&dyn Texts, [&str; 2]); 4] = [
            (&English, ["Showing 20 of 1,000 or more results", "Showing 20 of about 1,000 results"]),
            (&German, ["20 Ergebnisse von mindestens 1.000", "20 Ergebnisse von etwa 1.000"]),
            (&Japanese, ["20件を表示／1,000件以上", "20件を表示／約1,000件"]),
            (&Chinese, ["显示 20 条，共至少 1,000 条", "显示 20 条，共约 1,000 条"]),
        ];
        for (texts, expected) in texts {
            let totals = [Total::AtLeast(1_000), Total::Estimated(1_000)];
            let lines = totals.map(|total| texts.summary(Shown::Rows { count: 20, total: Some(total) }));
            assert_eq!(lines, expected);
        }
    }

    #[test]
    fn each_language_has_all_words() {
        let languages: [&dyn Texts; 8] =
            [&English, &German, &French, &Spanish, &Portuguese, &Japanese, &Chinese, &Arabic];
        for texts in languages {
            let fixed = [texts.language(), texts.pagination(), texts.previous(), texts.next(), texts.load_more()];
            assert!(fixed.iter().all(|text| !text.is_empty()), "{fixed:?}");
            assert!(texts.page(1_234).contains("1234"), "{}", texts.page(1_234));
            let totals = [Total::Exact(93), Total::AtLeast(93), Total::Estimated(93)].map(Some);
            let rows = totals.map(|total| Shown::Rows { count: 20, total });
            let range = Shown::Range { from: 20, to: 40, total: Some(93) };
            let single = Shown::Range { from: 93, to: 93, total: Some(93) };
            let mut lines: Vec<_> = rows.into_iter().chain([range, single]).map(|shown| texts.summary(shown)).collect();
            assert!(lines.iter().all(|line| line.contains("93")), "{lines:?}");
            lines.extend([Shown::Empty, Shown::Beyond { total: None }].map(|shown| texts.summary(shown)));
            assert!(texts.summary(Shown::Beyond { total: Some(93) }).contains("93"));
            lines.sort();
            lines.dedup();
            assert_eq!(lines.len(), 7, "{lines:?}");
        }
    }
}
