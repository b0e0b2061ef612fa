//! What is checked first: the page size, then the connection, then the cursor.

use std::fmt::Debug;

use folio::{ActiveRequest, Folio, FrameworkError, Pagination, Result};

use super::{ID, Item, items, select};

#[track_caller]
fn assert_refused<T: Debug>(page: Result<T>, operation: &str) {
    match page {
        Err(error @ FrameworkError::ParamError { .. }) => {
            assert!(
                matches!(&error, FrameworkError::ParamError { param_name } if param_name == "per_page"),
                "{operation}: {error:?}"
            );
            assert_eq!(error.status(), 400, "{operation}");
        }
        other => panic!("{operation}: {other:?}"),
    }
}

/// Every operation with a page size of 0, on an unknown connection if one can be named.
async fn refuse_all(connection: &str) {
    let builder = || Item::on(connection).cursor(Some("not a cursor"));
    assert_refused(builder().paginate(0).await, "paginate");
    assert_refused(builder().paginate_using("p", 0).await, "paginate_using");
    assert_refused(builder().simple_paginate(0).await, "simple_paginate");
    assert_refused(builder().cursor_paginate(0).await, "cursor_paginate");
    assert_refused(builder().cursor_by(Item::ID.desc()).cursor_paginate(0).await, "cursor_paginate by another key");
    assert_refused(Item::paginate(0).await, "Item::paginate");
    assert_refused(Item::paginate_using("p", 0).await, "Item::paginate_using");
    assert_refused(Item::simple_paginate(0).await, "Item::simple_paginate");
    assert_refused(Item::cursor_paginate(0).await, "Item::cursor_paginate");
    assert_refused(Pagination::length_aware::<Item>(select(), 0, 1).await, "length_aware");
    assert_refused(Pagination::length_aware_on::<Item>(connection, select(), 0, 1).await, "length_aware_on");
    assert_refused(Pagination::simple::<Item>(select(), 0, 1).await, "simple");
    assert_refused(Pagination::simple_on::<Item>(connection, select(), 0, 1).await, "simple_on");
    for cursor in [None, Some(""), Some("not a cursor")] {
        assert_refused(Pagination::cursor::<Item>(select(), cursor, 0, ID).await, "cursor");
        assert_refused(Pagination::cursor_on::<Item>(connection, select(), cursor, 0, ID).await, "cursor_on");
    }
}

#[tokio::test]
async fn a_page_size_of_0_is_refused_before_anything_else() {
    for total in [0, 3] {
        let (folio, pool) = items(total).await;
        folio.scope(refuse_all("__primary__")).await;
        folio.scope(refuse_all("not a connection")).await;
        // No keyring, no table, a closed pool.
        let bare = Folio::new(pool.clone());
        bare.scope(refuse_all("not a connection")).await;
        sqlx::raw_sql("DROP TABLE items").execute(&pool).await.unwrap();
        bare.scope(refuse_all("not a connection")).await;
        pool.close().await;
        bare.scope(refuse_all("__primary__")).await;
        // In a request that names a page and a cursor.
        let asked = ActiveRequest::new("?page=2&per_page=10&cursor=x&p=3").scope(refuse_all("not a connection"));
        bare.scope(asked).await;
    }
    // Without an application.
    refuse_all("not a connection").await;
}

#[tokio::test]
async fn the_connection_is_checked_before_the_cursor() {
    let (folio, pool) = items(3).await;
    let work = async {
        for cursor in [Some("not a cursor"), Some(""), None] {
            let of_model = Item::on("elsewhere").cursor(cursor).cursor_paginate(3).await;
            let of_select = Pagination::cursor_on::<Item>("elsewhere", select(), cursor, 3, ID).await;
            for page in [of_model, of_select] {
                let Err(error @ FrameworkError::Database(_)) = page else { panic!("{cursor:?}: {page:?}") };
                assert!(error.to_string().contains("elsewhere"), "{error}");
            }
        }
    };
    folio.scope(work).await;
    // It is also checked before the keyring, and the keyring before the cursor.
    let bare = Folio::new(pool);
    let page = bare.scope(Item::on("elsewhere").cursor(Some("x")).cursor_paginate(3)).await;
    assert!(matches!(page, Err(FrameworkError::Database(_))), "{page:?}");
    let page = bare.scope(Item::query().cursor(Some("x")).cursor_paginate(3)).await;
    assert!(matches!(page, Err(FrameworkError::Internal { .. })), "{page:?}");
}
