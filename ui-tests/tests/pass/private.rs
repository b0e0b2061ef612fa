//! Private structs of private types, in a key too.
#![deny(warnings)]

mod inner {
    use folio::{ColumnValue, CursorValue, Paginate, Value, Variant};

    #[derive(Debug, Clone, PartialEq, sqlx::Type, ColumnValue)]
    enum State {
        Open,
    }

    #[derive(Debug, sqlx::FromRow, Paginate)]
    struct Issue {
        id: i64,
        state: State,
    }

    #[derive(Debug, Clone, PartialEq, sqlx::Type)]
    #[sqlx(transparent)]
    struct PostId(i64);

    impl CursorValue for PostId {
        const VARIANT: Variant = Variant::BigInt;

        fn into_value(self) -> Value {
            self.0.into_value()
        }

        fn from_value(value: Value) -> Option<Self> {
            i64::from_value(value).map(Self)
        }
    }

    #[derive(sqlx::FromRow, Paginate)]
    struct Post {
        id: PostId,
    }

    #[derive(sqlx::FromRow, Paginate)]
    #[paginate(table = "posts")]
    pub struct PublicPost {
        id: PostId,
    }

    pub fn check() {
        assert_eq!(Post { id: PostId(7) }.cursor_key(), PostKey { id: PostId(7) });
        assert_eq!(PublicPost { id: PostId(7) }.cursor_key(), PublicPostKey { id: PostId(7) });
        assert_eq!(PostKey::VARIANTS, [Variant::BigInt]);
        let issue = Issue { id: 1, state: State::Open };
        let (_, _) = (Issue::STATE.eq(issue.state), Issue::ID.eq(issue.id));
    }
}

#[test]
fn private_types_derive() {
    inner::check();
}
