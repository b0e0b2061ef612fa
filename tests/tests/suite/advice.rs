//! Warnings about walks without an index in their order: once for each, with the index to create.

use folio::{CursorOrder as _, ErasedOrder, Paginate};
use folio_tests::recorder::Recorder;

use crate::server::{ID, TEXT};
use crate::suite::db::{self, quoted};

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "advised")]
#[expect(dead_code, reason = "only the order matters here")]
struct Advised {
    id: i64,
    a: i64,
    b: Option<i64>,
    tenant: i64,
    label: String,
}

fn schema() -> String {
    format!(
        "CREATE TABLE advised (id {ID}, a BIGINT NOT NULL, b BIGINT, tenant BIGINT NOT NULL, label {TEXT} NOT NULL); \
         CREATE INDEX advised_a ON advised (a, id); CREATE INDEX advised_b ON advised (tenant, b, id); \
         CREATE UNIQUE INDEX advised_mixed ON advised (label DESC, id); \
         CREATE INDEX advised_mirrored ON advised (label, id DESC)"
    )
}

/// The warnings about two walks by an order.
async fn said(log: &Recorder, order: &ErasedOrder) -> Vec<String> {
    for _ in 0..2 {
        Advised::query().cursor_by(order.clone()).cursor_paginate(5).await.unwrap();
    }
    log.take()
}

#[tokio::test]
async fn a_walk_without_an_index_is_reported_once() {
    let (folio, pool) = db::folio(&schema()).await;
    let log = Recorder::of_target("folio::index_advisor");
    let (id, a, b, tenant, label) = (Advised::ID, Advised::A, Advised::B, Advised::TENANT, Advised::LABEL);
    let check = async {
        let served = [
            id.erased(),
            id.desc().erased(),
            a.erased(),
            a.desc().erased(),
            b.nulls_last().erased(),
            (tenant, b.nulls_first()).erased(),
            (label.desc(), id).erased(),
            (label, id.desc()).erased(),
        ];
        for order in served {
            assert_eq!(said(&log, &order).await, [""; 0], "{order:?}");
        }
        let columns = |columns: [(&str, &str); 2]| columns.map(|(name, way)| quoted(name) + way).join(", ");
        for (order, name, index) in [
            (tenant.erased(), "advised_tenant_id", columns([("tenant", ""), ("id", "")])),
            ((a, id.desc()).erased(), "advised_a_id_desc", columns([("a", ""), ("id", " DESC")])),
            (label.desc().erased(), "advised_label_desc_id_desc", columns([("label", " DESC"), ("id", " DESC")])),
        ] {
            let [warning] = &said(&log, &order).await[..] else { panic!("{order:?} is reported once") };
            let create = format!("CREATE INDEX {} ON {} ({index})", quoted(name), quoted("advised"));
            assert!(warning.contains(&create), "{order:?}: {warning}");
            db::run(&pool, &create).await;
        }
    };
    folio.warn_missing_indexes().scope(check).await;
}

#[tokio::test]
async fn nothing_is_logged_by_default() {
    let (folio, _pool) = db::folio(&schema()).await;
    let log = Recorder::of_target("folio::index_advisor");
    folio.scope(async { assert_eq!(said(&log, &Advised::TENANT.erased()).await, [""; 0]) }).await;
}
