use std::sync::Arc;

use super::super::tests::{FEED, FIRST, authors, base, catalog, order, text};
use super::*;
use crate::boundary::{Boundary, BoundaryValue};
use crate::dialect::Dialect::MySql;
use crate::dialect::Server;
use crate::dialect::catalog::SharedInfo;
use crate::keyset::Candidates;

#[test]
fn mariadb_finds_the_heads_of_many_groups_with_a_separate_statement() {
    let (base, order) = (base(MySql, false, authors(40)), order(MySql));
    let heads = |info: &Option<SharedInfo>, page: PageRequest<'_>| base.heads(&order.for_page(info.clone()), page);
    let known = catalog(Server::mariadb(11), &FEED);
    let groups = "(SELECT * FROM JSON_TABLE(?, '$[*]' COLUMNS (folio_group_0 BIGINT PATH '$[0]', \
                  folio_group FOR ORDINALITY)) AS folio_values) AS folio_groups";

    let first = heads(&known, FIRST).unwrap();
    let [moment, id] = ["moment AS folio_key_0", "id AS folio_key_1"].map(|key| {
        let rows = "FROM posts FORCE INDEX (posts_feed) WHERE author = folio_groups.folio_group_0";
        format!("SELECT posts.{key} {rows} ORDER BY posts.moment ASC, posts.id ASC LIMIT ?")
    });
    let heads_of_groups = format!("SELECT folio_groups.folio_group, ({moment}) AS folio_key_0, ({id}) AS folio_key_1");
    let nearest = "WHERE folio_key_1 IS NOT NULL ORDER BY folio_key_0 ASC, folio_key_1 ASC LIMIT ?";
    assert_eq!(
        text(&first),
        format!(
            "SELECT folio_key_0, folio_key_1, CAST(folio_group AS SIGNED) FROM ({heads_of_groups} FROM {groups} LIMIT ?) \
             AS folio_ranked {nearest}"
        )
    );
    let [one, other, _, all, limit] = <[Value; 5]>::try_from(first.values.0).unwrap();
    assert_eq!([one, other, all, limit], [1_u64, 1, 40, 10].map(Value::from));

    let values = [5, 7].map(Value::from);
    let values = values.each_ref().map(|value| BoundaryValue::plain(value.clone()));
    let start = Some(Boundary { values: &values, inclusive: false });
    let later = text(&heads(&known, PageRequest { start, ..FIRST }).unwrap());
    let list = "?, ".repeat(39);
    assert_eq!(
        later,
        format!(
            "SELECT (CASE WHEN (folio_is_tied = (0)) THEN folio_head END) AS folio_key_0, CAST(folio_group AS SIGNED) \
             FROM (SELECT *, RANK() OVER (PARTITION BY folio_is_tied ORDER BY folio_head ASC) AS folio_rank \
             FROM (SELECT *, folio_head = ? AS folio_is_tied FROM (SELECT author AS folio_group_0, \
             MIN(posts.moment) AS folio_head FROM posts WHERE (author) IN ({list}?) AND posts.moment >= ? GROUP BY author) \
             AS folio_rows) AS folio_rows) AS folio_ranked INNER JOIN {groups} \
             ON folio_ranked.folio_group_0 = folio_groups.folio_group_0 WHERE folio_rank <= ? \
             ORDER BY folio_is_tied DESC, folio_head ASC"
        )
    );
    assert!(heads(&None, FIRST).is_none());
    assert!(heads(&catalog(Server::MYSQL, &FEED), FIRST).is_none());
}

