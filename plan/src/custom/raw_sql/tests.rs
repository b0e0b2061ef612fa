use super::*;
use crate::statement::condition::Condition;
use Dialect::{MySql, Postgres, Sqlite};

/// A caller's value.
#[derive(Debug)]
struct Number;

impl OpaqueValue for Number {
    fn to_key(&self) -> String {
        "7".to_owned()
    }

    fn postgres_type(&self) -> &str {
        "INT8"
    }
}

fn source(dialect: Dialect, text: &str, values: usize) -> Result<SqlSource> {
    SqlSource::new(&[text.into()], values, dialect).map(|(source, _)| source)
}

fn refusal(dialect: Dialect, text: &str, values: usize) -> String {
    source(dialect, text, values).map(|_| ()).map_err(|error| error.to_string()).expect_err(text)
}

/// Reads several texts as one list.
fn sources(dialect: Dialect, texts: &[&'static str]) -> Result<SqlSource> {
    let texts: Vec<_> = texts.iter().map(|text| (*text).into()).collect();
    SqlSource::new(&texts, 0, dialect).map(|(source, _)| source)
}

/// The text of a select of the source's rows, twice, and the copies of the caller's values.
fn written(dialect: Dialect, text: &str, values: usize) -> (String, Vec<(usize, Range<usize>)>) {
    let source = source(dialect, text, values).unwrap();
    let half = |derived: Select| derived.and(Condition::bare(Sql::new(dialect).name("id").push(" > ").constant(7)));
    let halves = source.arms().chain(source.arms()).map(half);
    source.finish(&union_of(dialect, halves, Union::All).sql())
}

#[test]
fn the_debug_text_has_the_number_of_values_and_not_the_values() {
    let values: Vec<Arc<dyn OpaqueValue>> = vec![Arc::new(Number), Arc::new(Number)];
    let debug = format!("{:?}", RawSql { texts: vec!["SELECT ?, ?".into()], values, checked_for: None });
    assert!(debug.starts_with("RawSql") && debug.contains("SELECT ?, ?") && debug.ends_with("values: 2 }"), "{debug}");
}

#[test]
fn text_that_cannot_be_a_list_is_refused() {
    for (text, expected) in [
        ("", "is empty"),
        ("-- nothing", "is empty"),
        ("SELECT 1;", "ends with a semicolon"),
        ("SELECT 1; -- end", "ends with a semicolon"),
        ("SELECT 1; DELETE FROM posts", "several statements"),
        ("DELETE FROM posts", "is not a SELECT"),
        ("EXPLAIN SELECT 1", "is not a SELECT"),
        ("WITH gone AS (DELETE FROM posts RETURNING id) SELECT * FROM gone", "changes rows"),
        ("WITH a AS (SELECT 1), gone(id) AS MATERIALIZED (UPDATE posts SET a = 1) SELECT 1", "changes rows"),
        ("WITH a AS (SELECT 1) DELETE FROM posts", "changes rows"),
        ("WITH a AS (SELECT 5 AS id) INSERT INTO posts SELECT id FROM a", "changes rows"),
        ("WITH a AS (SELECT 5 AS id) INSERT INTO posts VALUES (11)", "changes rows"),
        ("WITH a AS (SELECT 1) MERGE INTO posts USING a ON true WHEN MATCHED THEN DELETE", "changes rows"),
        ("WITH a AS (WITH x AS (SELECT 1) DELETE FROM t RETURNING id) SELECT id FROM a", "changes rows"),
        ("WITH a AS (WITH x AS (SELECT 1) UPDATE ONLY t SET id = 1 RETURNING id) SELECT id FROM a", "changes rows"),
        ("WITH a AS (SELECT 1)", "without a SELECT after it"),
        ("WITH a AS (SELECT * FROM t FOR UPDATE) SELECT id FROM a", "locks rows"),
        ("SELECT id FROM posts ORDER BY id", "has ORDER BY: remove it"),
        ("SELECT id FROM posts ORDER\nBY id", "has ORDER BY: remove it"),
        ("WITH a AS (SELECT 1) SELECT * FROM a ORDER BY 1", "has ORDER BY"),
        ("SELECT id FROM posts LIMIT 3", "has LIMIT, OFFSET or FETCH"),
        ("SELECT id FROM posts UNION SELECT 1 LIMIT 3", "has LIMIT, OFFSET or FETCH"),
        ("SELECT id FROM posts OFFSET 3", "has LIMIT, OFFSET or FETCH"),
        ("SELECT id FROM posts FETCH FIRST ROW ONLY", "has LIMIT, OFFSET or FETCH"),
        ("SELECT id FROM posts WHERE price > 1. LIMIT 3", "has LIMIT, OFFSET or FETCH"),
        ("SELECT score FROM posts ORDER BY score DESC LIMIT 100", "together with its ORDER BY"),
        ("SELECT id INTO copies FROM posts", "has INTO"),
        ("SELECT id FROM posts FOR UPDATE", "locks rows"),
        ("SELECT id FROM posts for no key update", "locks rows"),
        ("SELECT id FROM (SELECT id FROM posts FOR SHARE) AS p", "locks rows"),
        ("SELECT id FROM posts LOCK IN SHARE MODE", "locks rows"),
        ("SELECT 1) AS a, (SELECT 2", "closes a parenthesis"),
        ("SELECT (1", "parenthesis without an end"),
        ("SELECT 'a", "string without an end"),
        ("SELECT 'it''s", "string without an end"),
        ("SELECT 1 /* note", "comment without an end"),
    ] {
        for dialect in [Sqlite, Postgres, MySql] {
            let error = refusal(dialect, text, 0);
            assert!(error.contains(expected), "{dialect:?} {text}: {error}");
        }
    }
}

#[test]
fn keywords_with_another_meaning_are_accepted() {
    for text in [
        "SELECT t.limit, t.offset AS offset FROM t",
        "SELECT ';', 'ORDER BY', \"limit\" FROM t",
        "SELECT row_number() OVER (ORDER BY id) AS place FROM t",
        "SELECT id FROM (SELECT id FROM t ORDER BY id LIMIT 3) AS t",
        "SELECT substring(a FROM 1 FOR 3) AS a FROM t",
        "SELECT a FROM t -- the end; ORDER BY a",
        "SELECT /* ; LIMIT 3 */ a FROM t",
        "(SELECT a FROM t ORDER BY a LIMIT 3) UNION ALL (SELECT 1)",
        "VALUES (1), (2)",
        "WITH a AS (SELECT 1), b(c, d) AS (SELECT 1, 2) (SELECT * FROM a)",
        "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT i FROM n",
        "SELECT 'C:\\dir' AS path",
        "SELECT naïve, 'é' FROM t",
        "SELECT id FROM doors WHERE lock IN (1, 2)",
        "SELECT substring(title FOR share) AS title FROM t",
        "SELECT id, procedure, update, delete FROM t WHERE lower(update) = 'a' AND (delete = 1)",
        "SELECT insert(title, 1, 2, 'a') AS title FROM t",
    ] {
        for dialect in [Sqlite, Postgres, MySql] {
            assert!(source(dialect, text, 0).is_ok(), "{dialect:?} {text}: {}", refusal(dialect, text, 0));
        }
    }
}

#[test]
fn text_is_read_as_its_database_reads_it() {
    for (dialect, text, values) in [
        (Postgres, "SELECT $$ ; ' $$, $a$ $b$ ; $a$, $1", 1),
        (Postgres, "SELECT E'it\\'s ;', tags @> ARRAY['a'], a ? 'b', a ?| $1 FROM t", 1),
        (Postgres, "SELECT 1 /* a /* b ; */ c ; */", 0),
        (Postgres, "SELECT 1 /* ; */ + 2 /* ; */", 0),
        (MySql, "SELECT 1 /* a /* b ; */", 0),
        (Sqlite, "SELECT 1 /* a /* b ; */", 0),
        (Postgres, "SELECT $2::text, $1::int, $1", 2),
        (Postgres, "SELECT a[1:2], data #> '{a}' FROM t", 0),
        (Postgres, "SELECT ARRAY[(1), b[1]] AS a FROM t WHERE a[(SELECT 1)] = 1", 0),
        (MySql, "SELECT 5--?, `a?`, \"?\", '?' # ; ?\n FROM t WHERE b = ?", 2),
        (MySql, "SELECT @a := 1, ? FROM t", 1),
        (Sqlite, "SELECT [a?;], `?`, \"?\" FROM t WHERE a = ? AND b = ?", 2),
        (Sqlite, "SELECT ?2, ?1, ?2", 2),
        (Postgres, "SELECT 1 LIKE 'a' ESCAPE E'\\\\', 2.5, t.a, 1.", 0),
        (Postgres, "SELECT id FROM t -- note\rWHERE tenant = $1", 1),
        (MySql, "SELECT 5 --\u{1} ' ?\n", 0),
        (MySql, "SELECT id FROM t USE INDEX FOR ORDER BY (a)", 0),
        (Sqlite, "SELECT id, fetch, offset FROM t", 0),
        (Postgres, "SELECT DISTINCT ON (author) author, id FROM posts ORDER BY author, id DESC", 0),
    ] {
        assert!(source(dialect, text, values).is_ok(), "{dialect:?} {text}: {}", refusal(dialect, text, values));
    }
    for (dialect, text, expected) in [
        (MySql, "SELECT 'it\\'s'", "backslash before a quote"),
        (MySql, "SELECT _utf8mb4'\\'", "backslash before a quote"),
        (Postgres, "SELECT '\\'", "backslash before a quote, which is read by the server's settings: write the string"),
        (MySql, "SELECT 1 /*! FOR UPDATE */", "a comment that MySQL runs"),
        (MySql, "SELECT 1 /*M! FOR UPDATE */", "a comment that MySQL runs"),
        (Sqlite, "SELECT :name", "a parameter with a name"),
        (Sqlite, "SELECT @name", "a parameter with a name"),
        (Sqlite, "SELECT $name", "a parameter with a name"),
        (Sqlite, "SELECT $1", "a parameter with a name"),
        (Sqlite, "SELECT ?, ?1", "with and without numbers"),
        (Sqlite, "SELECT ?0", "numbered from 1"),
        (Postgres, "SELECT $0", "numbered from 1"),
        (Postgres, "SELECT $99999999999999999999", "numbered from 1"),
        (Postgres, "SELECT $tag$ text", "string without an end"),
        (Postgres, "SELECT ARRAY[1) AS a, (SELECT 2]", "closes a parenthesis"),
        (Postgres, "SELECT ARRAY[1", "parenthesis without an end"),
        (Sqlite, "SELECT [a", "quoted name without an end"),
    ] {
        assert!(refusal(dialect, text, 0).contains(expected), "{dialect:?} {text}: {}", refusal(dialect, text, 0));
    }
}

#[test]
fn each_parameter_has_one_value() {
    for (dialect, text, values, expected) in [
        (Sqlite, "SELECT ?", 0, "has 1 parameter, but 0 values were bound"),
        (Sqlite, "SELECT ?", 2, "has 1 parameter, but 2 values were bound"),
        (MySql, "SELECT ?, ?", 1, "has 2 parameters, but 1 value was bound"),
        (Postgres, "SELECT $1, $1", 2, "has 1 parameter, but 2 values were bound"),
        (Postgres, "SELECT $3, $1", 3, "does not use parameter 2"),
        (Postgres, "SELECT 1", 1, "has 0 parameters, but 1 value was bound"),
    ] {
        assert!(refusal(dialect, text, values).contains(expected), "{text}: {}", refusal(dialect, text, values));
    }
}

#[test]
fn folios_parameters_come_after_the_texts() {
    let rows = |text: &str, above: &str| format!(r#"SELECT * FROM ({text}) AS "folio_rows" WHERE "id" > {above}"#);
    let text = "SELECT id FROM t WHERE a = ";
    let [sqlite, numbered, postgres] = ["?", "?1", "$1"].map(|mark| format!("{text}{mark}"));
    assert_eq!(
        written(Sqlite, &format!("{sqlite} -- end"), 1),
        (format!("{} UNION ALL {}", rows(&sqlite, "?"), rows(&sqlite, "?")), vec![(0, 0..1), (1, 0..1)])
    );
    assert_eq!(
        written(Sqlite, &numbered, 1).0,
        format!("{} UNION ALL {}", rows(&numbered, "?2"), rows(&numbered, "?3"))
    );
    assert_eq!(
        written(Postgres, &postgres, 1).0,
        format!("{} UNION ALL ({})", rows(&postgres, "$2"), rows(&postgres, "$3"))
    );
    assert_eq!(written(Postgres, &postgres, 1).1, [(0, 0..1)]);
}

#[test]
fn a_with_clause_is_moved_on_postgresql_and_stays_inlined() {
    let text = "WITH read_once AS (SELECT 1), read_twice AS (SELECT 1), kept AS MATERIALIZED (SELECT 1) \
                SELECT *, (read_once.id) AS read_once FROM read_once, read_twice a, read_twice b, kept";
    let (postgres, _) = written(Postgres, text, 0);
    let (with, main) = text.split_at(text.find("SELECT *").unwrap());
    let with = with.replace("read_once AS", "read_once AS NOT MATERIALIZED");
    let select = format!(r#"SELECT * FROM ({main}) AS "folio_rows" WHERE "id" > "#);
    assert_eq!(postgres, format!("{with}{select}$1 UNION ALL ({select}$2)"));
    let unchanged = with.replace(" NOT MATERIALIZED", "");
    assert_eq!(source(Postgres, text, 0).unwrap().with(1).unwrap(), unchanged.trim_end());
    for dialect in [Sqlite, MySql] {
        assert!(written(dialect, text, 0).0.contains(&format!("({text})")));
    }
}

#[test]
fn several_selects_are_one_list_but_postgres_refuses_a_with_clause_in_it() {
    let plain = &["SELECT id FROM posts", "SELECT id FROM users"];
    let with = &["SELECT id FROM posts", "WITH a AS (SELECT 1 AS id) SELECT id FROM a"];
    for dialect in [Sqlite, Postgres, MySql] {
        let source = sources(dialect, plain).unwrap();
        assert!(source.has_arms());
        assert_eq!(source.arms().count(), 2);
        assert!(!sources(dialect, &plain[..1]).unwrap().has_arms());
    }
    assert!(sources(Sqlite, with).is_ok() && sources(MySql, with).is_ok());
    assert!(sources(Postgres, &with[1..]).is_ok());
    let error = sources(Postgres, with).map(|_| ()).map_err(|error| error.to_string());
    assert!(error.unwrap_err().contains("begins with WITH, which cannot be one of several selects"));
}

#[test]
fn a_list_has_at_most_as_many_selects_as_sqlite_allows_in_a_union() {
    let texts = ["SELECT 1"; 501];
    assert!(sources(Sqlite, &texts[1..]).is_ok());
    let error = sources(Sqlite, &texts).map(|_| ()).map_err(|error| error.to_string());
    assert!(error.unwrap_err().contains("more than 500 selects"));
}

/// The texts that sqlx has checked for a database, as another or the same one reads them.
fn checked(checked_for: &'static str, dialect: Dialect, text: &str) -> std::result::Result<String, String> {
    let raw = RawSql { texts: vec![text.into()], values: Vec::new(), checked_for: Some(checked_for) };
    raw.texts_for(dialect).map(|texts| texts[0].to_string()).map_err(|error| error.to_string())
}

#[test]
fn a_checked_text_has_no_overrides() {
    for (text, plain) in [
        (r#"SELECT id AS "id!", b AS "b?" FROM t"#, r#"SELECT id AS "id", b AS "b" FROM t"#),
        (
            r#"SELECT id as "id!: i64", s AS "s: State", x AS "x?: _" FROM t"#,
            r#"SELECT id as "id", s AS "s", x AS "x" FROM t"#,
        ),
        (r#"SELECT lower(w) AS "w!" FROM t GROUP BY "w!""#, r#"SELECT lower(w) AS "w" FROM t GROUP BY "w""#),
        // A column that is really called so, a part of a string, and an inner name.
        (r#"SELECT "ok?" AS fine, 'a AS "b!"' AS c FROM t"#, r#"SELECT "ok?" AS fine, 'a AS "b!"' AS c FROM t"#),
        (
            r#"SELECT d."x!" AS "x!", "y?" AS "y?" FROM (SELECT 1 AS "x!") d WHERE d."x!" = 1"#,
            r#"SELECT d."x!" AS "x", "y?" AS "y" FROM (SELECT 1 AS "x!") d WHERE d."x!" = 1"#,
        ),
        // The FROM of an operator, the name of a table, and a second select list.
        (
            r#"SELECT a IS DISTINCT FROM b AS "c!" FROM t AS "t!" WHERE "t!".a = 1 UNION SELECT d AS "c!" FROM u"#,
            r#"SELECT a IS DISTINCT FROM b AS "c" FROM t AS "t!" WHERE "t!".a = 1 UNION SELECT d AS "c" FROM u"#,
        ),
        (
            r#"SELECT id AS "a b!", n AS "!", m AS "plain" FROM t"#,
            r#"SELECT id AS "a b!", n AS "!", m AS "plain" FROM t"#,
        ),
        (r#"SELECT é AS "é!" FROM t"#, r#"SELECT é AS "é" FROM t"#),
    ] {
        assert_eq!(checked("PostgreSQL", Postgres, text).as_deref(), Ok(plain));
        assert_eq!(checked("SQLite", Sqlite, text).as_deref(), Ok(plain));
    }
    for (text, plain) in [
        ("SELECT id AS `id!`, 'x' AS `b?: _` FROM t", "SELECT id AS `id`, 'x' AS `b` FROM t"),
        ("SELECT id AS \"id!\", 'why?', 'x' AS 'b?' FROM t", "SELECT id AS \"id\", 'why?', 'x' AS 'b' FROM t"),
    ] {
        assert_eq!(checked("MySQL", MySql, text).as_deref(), Ok(plain));
    }
    let text = "SELECT id AS [id!], 'x' AS `b?: _` FROM t GROUP BY [id!]";
    assert_eq!(checked("SQLite", Sqlite, text).as_deref(), Ok("SELECT id AS [id], 'x' AS `b` FROM t GROUP BY [id]"));
}

#[test]
fn an_override_needs_as() {
    for (text, column) in [
        (r#"SELECT id "id!", title FROM t"#, r#""id!""#),
        (r#"SELECT lower(w) "w: _""#, r#""w: _""#),
        (r#"SELECT d."x!" FROM (SELECT 1 AS "x!") d"#, r#""x!""#),
        (r#"SELECT a AS "a!" FROM t UNION SELECT b "b?" FROM u"#, r#""b?""#),
    ] {
        let error = checked("PostgreSQL", Postgres, text).unwrap_err();
        assert!(
            error.contains(&format!("has the column {column} without `AS`: write `AS {column}`")),
            "{text}: {error}"
        );
    }
}

#[test]
fn a_checked_text_is_for_one_database() {
    let error = checked("PostgreSQL", Sqlite, "SELECT 1 AS id").unwrap_err();
    assert!(error.contains("was checked for PostgreSQL") && error.contains("read from SQLite"), "{error}");
}
