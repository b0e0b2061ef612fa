//! Sections, each with the list of its packages.

use async_graphql::connection::Connection;
use async_graphql::{ComplexObject, Context, Object, SimpleObject};
use folio::async_graphql::{ConnectionLoader, TotalCount};
use folio::{Column, Folio, Result, Select};

use crate::packages::{Package, PackageConnection, PackageList, PackageOrder, cost, window};

/// A section of the distribution, such as `games`.
#[derive(Debug, sqlx::FromRow, SimpleObject)]
#[graphql(complex)]
pub(crate) struct Section {
    name: String,
}

#[ComplexObject]
impl Section {
    /// The packages of the section.
    #[graphql(complexity = "cost(first, last, child_complexity)")]
    async fn packages(
        &self,
        ctx: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
        #[graphql(default_with = "PackageOrder::Dependencies")] order_by: PackageOrder,
    ) -> async_graphql::Result<PackageConnection> {
        let list = PackageList::of(ctx, order_by);
        let packages = ctx.data_unchecked::<PackageLoader>();
        Ok(packages.load(self.name.clone(), window(first, after, last, before), list).await?.into())
    }
}

/// Reads the packages of all sections of a page with one statement.
pub(crate) type PackageLoader = ConnectionLoader<Package, String, PackageList>;

pub(crate) fn loader(folio: &Folio) -> PackageLoader {
    ConnectionLoader::new(folio, |sections, list: &PackageList| {
        Ok(list.query(Package::query()).each_of(Package::SECTION, sections))
    })
}

/// The part of the query for sections.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sections;

#[Object]
impl Sections {
    /// The sections by name.
    #[graphql(complexity = "cost(first, last, child_complexity)")]
    async fn sections(
        &self,
        ctx: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
    ) -> Result<Connection<String, Section, TotalCount>> {
        let list = Select::<Section>::sql("SELECT DISTINCT section AS name FROM packages");
        let list = list.order_by(Column::<String>::new("name"));
        let is_counted = ctx.look_ahead().field("totalCount").exists();
        let list = if is_counted { list.counted() } else { list };
        Ok(list.connection(window(first, after, last, before)).await?.into())
    }

    /// A section by its name. Null if no package has it.
    async fn section(&self, name: String) -> Result<Option<Section>> {
        let page = Package::query().filter(Package::SECTION.eq(name)).page(1).simple_paginate(1).await?;
        Ok(page.data.into_iter().next().map(|package| Section { name: package.section }))
    }
}
