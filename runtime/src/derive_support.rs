//! Macros that expand to what every model has. The derive emits names and types, and these add the methods.
//!
//! | macro | expands to |
//! |---|---|
//! | `__columns!` | a constant for each column |
//! | `__queries!` | `query`, `on`, `paginate` and their siblings |
//! | `__row_of!` | `RowOf` for a row with some of a model's columns |
//! | `__key!` | the traits and methods of the key type, and `cursor_key` on the model |
//! | `__column_value!` | `ColumnValue` and `CursorValue`, for an enum or a newtype |
//! | `__into_value!` | its conversions into sea-query's `Value` |
//! | `__readable!` | checks that some driver reads each column, and the whole row |
//! | `__is_nullable!` | whether a type can be NULL |
//!
//! `__fields!` and `__reader!` are with the drivers, in `driver/row.rs`, and `__resource!` with JSON:API. A macro of
//! this crate is parsed once for all models, while tokens that the derive emits are parsed for each. It also keeps the
//! expansion short to read.
//!
//! Paths begin with `$crate` or `::core`, so that nothing in the user's scope can shadow them. Except for the one place
//! that names `CursorValue`, a column's type is only reached through [`ValueProbe`](crate::__private::ValueProbe), so
//! that a type that lacks the trait is one error.

/// The columns of a model as constants. The derive calls this.
#[doc(hidden)]
#[macro_export]
macro_rules! __columns {
    ($vis:vis $model:ident { $($column:ident: $type:ty = $name:literal;)* }) => {
        impl $model {
            $(
                #[doc = ::core::concat!(" Column `", $name, "`.")]
                $vis const $column: $crate::Column<$type, Self> = $crate::Column::__of($name);
            )*
        }
    };
}

/// The query methods, which are the same for every model. The derive calls this.
///
/// They return the builder's futures. Four `async fn`s for each struct would double the time to compile a model.
#[doc(hidden)]
#[macro_export]
macro_rules! __queries {
    ($vis:vis $model:ident) => {
        impl $model {
            /// A query over all rows.
            $vis fn query() -> $crate::Builder<Self> {
                $crate::Builder::new()
            }

            $crate::__queries!(@pages $vis);
        }
    };
    ($vis:vis $model:ident where $filter:literal) => {
        impl $model {
            #[doc = ::core::concat!(" A query over the rows with `", $filter, "`.")]
            $vis fn query() -> $crate::Builder<Self> {
                $crate::Builder::new()
            }

            /// A query over all rows of the table, without the model's default filter.
            $vis fn unfiltered() -> $crate::Builder<Self> {
                $crate::Builder::__unfiltered()
            }

            $crate::__queries!(@pages $vis);
        }
    };
    ($vis:vis $model:ident of $tenant:ty = $column:literal) => {
        impl $model {
            #[doc = ::core::concat!(" A query over the rows with this tenant in the column `", $column, "`.")]
            ///
            /// Its cursors are bound to the tenant: see [`Builder::cursor_scope`]($crate::Builder::cursor_scope).
            $vis fn of(tenant: $tenant) -> $crate::Builder<Self> {
                $crate::Builder::__of_tenant(tenant)
            }

            /// A query over the rows of all tenants, without the model's default filter.
            $vis fn unfiltered() -> $crate::Builder<Self> {
                $crate::Builder::__unfiltered()
            }

            /// Does not compile, because each row belongs to a tenant: use [`of`](Self::of), or
            /// [`unfiltered`](Self::unfiltered).
            $vis fn query() -> $crate::Builder<Self>
            where
                for<'tenant> Self: $crate::__private::WithoutTenant,
            {
                $crate::Builder::new()
            }
        }
    };
    (@pages $vis:vis) => {
        /// A query over all rows that reads from a registered connection.
        $vis fn on(connection: &str) -> $crate::Builder<Self> {
            Self::query().on(connection)
        }

        /// Reads one page with the total and page numbers: see [`Builder::paginate`]($crate::Builder::paginate).
        $vis fn paginate(
            per_page: u64,
        ) -> impl ::core::future::Future<Output = $crate::Result<$crate::LengthAwarePaginator<Self>>> {
            Self::query().paginate(per_page)
        }

        /// Same as [`paginate`](Self::paginate), with another query key than `page`.
        $vis fn paginate_using(
            page_key: &str,
            per_page: u64,
        ) -> impl ::core::future::Future<Output = $crate::Result<$crate::LengthAwarePaginator<Self>>> {
            Self::query().paginate_using(page_key, per_page)
        }

        /// Reads one page without the total: see [`Builder::simple_paginate`]($crate::Builder::simple_paginate).
        $vis fn simple_paginate(
            per_page: u64,
        ) -> impl ::core::future::Future<Output = $crate::Result<$crate::Paginator<Self>>> {
            Self::query().simple_paginate(per_page)
        }

        /// Reads one page by cursor: see [`Builder::cursor_paginate`]($crate::Builder::cursor_paginate).
        $vis fn cursor_paginate(
            per_page: u64,
        ) -> impl ::core::future::Future<Output = $crate::Result<$crate::CursorPaginator<Self>>> {
            Self::query().cursor_paginate(per_page)
        }
    };
}

