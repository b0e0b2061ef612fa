//! What a model's queries have by default: a filter, and the tenant whose rows they list.

use folio::{ColumnValue, CursorDirection, Paginate, load};
use futures_util::TryStreamExt as _;
use futures_util::future::join_all;

use crate::server::ID;
use crate::suite::db;

#[derive(Debug, Clone, sqlx::FromRow, Paginate)]
#[paginate(table = "default_products", filter = "deleted = 0 OR title = 'kept'", tenant = "shop", cursor_key = "title")]
struct Product {
    id: i64,
    #[sqlx(rename = "shop_id")]
    shop: i64,
    title: String,
}

#[derive(Debug, Clone, sqlx::FromRow, Paginate)]
#[paginate(table = "default_products", filter = "deleted = 0")]
struct Undeleted {
    id: i64,
    title: String,
}

#[derive(Debug, Clone, sqlx::FromRow, Paginate)]
#[paginate(table = "default_products", tenant = "title")]
struct Titled {
    id: i64,
    title: String,
}

/// A tenant of the application's own type, to which PostgreSQL casts its text.
#[derive(Debug, Clone, Copy, PartialEq, sqlx::Type, ColumnValue)]
#[sqlx(type_name = "varchar", rename_all = "lowercase")]
enum Title {
    A,
    B,
    C,
    Kept,
}

#[derive(Debug, Clone, sqlx::FromRow, Paginate)]
#[paginate(table = "default_products", tenant = "title")]
struct OwnTitled {
    id: i64,
    title: Title,
}

async fn products() -> folio::Folio {
    let rows = "(1, 1, 'a', 0), (2, 1, 'b', 1), (3, 1, 'kept', 1), (4, 2, 'a', 0), (5, 2, 'b', 0), (6, 1, 'c', 0)";
    let (folio, _) = db::folio(&format!(
        "CREATE TABLE default_products (id {ID}, shop_id BIGINT NOT NULL, title VARCHAR(20) NOT NULL, deleted INTEGER NOT \
         NULL); INSERT INTO default_products (id, shop_id, title, deleted) VALUES {rows}"
    ))
    .await;
    folio
}

fn ids(rows: &[Product]) -> Vec<i64> {
    rows.iter().map(|product| product.id).collect()
}

