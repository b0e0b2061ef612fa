//! The two keys of a model: the primary key, which identifies a row, and the cursor key, which orders all rows.
//!
//! The primary key has the columns that the struct's attribute names, or else the marked fields, or else those that
//! sea-orm's attribute marks, or else `id`. The cursor key has the columns of its attribute, followed by the missing primary key columns as a tie-breaker.
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
        terms.retain(|term| {
            let is_declared = declared.iter().any(|declared| std::ptr::eq(declared.field, term.field));
            !is_declared || primary.iter().any(|column| term.names(column))
        });
        let key_column = |term: &FieldTerm<'_>| errors.handle(term.span, term.key_column(&primary));
        let mut cursor: Vec<_> = terms.iter().filter_map(key_column).collect();
        // The missing primary key columns break ties, in the direction of the last column, so that one index serves
        // both directions.
        let direction = cursor.last().map(|last| last.direction).unwrap_or_default();
        for column in &primary {
            if cursor.iter().all(|key| key.column.field != column.field) {
                cursor.push(tie_breaker(column, direction));
            }
        }
        Self { primary, cursor }
    }
}

/// The column with the tenant that a row belongs to.
pub(crate) struct Tenant {
    /// The column.
    pub(crate) column: Column,
    /// The mistake if the type turns out to be an alias of `Option`.
    pub(crate) option: CompilerCheck,
}

impl Tenant {
    /// The column that the attribute names, by its field's name or its own.
    pub(crate) fn new(name: &LitStr, fields: &[Field], errors: &mut Errors) -> Option<Self> {
        let field = errors.handle(name.span(), find(name.value().trim(), fields))?;
        let column = errors.handle(name.span(), field.in_key())?.clone();
        let message =
            format!("`{}` is the tenant, which is never NULL; write its type without `Option`", column.field.unraw());
        if field.is_option() {
            errors.over(&column.ty, message);
            return None;
        }
        Some(Self { option: CompilerCheck { span: SpanRange::of(&column.ty), message }, column })
    }
}

impl<'a> PrimaryKeyField<'a> {
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

impl FieldTerm<'_> {
    /// Whether its field has this column.
    fn names(&self, column: &Column) -> bool {
        self.field.column.field == column.field
    }

    /// The term as a column of the cursor key. Fails if its column has no order, or is nullable and the term does not
    /// state where its NULLs are.
    fn key_column(&self, primary: &[Column]) -> Result<KeyColumn, String> {
        let (direction, nulls) = (self.term.direction.unwrap_or_default(), self.term.nulls);
        if let Some(column) = primary.iter().find(|column| self.names(column)) {
            return Ok(KeyColumn { nulls, ..tie_breaker(column, direction) });
        }
        let column = self.field.in_key()?.clone();
        if self.field.is_option() && nulls.is_none() {
            return Err(unstated(&self.term));
        }
        let check = || CompilerCheck { span: self.span.into(), message: unstated(&self.term) };
        Ok(KeyColumn { column, direction, nulls, option: nulls.is_none().then(check) })
    }
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

/// The message for an `Option` without a NULL position.
fn unstated(term: &Term) -> String {
    format!("`{}` may be NULL; write `{term} nulls first` or `{term} nulls last`", term.name)
}

/// The fields of the primary key: those that the struct's attribute names, or else the marked fields, or else those that
/// sea-orm's attribute marks, or else `id`.
fn primary_key_fields<'a>(
    model: &Ident,
    attrs: &ModelAttrs,
    fields: &'a [Field],
    errors: &mut Errors,
) -> Vec<PrimaryKeyField<'a>> {
    let by = |mark: fn(&Field) -> Option<Span>| -> Vec<_> {
        fields.iter().filter_map(|field| Some(PrimaryKeyField { span: mark(field)?, field })).collect()
    };
    let marked = by(|field| field.mark);
    if let Some(text) = &attrs.primary_key {
        for mark in marked {
            errors.at(mark.span, "the struct already has a `primary_key`; keep one of the two");
        }
        let mut named = Vec::new();
        for FieldTerm { term, field, span } in terms(text, fields, errors) {
            if term.has_order() {
                let name = term.name;
                let advice = format!("write `{name}` alone, and its order in `cursor_key`");
                errors.at(span, format!("a primary key has no order; {advice}"));
            }
            named.push(PrimaryKeyField { field, span });
        }
        return named;
    }
    if !marked.is_empty() {
        return marked;
    }
    let marked_for_sea_orm = by(|field| field.sea_orm_mark);
    if !marked_for_sea_orm.is_empty() {
        return marked_for_sea_orm;
    }
    let id = fields.iter().find(|field| field.is_id());
    // After another mistake, the missing key may just be a misspelled one.
    if id.is_none() && errors.is_empty() {
        let advice = "name a field `id` or mark one with `#[paginate(primary_key)]`";
        errors.at(model.span(), format!("`{model}` has no primary key; {advice}"));
    }
    id.map(|field| PrimaryKeyField { field, span: field.column.field.span() }).into_iter().collect()
}

/// The terms of a key's text, each with its field. Unknown and repeated names are reported and left out.
fn terms<'a>(text: &LitStr, fields: &'a [Field], errors: &mut Errors) -> Vec<FieldTerm<'a>> {
    let span = text.span();
    let mut found: Vec<FieldTerm> = Vec::new();
    for term in order::terms(&text.value()) {
        let term = term.and_then(|term| {
            let field = find(&term.name, fields)?;
            if found.iter().any(|earlier| std::ptr::eq(earlier.field, field)) {
                return Err(format!("`{}` is named twice; keep one", term.name));
            }
            Ok(FieldTerm { term, field, span })
        });
        found.extend(errors.handle(span, term));
    }
    found
}

/// The field that a key's text names, by its own name or else by its column's.
fn find<'a>(name: &str, fields: &'a [Field]) -> Result<&'a Field, String> {
    let name = name.strip_prefix("r#").unwrap_or(name);
    let by_column = || fields.iter().find(|field| field.is_column() && field.column.name == name);
    fields.iter().find(|field| field.name() == name).or_else(by_column).ok_or_else(|| {
        let known: Vec<_> = fields.iter().filter(|field| field.in_key().is_ok()).map(Field::name).collect();
        format!("unknown field `{name}`; {}", names::instead(name, &known))
    })
}
