//! An ENUM as an enum in Rust. sqlx's derive does not read each of them.

use folio::{Column, ColumnValue, CursorValue, FrameworkError, Paginate, Select};

use crate::suite::db;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, sqlx::Type, ColumnValue)]
#[sqlx(rename_all = "lowercase")]
enum Derived {
    Open,
    Closed,
}

/// The same, as the guide shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, ColumnValue)]
#[sqlx(rename_all = "lowercase")]
enum ByHand {
    Open,
    Closed,
}

impl<DB: sqlx::Database> sqlx::Type<DB> for ByHand
where
    str: sqlx::Type<DB>,
{
    fn type_info() -> DB::TypeInfo {
        <str as sqlx::Type<DB>>::type_info()
    }

    fn compatible(info: &DB::TypeInfo) -> bool {
        <str as sqlx::Type<DB>>::compatible(info)
    }
}

impl<'r, DB: sqlx::Database> sqlx::Decode<'r, DB> for ByHand
where
    &'r str: sqlx::Decode<'r, DB>,
{
    fn decode(value: DB::ValueRef<'r>) -> Result<Self, sqlx::error::BoxDynError> {
        let text = <&str as sqlx::Decode<'r, DB>>::decode(value)?;
        Self::from_value(text.into()).ok_or_else(|| text.into())
    }
}

macro_rules! ticket {
    ($name:ident, $state:ty) => {
        #[derive(Debug, Clone, sqlx::FromRow, Paginate)]
        #[paginate(table = "tickets")]
        struct $name {
            id: i64,
            #[expect(dead_code, reason = "only whether it is read matters")]
            state: $state,
        }
    };
}
ticket!(Ticket, Derived);
ticket!(Optional, Option<Derived>);
ticket!(Read, ByHand);

fn schema(nulls: &str) -> String {
    format!(
        "CREATE TABLE tickets (id BIGINT PRIMARY KEY, state ENUM ('open', 'closed') {nulls}); \
         INSERT INTO tickets VALUES (1, 'open'), (2, 'closed'), (3, 'open')"
    )
}

/// What pages of a model and of a select answer.
macro_rules! errors {
    ($model:ident, $state:ty) => {
        [
            $model::query().cursor(None).cursor_paginate(9).await.map(|page| assert_eq!(page.data[0].id, 1)),
            $model::query().page(1).paginate(9).await.map(drop),
            $model::query().find(1).await.map(drop),
            $model::query().each_of($model::ID, [1, 2]).first(9).await.map(drop),
            Select::<(i64, $state)>::sql("SELECT id, state FROM tickets")
                .order_by(Column::<i64>::new("id"))
                .page(1)
                .paginate(9)
                .await
                .map(drop),
        ]
    };
}

fn assert_explained(answers: impl IntoIterator<Item = folio::Result<()>>) {
    for answer in answers {
        let error = answer.expect_err("sqlx's derive does not read it").to_string();
        for words in ["\"state\"", "NULL", "index", "`sqlx::Type` and `sqlx::Decode`", "cookbook"] {
            assert!(error.contains(words), "no {words} in {error}");
        }
    }
}

#[tokio::test]
async fn an_enum_that_sqlx_does_not_read_says_what_to_write() {
    let (folio, _pool) = db::folio(&schema("NOT NULL")).await;
    folio.scope(async { assert_explained(errors!(Ticket, Derived)) }).await;
    let (folio, _pool) = db::folio(&schema("NULL, KEY (state)")).await;
    // MySQL 9 does not say of each result column that an index has it.
    folio
        .scope(async { assert_explained(errors!(Optional, Option<Derived>).into_iter().filter(Result::is_err)) })
        .await;
    // This one is read.
    let (folio, _pool) = db::folio(&schema("NULL")).await;
    let answers = folio.scope(async { errors!(Optional, Option<Derived>) }).await;
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
}

/// Another mismatch needs another remedy.
#[tokio::test]
async fn a_column_of_another_type_has_the_plain_error() {
    let (folio, _pool) = db::folio(
        "CREATE TABLE tickets (id BIGINT PRIMARY KEY, state INT NOT NULL); INSERT INTO tickets VALUES (1, 1)",
    )
    .await;
    let error = folio.scope(Ticket::query().page(1).paginate(9)).await.unwrap_err();
    assert!(!error.to_string().contains("cookbook"), "{error}");
    assert!(matches!(error, FrameworkError::Database(sqlx::Error::ColumnDecode { .. })));
}

#[tokio::test]
async fn an_enum_by_hand_is_read_and_compared() {
    for nulls in ["NOT NULL", "NOT NULL, KEY (state)", "NULL", "CHARACTER SET latin1 COLLATE latin1_bin NOT NULL"] {
        let (folio, _pool) = db::folio(&schema(nulls)).await;
        let check = async {
            for answer in errors!(Read, ByHand) {
                answer?;
            }
            let open = Read::query().filter(Read::STATE.eq(ByHand::Open)).page(1).paginate(9).await?;
            assert_eq!(open.data.iter().map(|ticket| ticket.id).collect::<Vec<_>>(), [1, 3], "{nulls}");
            let both = Read::query().filter(Read::STATE.is_in([ByHand::Open, ByHand::Closed])).count().await?;
            assert_eq!((both, Read::query().count_by(Read::STATE, 9).await?[0]), (3, (ByHand::Open, 2)), "{nulls}");
            Ok::<_, FrameworkError>(())
        };
        folio.scope(check).await.unwrap();
    }
}