#[tokio::test]
async fn every_read_has_the_models_filter_and_its_tenant() {
    let folio = products().await;
    let check = async {
        let numbered = Product::of(1).order_by(Product::ID).paginate(2).await.unwrap();
        assert_eq!((ids(&numbered.data), numbered.total), (vec![1, 3], 3));
        let simple = Product::of(2).simple_paginate(9).await.unwrap();
        assert_eq!(simple.data.iter().map(|product| (product.id, product.shop)).collect::<Vec<_>>(), [(4, 2), (5, 2)]);
        assert_eq!(ids(&Product::of(1).cursor_paginate(9).await.unwrap().data), [1, 6, 3]);
        let filtered = Product::of(1).filter(Product::TITLE.gt("a")).cursor_paginate(9).await.unwrap();
        assert_eq!(ids(&filtered.data), [6, 3], "an OR in the model's filter stays inside of it");

        let among = Product::of(1).among(Product::TITLE, ["a", "b", "kept"].map(str::to_owned));
        assert_eq!(ids(&among.cursor_paginate(9).await.unwrap().data), [1, 3]);
        let each = Product::of(2).each_of(Product::TITLE, ["a".to_owned(), "kept".to_owned()]).first(9).await.unwrap();
        assert_eq!((ids(&each["a"]), each.get("kept").map(Vec::len)), (vec![4], Some(0)));
        let (list, other) = (|| Product::of(1), Product::of(2));
        assert_eq!((list().count().await.unwrap(), other.count().await.unwrap()), (3, 2));
        assert!(!list().filter(Product::ID.eq(4)).exists().await.unwrap());
        assert_eq!(list().first().await.unwrap().map(|product| product.id), Some(1));
        let found = [1, 2, 3, 4].map(|id| list().find(id));
        let found: Vec<bool> = join_all(found).await.into_iter().map(|found| found.unwrap().is_some()).collect();
        assert_eq!(found, [true, false, true, false], "row 2 is deleted, and row 4 is of another shop");
        assert_eq!(list().count_by(Product::SHOP, 9).await.unwrap(), [(1, 3)]);
        let key = numbered.data[0].cursor_key();
        assert_eq!(list().count_after(&key).await.unwrap(), 2);
        assert_eq!(list().around_id(4, 1, 1).await.unwrap_err().status(), 404);
        assert_eq!(ids(&list().around_id(6, 9, 9).await.unwrap().page.data), [1, 6, 3]);
        let rows: Vec<Product> = list().cursor_stream(2).try_collect().await.unwrap();
        assert_eq!(ids(&rows), [1, 6, 3]);
        let end = list().with_positions().cursor_paginate(9).await.unwrap().end_cursor.unwrap();
        assert!(!list().newer_than(&end).exists().await.unwrap());

        let loaded = load::many(Product::of(1), Product::TITLE, |titled: &Titled| titled.title.clone());
        let page = Titled::of("a".to_owned()).paginate(9).await.unwrap().load(loaded).await.unwrap();
        let found: Vec<_> = page.data.iter().map(|(titled, products)| (titled.id, ids(products))).collect();
        assert_eq!(found, [(1, vec![1]), (4, vec![1])]);
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn all_rows_are_read_by_a_visible_word() {
    let folio = products().await;
    let check = async {
        assert_eq!(Product::unfiltered().paginate(9).await.unwrap().total, 6);
        assert_eq!(Undeleted::unfiltered().paginate(9).await.unwrap().total, 6);
        for query in [Undeleted::query(), folio::Builder::new(), folio::Builder::default()] {
            let titles = query.paginate(9).await.unwrap().data.into_iter().map(|row| row.title).collect::<Vec<_>>();
            assert_eq!(titles, ["a", "a", "b", "c"]);
        }
        assert_eq!(Undeleted::cursor_paginate(9).await.unwrap().data[0].id, 1);
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn cursors_are_bound_to_the_tenant() {
    let folio = products().await;
    let check = async {
        let page = Product::of(1).cursor_paginate(1).await.unwrap();
        let next = page.next_cursor.as_deref();
        assert_eq!(ids(&Product::of(1).cursor(next).cursor_paginate(9).await.unwrap().data), [6, 3]);
        let status = async |query: folio::Builder<Product>| {
            query.cursor(next).cursor_paginate(9).await.map(|_| ()).map_err(|error| error.status())
        };
        assert_eq!(status(Product::of(2)).await, Err(400));
        assert_eq!(status(Product::unfiltered()).await, Err(400));
        assert_eq!(status(Product::unfiltered().filter(Product::SHOP.eq(1))).await, Err(400));
        assert_eq!(status(Product::of(1).cursor_scope("admin")).await, Err(400), "a scope comes on top");
        // A scope that reads like a tenant is another one.
        assert_eq!(status(Product::unfiltered().cursor_scope("1")).await, Err(400));
        let by_hand = page.data[0].cursor_key().encode(CursorDirection::Next).unwrap();
        let refused = Product::of(1).cursor(Some(&by_hand)).cursor_paginate(9).await;
        assert_eq!(refused.unwrap_err().status(), 400, "a key does not say whose it is");

        let each = |shop| Product::of(shop).each_of(Product::SHOP, [shop]).cursor_paginate(1);
        let next = each(1).await.unwrap()[&1].next_cursor.clone();
        let own = Product::of(1).filter(Product::SHOP.eq(1));
        assert_eq!(ids(&own.cursor(next.as_deref()).cursor_paginate(9).await.unwrap().data), [6, 3]);
        let other = Product::of(2).filter(Product::SHOP.eq(1));
        assert_eq!(other.cursor(next.as_deref()).cursor_paginate(9).await.unwrap_err().status(), 400);
        let texts = Titled::of("a".to_owned()).cursor_paginate(1).await.unwrap();
        let next = texts.next_cursor.as_deref();
        assert_eq!(Titled::of("a".to_owned()).cursor(next).cursor_paginate(9).await.unwrap().data[0].id, 4);
        let other = Titled::of("b".to_owned()).cursor(next).cursor_paginate(9).await;
        assert_eq!(other.unwrap_err().status(), 400);

        // MySQL's driver cannot read an enum from a text column.
        if <crate::server::Driver as sqlx::Database>::NAME != "MySQL" {
            let page = OwnTitled::of(Title::A).cursor_paginate(1).await.unwrap();
            assert_eq!((page.data[0].id, page.data[0].title), (1, Title::A));
            let next = page.next_cursor.as_deref();
            assert_eq!(OwnTitled::of(Title::A).cursor(next).cursor_paginate(9).await.unwrap().data[0].id, 4);
            assert_eq!(OwnTitled::of(Title::B).cursor(next).cursor_paginate(9).await.unwrap_err().status(), 400);
        }
    };
    folio.scope(check).await;
}
