//! What a filter may be, with and without the names of sea-query's traits.

use folio::sea_query::{Cond, Expr, Query};
use folio::{AnyModel, Builder, Column, Filter, FilterExpr, Model, Paginate};

#[derive(sqlx::FromRow, Paginate)]
struct Post {
    id: i64,
    title: String,
}

#[derive(sqlx::FromRow, Paginate)]
struct Comment {
    id: i64,
    post_id: i64,
}

const ID: Column<i64> = Column::new("id");

/// A function over any model takes its filters, those without a model, and sea-query's.
fn filtered<M: Model>(query: Builder<M>, own: FilterExpr<M>, other: impl Filter<M>) -> Builder<M> {
    query.filter(own.clone().and(own).or(ID.gt(7))).filter(ID.lt(9).not()).filter(other)
}

/// The model of a combination is that of its first condition.
fn combined() -> [FilterExpr<Post>; 4] {
    [
        Post::ID.eq(1).and(Post::TITLE.eq("a")),
        Post::ID.eq(1).or(ID.eq(1)),
        Post::ID.eq(1).and(Expr::cust("1 = 1")).or(Cond::any().add(ID.eq(1)).add(Post::ID.eq(2))),
        !Post::ID.eq(1),
    ]
}

fn of_no_model() -> FilterExpr {
    ID.eq(1).and(Post::ID.eq(2)).or(Expr::cust("1 = 1"))
}

fn subquery() -> Expr {
    let own = Comment::POST_ID.eq(Post::ID).and(Comment::ID.gt(7));
    Expr::exists(Query::select().column(Comment::ID).from("comments").cond_where(own).and_where(ID.eq(7).into()).take())
}

/// With sea-query's trait in scope, folio's methods still win, and the trait has the other operators.
fn with_the_trait() {
    use folio::ExprTrait;
    let filter: FilterExpr<Post> = Post::ID.eq(1).and(Post::TITLE.eq("a")).or(ID.eq(3)).not();
    let _query = Post::query().filter(filter).filter(subquery().and(Post::ID.eq(7)).or(Post::TITLE.like("a%")));
    let _query = Post::query().filter(Post::ID.to_expr().add(1).eq(7)).order_by_desc(Post::ID.eq(7));
}

#[test]
fn a_filter_is_any_condition() {
    let any: Column<i64, AnyModel> = Comment::ID.any_model();
    let query = filtered(Post::query(), Post::ID.eq(1), Post::TITLE.contains("a")).filter(subquery());
    let query = combined().into_iter().fold(query, Builder::filter);
    let _query = query.filter(of_no_model()).filter_if(Some(any.eq(7))).filter_if(None::<FilterExpr<Post>>);
    let _query = filtered(Comment::query(), Comment::ID.is_in([7]).not(), Cond::all().add(Comment::ID.is_null()));
    with_the_trait();
}