/// The implementation of `RowOf` for a row of a model. The derive calls this with the columns and the computed fields.
#[doc(hidden)]
#[macro_export]
macro_rules! __row_of {
    (
        $row:ident of $model:path
        { $($column:literal $(: $type:ty)?),* }
        { $($computed:literal = $sql:literal),* }
    ) => {
        #[automatically_derived]
        impl $crate::RowOf<$model> for $row {
            const COLUMNS: &'static $crate::__private::Columns =
                &$crate::__private::Columns::Named($crate::__fields![$($column $(: $type)?),*]);
            const COMPUTED: &'static [(&'static ::core::primitive::str, &'static ::core::primitive::str)] =
                &[$(($computed, $sql)),*];
            const VALUES: ::core::primitive::usize = 0;
            const READER: $crate::__private::Reader<Self> =
                $crate::__reader!($row, || <$row as $crate::RowOf<$model>>::COLUMNS.fields());
        }
        const _: () = $crate::__private::assert_readable::<$row, {
            $crate::__private::is_readable_row::<$model, $row>()
        }>();
    };
}

/// The methods of every model's key. The derive calls this with the columns of the key.
///
/// Only `VARIANTS` names the trait `CursorValue`, so the compiler reports a type that lacks it once.
#[doc(hidden)]
#[macro_export]
macro_rules! __key {
    ($vis:vis $key:ident of $model:ident {
        $($field:ident: $type:ty = $name:literal $direction:ident $($nulls:ident)?;)*
    }) => {
        #[automatically_derived]
        impl ::core::clone::Clone for $key {
            fn clone(&self) -> Self {
                use $crate::__private::NoCursorValue as _;
                Self { $($field: $crate::__private::ValueProbe::<$type>::clone(&self.$field)),* }
            }
        }

        #[automatically_derived]
        impl ::core::fmt::Debug for $key {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                use $crate::__private::NoCursorValue as _;
                f.debug_struct(::core::stringify!($key))
                    $(.field(::core::stringify!($field), $crate::__private::ValueProbe::<$type>::debug(&self.$field)))*
                    .finish()
            }
        }

        impl ::core::cmp::PartialEq for $key {
            fn eq(&self, other: &Self) -> bool {
                use $crate::__private::NoCursorValue as _;
                true $(&& $crate::__private::ValueProbe::<$type>::eq(&self.$field, &other.$field))*
            }
        }

        impl $key {
            /// The variants of the key's columns, in order.
            pub const VARIANTS: [$crate::Variant; <[&::core::primitive::str]>::len(&[$($name),*])] =
                [$(<$type as $crate::CursorValue>::VARIANT),*];

            /// Encrypts the key and a direction as a cursor.
            ///
            /// # Errors
            /// [`Internal`]($crate::FrameworkError::Internal) without a keyring.
            pub fn encode(&self, direction: $crate::CursorDirection) -> $crate::Result<::std::string::String> {
                $crate::__private::encode_key(self, direction)
            }

            /// Decrypts a cursor that [`encode`](Self::encode) made.
            ///
            /// # Errors
            /// [`Domain`]($crate::FrameworkError::Domain), 400, for any other text;
            /// [`Internal`]($crate::FrameworkError::Internal) without a keyring.
            pub fn decode(cursor: &str) -> $crate::Result<(Self, $crate::CursorDirection)> {
                $crate::__private::decode_key(cursor)
            }
        }

        #[automatically_derived]
        impl $crate::CursorKey for $key {
            type Model = $model;
            const COLUMNS: &'static [$crate::__private::KeyColumn] = {
                use $crate::__private::NoCursorValue as _;
                &[$(
                    $crate::__private::KeyColumn::new(
                        $name,
                        $crate::__private::ValueProbe::<$type>::KIND,
                        $crate::__private::Direction::$direction,
                        $crate::__key!(@nulls $($nulls)?),
                    )
                ),*]
            };

            fn into_values(self) -> ::std::vec::Vec<$crate::Value> {
                use $crate::__private::NoCursorValue as _;
                ::std::vec![$($crate::__private::ValueProbe::<$type>::into_value(self.$field)),*]
            }

            fn from_values(values: &mut $crate::__private::Values) -> $crate::Result<Self> {
                use $crate::__private::NoCursorValue as _;
                ::core::result::Result::Ok(Self {
                    $($field: values.take($crate::__private::ValueProbe::<$type>::from_value)?),*
                })
            }
        }

        impl $model {
            /// The values of the cursor key in this row.
            $vis fn cursor_key(&self) -> $key {
                use $crate::__private::NoCursorValue as _;
                $key { $($field: $crate::__private::ValueProbe::<$type>::clone(&self.$field)),* }
            }
        }
    };
    (@nulls) => { ::core::option::Option::None };
    (@nulls $nulls:ident) => { ::core::option::Option::Some($crate::Nulls::$nulls) };
}

