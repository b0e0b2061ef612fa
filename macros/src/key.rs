//! The two keys of a model: the primary key, which identifies a row, and the cursor key, which orders all rows.
//!
//! The primary key has the columns that the struct's attribute names, or else the marked fields, or else `id`. The
//! cursor key has the columns of its attribute, followed by the missing primary key columns as a tie-breaker.
//!
//! | attributes | primary key | cursor key |
//! |---|---|---|
//! | none | `id` | `id` |
//! | `cursor_key = "score desc"` | `id` | `score desc, id desc` |
//! | `primary_key = "tenant_id, id"` | `tenant_id, id` | `tenant_id, id` |
//!
//! The columns of both keys exist and can be compared. Columns of the primary key are never NULL, and a nullable column
//! of the cursor key states its NULL position. An explicit `Option` is found here; an alias of one is found by the
//! compiler, with a [`CompilerCheck`].

use proc_macro2::Span;
use syn::{Ident, LitStr, ext::IdentExt};

use crate::{
    attrs::ModelAttrs,
    errors::{CompilerCheck, Errors, SpanRange},
    field::{Column, Field},
    names,
    order::{self, Direction, Nulls, Term},
};

/// The primary key and the cursor key of a model. Invalid columns are left out.
pub(crate) struct Keys {
    /// The columns that identify a row.
    pub(crate) primary: Vec<Column>,
    /// The columns that totally order the model, ending with the tie-breaker.
    pub(crate) cursor: Vec<KeyColumn>,
}

/// A column of the cursor key.
pub(crate) struct KeyColumn {
    /// The column.
    pub(crate) column: Column,
    /// The direction in which it is sorted.
    pub(crate) direction: Direction,
    /// The NULL position, if it is stated.
    pub(crate) nulls: Option<Nulls>,
    /// The mistake if the type turns out to be an alias of `Option`; `None` if it may be one.
    pub(crate) option: Option<CompilerCheck>,
}

/// A field that is declared to be in the primary key, and the span of the declaration.
struct PrimaryKeyField<'a> {
    field: &'a Field,
    span: Span,
}

/// A term of a key's text with the field that it names, and the span of the text.
struct FieldTerm<'a> {
    term: Term,
    field: &'a Field,
    span: Span,
}

impl Keys {
    /// Determines the keys of `model`.
    pub(crate) fn new(model: &Ident, attrs: &ModelAttrs, fields: &[Field], errors: &mut Errors) -> Self {
        let declared = primary_key_fields(model, attrs, fields, errors);
        let primary: Vec<_> = declared.iter().filter_map(|field| field.column(errors).cloned()).collect();
        let mut terms = attrs.cursor_key.as_ref().map(|text| terms(text, fields, errors)).unwrap_or_default();
        // Mistakes in a column of the primary key have been reported already.
        terms.retain(|term| !term.is_in(&declared) || term.is_column_of(&primary));
        let cursor = with_tie_breaker(key_columns(&terms, &primary, errors), &primary);
        Self { primary, cursor }
    }
}

impl<'a> PrimaryKeyField<'a> {
    /// A field that is marked with `#[paginate(primary_key)]`.
    fn marked(field: &'a Field) -> Option<Self> {
        field.mark.map(|span| Self { field, span })
    }

    /// A field that is in the primary key because of its name.
    fn unmarked(field: &'a Field) -> Self {
        Self { field, span: field.column.field.span() }
    }

    /// The column, if it can be used in a primary key.
    fn column(&self, errors: &mut Errors) -> Option<&'a Column> {
        let column = errors.handle(self.span, self.field.in_key())?;
        if self.field.is_option() {
            errors.over(&column.ty, never_null(column));
            return None;
        }
        Some(column)
    }
}

impl<'a> FieldTerm<'a> {
    /// A term of the text at `span`. Fails if no field has its name.
    fn new(term: Term, fields: &'a [Field], span: Span) -> Result<Self, String> {
        let field = find(&term.name, fields)?;
        Ok(Self { term, field, span })
    }

    /// Whether its field is declared to be in the primary key.
    fn is_in(&self, declared: &[PrimaryKeyField<'_>]) -> bool {
        declared.iter().any(|declared| std::ptr::eq(declared.field, self.field))
    }

    /// Whether its field has one of these columns.
    fn is_column_of(&self, columns: &[Column]) -> bool {
        columns.iter().any(|column| self.names(column))
    }

    /// Whether its field has this column.
    fn names(&self, column: &Column) -> bool {
        self.field.column.field == column.field
    }

    /// The term as a column of the cursor key. Fails if its column has no order, or is nullable and the term does not
    /// state where its NULLs are.
    fn key_column(&self, primary: &[Column]) -> Result<KeyColumn, String> {
        match primary.iter().find(|column| self.names(column)) {
            Some(column) => Ok(KeyColumn { nulls: self.term.nulls, ..tie_breaker(column, self.direction()) }),
            None => self.other_column(),
        }
    }

    /// The term as a column of the cursor key that is not in the primary key.
    fn other_column(&self) -> Result<KeyColumn, String> {
        let (column, nulls) = (self.field.in_key()?.clone(), self.term.nulls);
        if self.field.is_option() && nulls.is_none() {
            return Err(unstated(&self.term));
        }
        Ok(KeyColumn { column, direction: self.direction(), nulls, option: self.option_check() })
    }

    /// The mistake if the column's type is an alias of `Option`, and no NULL position is stated.
    fn option_check(&self) -> Option<CompilerCheck> {
        let check = || CompilerCheck { span: self.span.into(), message: unstated(&self.term) };
        self.term.nulls.is_none().then(check)
    }

    /// The direction in which the column is sorted.
    fn direction(&self) -> Direction {
        self.term.direction.unwrap_or_default()
    }

    /// The term as a field of the primary key, which has no order.
    fn into_primary_key(self, errors: &mut Errors) -> PrimaryKeyField<'a> {
        let Self { term, field, span } = self;
        if term.has_order() {
            let name = term.name;
            errors.at(span, format!("a primary key has no order; write `{name}` alone, and its order in `cursor_key`"));
        }
        PrimaryKeyField { field, span }
    }