#[test]
fn mysql_finds_out_how_far_a_page_reaches() {
    let (base, order) = (base(MySql, false, authors(130)), order(MySql));
    let order = order.for_page(catalog(Server::MYSQL, &FEED));
    let values = [5, 7].map(Value::from);
    let values = values.each_ref().map(|value| BoundaryValue::plain(value.clone()));
    let rows = PageRequest { start: Some(Boundary { values: &values, inclusive: false }), ..FIRST };

    let of_block = |block, last: &[BoundaryValue]| base.heads_of_block(&order, rows, block, last);
    let heads = |head: &str, groups: usize| {
        let head = format!("MIN(posts.moment) AS folio_head FROM posts FORCE INDEX (posts_feed) WHERE {head}");
        let others = (2..=groups).map(|number| format!(" UNION ALL (SELECT {number} AS folio_group, {head})"));
        let others: String = others.collect();
        format!(
            "SELECT (CASE WHEN (folio_is_tied = (0)) THEN folio_head END) AS folio_key_0, CAST(folio_group AS SIGNED) \
             FROM (SELECT *, RANK() OVER (PARTITION BY folio_is_tied ORDER BY folio_head ASC) AS folio_rank \
             FROM (SELECT *, folio_head = ? AS folio_is_tied FROM (SELECT * FROM (SELECT 1 AS folio_group, {head}{others}) \
             AS folio_heads WHERE folio_head IS NOT NULL) AS folio_rows) AS folio_rows) AS folio_ranked \
             WHERE folio_rank <= ? ORDER BY folio_is_tied DESC, folio_head ASC"
        )
    };
    assert_eq!(text(&of_block(0, &[]).unwrap()), heads("author = ? AND posts.moment >= ?", 128));
    let last = Value::from(9);
    let second = of_block(1, &[BoundaryValue::plain(last.clone())]).unwrap();
    assert_eq!(text(&second), heads("author = ? AND posts.moment >= ? AND posts.moment <= ?", 2));
    assert_eq!(second.values.0[1..4], [128_i64.into(), 5.into(), 9.into()]);
    assert!(of_block(2, &[]).is_none());

    // With fewer heads than the page has rows, the last row that the page can have is looked up in one group.
    let last = base.last_of(&order, rows, 3).unwrap();
    let keys = "posts.moment AS folio_key_0, posts.id AS folio_key_1";
    let range = "((posts.moment = ? AND posts.id > ?) OR posts.moment > ?) \
                 ORDER BY posts.moment ASC, posts.id ASC LIMIT ? OFFSET ?";
    let table = "posts FORCE INDEX (posts_feed)";
    assert_eq!(text(&last), format!("SELECT {keys} FROM {table} WHERE author = ? AND {range}"));
    let values = [3_i64.into(), 5.into(), 7.into(), 5.into(), 1_u64.into(), 8_u64.into()];
    assert_eq!(last.values.0, values);
}

#[test]
fn a_bounded_page_reads_only_the_nearest_groups_and_only_up_to_the_bound() {
    let (base, order) = (base(MySql, false, authors(9)), order(MySql));
    let order = order.for_page(catalog(Server::MYSQL, &FEED));
    let page = |last: i64| {
        let (values, last) = ([5, 7].map(Value::from), Value::from(last));
        let values = values.each_ref().map(|value| BoundaryValue::plain(value.clone()));
        let start = Some(Boundary { values: &values, inclusive: false });
        let last = [BoundaryValue::plain(last.clone())];
        base.page(&order, PageRequest { start, candidates: Candidates::new(&[2, 4], &last), ..FIRST })
    };
    let (one, other) = (page(-8), page(-9));
    assert!(Arc::ptr_eq(&one.sql, &other.sql));
    let bounded =
        "WHERE author = ? AND posts.moment <= ? AND ((posts.moment = ? AND posts.id > ?) OR posts.moment > ?)";
    assert_eq!(text(&one).matches(bounded).count(), 2, "{}", text(&one));
    let of_group = |group: i64, last: i64| [group.into(), last.into(), 5.into(), 7.into(), 5.into(), 9_u64.into()];
    assert_eq!(
        one.values.0,
        [of_group(2, -8), of_group(4, -8)].concat().into_iter().chain([9_u64.into()]).collect::<Vec<Value>>()
    );
    assert_eq!(other.values.0[1], Value::from(-9_i64));
}

#[test]
fn a_first_page_may_be_bounded_by_a_whole_key() {
    let (base, order) = (base(MySql, false, authors(9)), order(MySql));
    let order = order.for_page(catalog(Server::mariadb(11), &FEED));
    let page = |last: &[Value]| {
        let last: Vec<BoundaryValue> = last.iter().map(|value| BoundaryValue::plain(value.clone())).collect();
        base.page(&order, PageRequest { candidates: Candidates::new(&[4], &last), ..FIRST })
    };
    let by_first = page(&[8.into()]);
    assert!(
        text(&by_first).contains("WHERE author = ? AND (posts.moment <= ? OR posts.moment IS NULL) ORDER"),
        "{}",
        text(&by_first)
    );
    // Rows with NULL come before all values.
    let bounded = "WHERE author = ? AND ((posts.moment = ? AND posts.id <= ?) OR (posts.moment = ? AND posts.id IS NULL) \
                   OR posts.moment < ? OR posts.moment IS NULL) ORDER";
    // The second time, the text is a template's.
    for [moment, id] in [[8, 3], [9, 5]] {
        let page = page(&[moment.into(), id.into()]);
        assert!(text(&page).contains(bounded), "{}", text(&page));
        assert_eq!(page.values.0[1..5], [moment.into(), id.into(), moment.into(), moment.into()]);
    }
}