/// The implementation of `ColumnValue` for an enum or a newtype. The derive calls this with the variants and how they
/// are stored, with the field of a newtype, or with the functions that convert the type to a text and back.
#[doc(hidden)]
#[macro_export]
macro_rules! __column_value {
    ($type:ident: str $(as $column:tt)? { $($variant:ident = $text:literal),* }) => {
        $crate::__column_value! {
            @impl $type as ::std::string::String,
            |value| ::std::borrow::ToOwned::to_owned(match value { $(Self::$variant => $text),* }),
            |text| match &*text {
                $($text => ::core::option::Option::Some(Self::$variant),)*
                _ => ::core::option::Option::None,
            },
            exact: $crate::__column_value!(@exact ::std::string::String),
            postgres: $crate::__column_value!(@postgres $($column)?),
            listed: ::std::vec![$(::std::borrow::ToOwned::to_owned($text)),*]
        }
    };
    ($type:ident: $number:ident { $($variant:ident),* }) => {
        $crate::__column_value! {
            $type: $number { $($variant = Self::$variant as ::core::primitive::$number),* }
        }
    };
    ($type:ident: $number:ident { $($variant:ident = $value:expr),* }) => {
        $crate::__column_value! {
            @impl $type as ::core::primitive::$number,
            |value| match value { $(Self::$variant => $value),* },
            |number| match number {
                $(_ if number == $value => ::core::option::Option::Some(Self::$variant),)*
                _ => ::core::option::Option::None,
            },
            exact: $crate::__column_value!(@exact ::core::primitive::$number),
            postgres: $crate::__column_value!(@postgres),
            listed: {
                let numbers: &[::core::primitive::$number] = &[$($value),*];
                ::core::iter::Iterator::collect(::core::iter::Iterator::map(
                    numbers.iter(),
                    ::std::string::ToString::to_string,
                ))
            }
        }
    };
    ($type:ident { $field:tt: $inner:ty }) => {
        $crate::__column_value! {
            @impl $type as $inner,
            |value| value.$field,
            |inner| ::core::option::Option::Some(Self { $field: inner }),
            exact: $crate::__column_value!(@exact $inner),
            // sqlx's trait has the name of the field's type. A type of sea-orm need not implement it.
            postgres: $crate::__column_value!(@postgres)
                .or_else($crate::__private::ValueProbe::<$inner>::postgres_type),
            listed: $crate::__private::ValueProbe::<$inner>::listed()
        }
    };
    // Two texts may be read as the same value, so what is written back can be another text.
    ($type:ident through $to_text:expr, $from_text:expr) => {
        $crate::__column_value! {
            @impl $type as ::std::string::String,
            |value| ::core::convert::From::from($to_text(&value)),
            |text| ::core::result::Result::ok($from_text(&text)),
            exact: false,
            postgres: $crate::__column_value!(@postgres text),
            listed: ::std::vec::Vec::new()
        }
    };
    (@exact $stored:ty) => { $crate::__private::ValueProbe::<$stored>::EXACT };
    (@postgres) => { $crate::__private::Probe::<Self>::POSTGRES_TYPE.map(|name| name()) };
    (@postgres text) => { ::core::option::Option::None };
    (@postgres $name:literal) => { ::core::option::Option::Some(::std::borrow::ToOwned::to_owned($name)) };
    (
        @impl $type:ident as $stored:ty, $write:expr, $read:expr,
        exact: $exact:expr, postgres: $postgres:expr, listed: $listed:expr
    ) => {
        #[automatically_derived]
        impl $crate::CursorValue for $type {
            const VARIANT: $crate::Variant = <$stored as $crate::CursorValue>::VARIANT;
            const EXACT: ::core::primitive::bool = {
                #[allow(unused_imports, reason = "a type that is converted to a text asks no other type")]
                use $crate::__private::NoCursorValue as _;
                $exact
            };

            fn into_value(self) -> $crate::Value {
                use $crate::__private::NoCursorValue as _;
                let write: fn(Self) -> $stored = $write;
                $crate::__private::ValueProbe::<$stored>::into_value(write(self))
            }

            fn from_value(value: $crate::Value) -> ::core::option::Option<Self> {
                use $crate::__private::NoCursorValue as _;
                let read: fn($stored) -> ::core::option::Option<Self> = $read;
                read($crate::__private::ValueProbe::<$stored>::from_value(value)?)
            }

            fn __postgres_type() -> ::core::option::Option<::std::string::String> {
                #[allow(unused_imports, reason = "a type that states its column asks no other trait")]
                use $crate::__private::{NoCursorValue as _, NoPostgresType as _};
                $postgres
            }

            fn __listed() -> ::std::vec::Vec<::std::string::String> {
                #[allow(unused_imports, reason = "only a newtype asks another type")]
                use $crate::__private::NoCursorValue as _;
                $listed
            }
        }

        #[automatically_derived]
        impl $crate::ColumnValue for $type {}
    };
}