    /// The term, if none of `earlier` has its field.
    fn unlike(self, earlier: &[Self]) -> Result<Self, String> {
        if earlier.iter().any(|earlier| std::ptr::eq(earlier.field, self.field)) {
            return Err(format!("`{}` is named twice; keep one", self.term.name));
        }
        Ok(self)
    }
}

/// The terms as columns of the cursor key. Invalid terms are reported and left out.
fn key_columns(terms: &[FieldTerm<'_>], primary: &[Column], errors: &mut Errors) -> Vec<KeyColumn> {
    terms.iter().filter_map(|term| errors.handle(term.span, term.key_column(primary))).collect()
}

/// Appends the missing primary key columns as a tie-breaker, in the direction of the last column, so that one index
/// serves both directions.
fn with_tie_breaker(mut cursor: Vec<KeyColumn>, primary: &[Column]) -> Vec<KeyColumn> {
    let direction = cursor.last().map(|last| last.direction).unwrap_or_default();
    for column in primary {
        if cursor.iter().all(|key| key.column.field != column.field) {
            cursor.push(tie_breaker(column, direction));
        }
    }
    cursor
}

/// A primary key column as a column of the cursor key.
fn tie_breaker(column: &Column, direction: Direction) -> KeyColumn {
    let option = Some(CompilerCheck { span: SpanRange::of(&column.ty), message: never_null(column) });
    KeyColumn { column: column.clone(), direction, nulls: None, option }
}

/// The message for an `Option` in the primary key.
fn never_null(column: &Column) -> String {
    let name = column.field.unraw();
    format!("`{name}` is in the primary key, which is never NULL; write its type without `Option`")
}

/// The message for a model without a primary key.
fn no_primary_key(model: &Ident) -> String {
    format!("`{model}` has no primary key; name a field `id` or mark one with `#[paginate(primary_key)]`")
}

/// The message for an `Option` without a NULL position.
fn unstated(term: &Term) -> String {
    format!("`{}` may be NULL; write `{term} nulls first` or `{term} nulls last`", term.name)
}

/// The fields of the primary key: those that the struct's attribute names, or else the marked fields, or else `id`.
fn primary_key_fields<'a>(
    model: &Ident,
    attrs: &ModelAttrs,
    fields: &'a [Field],
    errors: &mut Errors,
) -> Vec<PrimaryKeyField<'a>> {
    let marked: Vec<_> = fields.iter().filter_map(PrimaryKeyField::marked).collect();
    if let Some(text) = &attrs.primary_key {
        for mark in marked {
            errors.at(mark.span, "the struct already has a `primary_key`; keep one of the two");
        }
        return named_fields(text, fields, errors);
    }
    if marked.is_empty() { id_field(model, fields, errors).into_iter().collect() } else { marked }
}

/// The field `id`, or the one whose column has this name.
fn id_field<'a>(model: &Ident, fields: &'a [Field], errors: &mut Errors) -> Option<PrimaryKeyField<'a>> {
    let id = fields.iter().find(|field| field.is_id()).map(PrimaryKeyField::unmarked);
    // After another mistake, the missing key may just be a misspelled one.
    if id.is_none() && errors.is_empty() {
        errors.at(model.span(), no_primary_key(model));
    }
    id
}

/// The fields that the struct's `primary_key` attribute names.
fn named_fields<'a>(text: &LitStr, fields: &'a [Field], errors: &mut Errors) -> Vec<PrimaryKeyField<'a>> {
    terms(text, fields, errors).into_iter().map(|term| term.into_primary_key(errors)).collect()
}

/// The terms of a key's text, each with its field. Unknown and repeated names are reported and left out.
fn terms<'a>(text: &LitStr, fields: &'a [Field], errors: &mut Errors) -> Vec<FieldTerm<'a>> {
    let span = text.span();
    let mut found: Vec<FieldTerm> = Vec::new();
    for term in order::terms(&text.value()) {
        let term = term.and_then(|term| FieldTerm::new(term, fields, span)?.unlike(&found));
        found.extend(errors.handle(span, term));
    }
    found
}

/// The field that a key's text names.
fn find<'a>(name: &str, fields: &'a [Field]) -> Result<&'a Field, String> {
    let name = name.strip_prefix("r#").unwrap_or(name);
    field_or_column(name, fields).ok_or_else(|| unknown(name, fields))
}

/// The field with this name, or else the field whose column has it.
fn field_or_column<'a>(name: &str, fields: &'a [Field]) -> Option<&'a Field> {
    let by_column = || fields.iter().find(|field| field.is_column() && field.column.name == name);
    fields.iter().find(|field| field.name() == name).or_else(by_column)
}

/// The message for a name that no field has.
fn unknown(name: &str, fields: &[Field]) -> String {
    let known: Vec<_> = fields.iter().filter(|field| field.in_key().is_ok()).map(Field::name).collect();
    format!("unknown field `{name}`; {}", names::instead(name, &known))
}
