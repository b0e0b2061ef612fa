//! `DB::transaction`: what is committed, what is rolled back, and at which isolation level.

use folio::{DB, FrameworkError, Isolation, Result};

use super::notes::{Note, assert_none_in_transaction, failure, insert, kept, set_up};
use crate::server;

#[tokio::test]
async fn ok_commits_and_err_rolls_back() {
    let (folio, pool) = set_up().await;
    let check = async {
        let value = DB::transaction(async || insert(1).await.map(|()| "done")).await.unwrap();
        assert_eq!(value, "done");
        let error = DB::transaction(async || {
            insert(2).await?;
            assert_eq!(Note::paginate(5).await?.total, 2);
            Err::<(), _>(failure())
        });
        assert_eq!(error.await.unwrap_err().to_string(), "on purpose");
        // The application's own error types are returned unchanged.
        #[derive(Debug)]
        struct Own;
        impl From<FrameworkError> for Own {
            fn from(_: FrameworkError) -> Self {
                Self
            }
        }
        let own: std::result::Result<(), Own> = DB::transaction(async || Err(Own)).await;
        assert!(own.is_err());
    };
    folio.scope(check).await;
    assert_eq!(kept(&pool).await, [1]);
}

#[tokio::test]
async fn nested_transactions_are_savepoints() {
    let (folio, pool) = set_up().await;
    let work = DB::transaction(async || {
        insert(1).await?;
        let inner: Result<()> = DB::transaction(async || {
            insert(2).await?;
            DB::transaction(async || insert(3).await).await?;
            Err(failure())
        })
        .await;
        assert!(inner.is_err());
        DB::transaction(async || {
            insert(4).await?;
            let innermost: Result<()> = DB::transaction(async || {
                insert(5).await?;
                Err(failure())
            })
            .await;
            assert!(innermost.is_err());
            insert(6).await
        })
        .await?;
        assert_eq!(Note::paginate(9).await?.total, 3);
        Ok::<_, FrameworkError>(())
    });
    folio.scope(work).await.unwrap();
    assert_eq!(kept(&pool).await, [1, 4, 6]);
}

#[tokio::test]
async fn a_panic_rolls_back() {
    let (folio, pool) = set_up().await;
    let task = tokio::spawn(async move {
        let work = DB::transaction(async || {
            insert(1).await?;
            assert_eq!(Note::paginate(5).await?.total, 0, "a panic on purpose");
            Ok::<_, FrameworkError>(())
        });
        folio.scope(work).await
    });
    assert!(task.await.unwrap_err().is_panic());
    assert_eq!(kept(&pool).await, Vec::<i64>::new());
    assert_none_in_transaction(&pool).await;
}

#[tokio::test]
async fn siblings_inside_one_transaction_take_turns() {
    let (folio, pool) = set_up().await;
    let work = DB::transaction(async || {
        let nested = |id: i64| async move {
            let result: Result<()> = DB::transaction(async || {
                insert(id).await?;
                tokio::task::yield_now().await;
                assert_eq!(Note::query().filter(Note::ID.eq(id)).paginate(5).await?.total, 1);
                if id % 2 == 0 { Err(failure()) } else { Ok(()) }
            })
            .await;
            result.is_ok()
        };
        let kept = futures_util::future::join_all((1..=8).map(nested)).await;
        assert_eq!(kept, [true, false, true, false, true, false, true, false]);
        Ok::<_, FrameworkError>(())
    });
    folio.scope(work).await.unwrap();
    assert_eq!(kept(&pool).await, [1, 3, 5, 7]);
}

/// On PostgreSQL a COMMIT after an error succeeds and rolls back. `Ok` still means that the rows are kept.
#[tokio::test]
async fn ok_means_committed_even_after_an_error() {
    let (folio, pool) = set_up().await;
    let result: Result<()> = folio
        .scope(DB::transaction(async || {
            insert(1).await?;
            assert!(insert(1).await.is_err());
            Ok(())
        }))
        .await;
    match result {
        Ok(()) => assert_eq!(kept(&pool).await, [1]),
        Err(error) => {
            assert!(matches!(error, FrameworkError::Database(_)), "{error}");
            assert_eq!(kept(&pool).await, Vec::<i64>::new());
        }
    }
    assert_none_in_transaction(&pool).await;
}

/// After an error a savepoint may not be possible. What runs after it belongs to the failed transaction and is rolled
/// back with it.
#[tokio::test]
async fn nothing_is_kept_after_a_savepoint_fails() {
    let (folio, pool) = set_up().await;
    let check = async {
        let result: Result<()> = DB::transaction(async || {
            insert(1).await?;
            assert!(insert(1).await.is_err());
            let _: Result<()> = DB::transaction(async || insert(2).await).await;
            let _ = insert(3).await;
            Err(failure())
        })
        .await;
        assert!(result.is_err());
        assert_eq!(Note::paginate(5).await.unwrap().total, 0);

        // One level deeper, only the savepoint is lost.
        let result: Result<()> = DB::transaction(async || {
            insert(4).await?;
            let inner: Result<()> = DB::transaction(async || {
                insert(5).await?;
                assert!(insert(5).await.is_err());
                let _: Result<()> = DB::transaction(async || insert(6).await).await;
                let _ = insert(7).await;
                Err(failure())
            })
            .await;
            assert!(inner.is_err());
            insert(8).await
        })
        .await;
        result.unwrap();
    };
    folio.scope(check).await;
    assert_eq!(kept(&pool).await, [4, 8]);
    assert_none_in_transaction(&pool).await;
}

#[tokio::test]
async fn the_helpers_detect_an_open_transaction() {
    let (folio, pool) = set_up().await;
    let check = async {
        DB::transaction(async || {
            insert(1).await?;
            assert!(server::in_transaction(&mut *server::connection().await?).await);
            Ok::<_, FrameworkError>(())
        })
        .await
        .unwrap();
    };
    folio.scope(check).await;
    assert_none_in_transaction(&pool).await;
}

#[tokio::test]
async fn an_isolation_level_applies_to_one_transaction() {
    let (folio, pool) = set_up().await;
    let level = async || Ok::<_, FrameworkError>(server::isolation(&mut *server::connection().await?, &pool).await);
    let check = async {
        let usual = DB::transaction(level).await.unwrap();
        let levels = [
            (Isolation::ReadCommitted, "READ COMMITTED"),
            (Isolation::RepeatableRead, "REPEATABLE READ"),
            (Isolation::Serializable, "SERIALIZABLE"),
        ];
        for (isolation, name) in levels {
            let inside = DB::transaction_with(isolation, level).await.unwrap();
            assert_eq!(inside.unwrap_or(name), name);
            assert_eq!(
                DB::transaction(level).await.unwrap(),
                usual,
                "the next transaction has the default level again"
            );
        }
        let nested = DB::transaction(async || {
            insert(1).await?;
            DB::transaction_with(Isolation::Serializable, async || insert(2).await).await
        });
        let error = nested.await.unwrap_err();
        assert!(matches!(error, FrameworkError::Database(_)) && error.to_string().contains("savepoint"), "{error}");
    };
    folio.scope(check).await;
    assert_eq!(kept(&pool).await, Vec::<i64>::new());
}

#[tokio::test]
async fn a_transaction_needs_an_application() {
    let error = DB::transaction(async || Ok::<_, FrameworkError>(())).await.unwrap_err();
    assert!(
        matches!(error, FrameworkError::Internal { .. }) && error.to_string().contains("folio is not set up"),
        "{error}"
    );
}