/// The conversions of a column's own type into sea-query's `Value`. The derive calls this unless sea-orm has them.
#[doc(hidden)]
#[macro_export]
macro_rules! __into_value {
    ($type:ident) => {
        #[automatically_derived]
        impl ::core::convert::From<$type> for $crate::Value {
            fn from(value: $type) -> Self {
                $crate::__private::operand(value)
            }
        }

        #[automatically_derived]
        impl $crate::sea_query::Nullable for $type {
            fn null() -> $crate::Value {
                $crate::__private::operand(::core::option::Option::None::<$type>)
            }
        }
    };
}

/// Fails to compile if no enabled driver has the type of a field, or none can read the model from a row.
#[doc(hidden)]
#[macro_export]
macro_rules! __readable {
    ($model:ident { $($place:literal: $type:ty;)* }) => {
        $(
            const _: () = $crate::__private::assert_held::<$type, { $crate::__private::is_held::<$model>($place) }>();
        )*
        const _: () = $crate::__private::assert_readable::<$model, { $crate::__private::is_readable::<$model>() }>();
    };
}

/// Whether a type can be NULL. The derives assert that it cannot.
#[doc(hidden)]
#[macro_export]
macro_rules! __is_nullable {
    ($type:ty) => {{
        use $crate::__private::NoCursorValue as _;
        $crate::__private::ValueProbe::<$type>::NULLABLE
    }};
}
