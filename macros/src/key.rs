//! The two keys of a model: the primary key, which identifies a row, and the cursor key, which orders all rows.
//!
//! The primary key is the columns that the struct's attribute names, else the marked fields, else `id`. The cursor key
//! is the columns of its attribute, followed by the missing primary key columns as a tie-breaker.

use proc_macro2::Span;
use syn::{Ident, LitStr, ext::IdentExt};

use crate::{
    attrs::ModelAttrs,
    errors::{Errors, Hidden, Words},
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
    pub(crate) option: Option<Hidden>,
}

/// A field that is declared to be in the primary key, and the span of the declaration.
struct Claim<'a> {
    field: &'a Field,
    word: Span,
}

impl Keys {
    /// Determines the keys of `model`.
    pub(crate) fn new(model: &Ident, attrs: &ModelAttrs, fields: &[Field], errors: &mut Errors) -> Self {
        let claims = claims(model, attrs, fields, errors);
        let primary: Vec<_> = claims.iter().filter_map(|claim| claim.column(errors).cloned()).collect();
        let terms = attrs.cursor_key.as_ref().map(|text| terms(text, fields, errors)).unwrap_or_default();
        let mut cursor = Vec::new();
        for (term, field, word) in terms {
            let direction = term.direction.unwrap_or_default();
            // Mistakes in a column of the primary key have been reported already.
            let column = match claims.iter().any(|claim| std::ptr::eq(claim.field, field)) {
                true => primary
                    .iter()
                    .find(|column| column.field == field.column.field)
                    .map(|column| KeyColumn { nulls: term.nulls, ..closing(column, direction) }),
                false => errors.handle(word, ordered(&term, field)).map(|column| KeyColumn {
                    column: column.clone(),
                    direction,
                    nulls: term.nulls,
                    option: term.nulls.is_none().then(|| Hidden { words: word.into(), message: unstated(&term) }),
                }),
            };
            cursor.extend(column);
        }
        close(&mut cursor, &primary);
        Self { primary, cursor }
    }
}

impl Claim<'_> {
    /// The column, if it can be used in a primary key.
    fn column(&self, errors: &mut Errors) -> Option<&Column> {
        let column = errors.handle(self.word, self.field.in_key())?;
        if self.field.is_option() {
            errors.over(&column.ty, never_null(column));
            return None;
        }
        Some(column)
    }
}

/// Appends the missing primary key columns as a tie-breaker, in the direction of the last column, so that one index
/// serves both directions.
fn close(cursor: &mut Vec<KeyColumn>, primary: &[Column]) {
    let direction = cursor.last().map(|last| last.direction).unwrap_or_default();
    for column in primary {
        if cursor.iter().all(|key| key.column.field != column.field) {
            cursor.push(closing(column, direction));
        }
    }
}

/// A primary key column as a column of the cursor key.
fn closing(column: &Column, direction: Direction) -> KeyColumn {
    let option = Some(Hidden { words: Words::of(&column.ty), message: never_null(column) });
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

/// The fields of the primary key: those that the struct's attribute names, else those that are marked, else `id`.
fn claims<'a>(model: &Ident, attrs: &ModelAttrs, fields: &'a [Field], errors: &mut Errors) -> Vec<Claim<'a>> {
    let marked = fields.iter().filter_map(|field| field.mark.map(|word| Claim { field, word }));
    if let Some(text) = &attrs.primary_key {
        for claim in marked {
            errors.at(claim.word, "the struct already has a `primary_key`; keep one of the two");
        }
        return unordered(text, fields, errors);
    }
    let marked: Vec<_> = marked.collect();
    if !marked.is_empty() {
        return marked;
    }
    let id = fields.iter().find(|field| field.in_key().is_ok_and(|column| field.name() == "id" || column.name == "id"));
    // After another mistake, the missing key may just be a misspelled one.
    if id.is_none() && errors.is_empty() {
        let message =
            format!("`{model}` has no primary key; name a field `id` or mark one with `#[paginate(primary_key)]`");
        errors.at(model.span(), message);
    }
    id.map(|field| Claim { field, word: field.column.field.span() }).into_iter().collect()
}

/// The fields that the struct's `primary_key` attribute names.
fn unordered<'a>(text: &LitStr, fields: &'a [Field], errors: &mut Errors) -> Vec<Claim<'a>> {
    let terms = terms(text, fields, errors).into_iter();
    let claim = |(term, field, word): (Term, &'a Field, Span)| {
        if term.direction.is_some() || term.nulls.is_some() {
            let message =
                format!("a primary key has no order; write `{}` alone, and its order in `cursor_key`", term.name);
            errors.at(word, message);
        }
        Claim { field, word }
    };
    terms.map(claim).collect()
}

/// The terms of a key's text, each with its field and its span.
fn terms<'a>(text: &LitStr, fields: &'a [Field], errors: &mut Errors) -> Vec<(Term, &'a Field, Span)> {
    let mut found: Vec<(Term, &Field, Span)> = Vec::new();
    for term in order::terms(&text.value()) {
        let Some(term) = errors.handle(text.span(), term) else { continue };
        let Some(field) = errors.handle(text.span(), find(&term.name, fields)) else { continue };
        if found.iter().any(|(_, earlier, _)| std::ptr::eq(*earlier, field)) {
            errors.at(text.span(), format!("`{}` is named twice; keep one", term.name));
        } else {
            found.push((term, field, text.span()));
        }
    }
    found
}

/// The field with this name, else the field whose column has it.
fn find<'a>(name: &str, fields: &'a [Field]) -> Result<&'a Field, String> {
    let name = name.strip_prefix("r#").unwrap_or(name);
    let field = fields.iter().find(|field| field.name() == name);
    let field = field.or_else(|| fields.iter().find(|field| field.is_column() && field.column.name == name));
    field.ok_or_else(|| {
        let known: Vec<_> = fields.iter().filter(|field| field.in_key().is_ok()).map(Field::name).collect();
        format!("unknown field `{name}`; {}", names::instead(name, &known))
    })
}

/// The column of a term, if it can be used in a key and a nullable one states its NULL position.
fn ordered<'a>(term: &Term, field: &'a Field) -> Result<&'a Column, String> {
    let column = field.in_key()?;
    if field.is_option() && term.nulls.is_none() {
        return Err(unstated(term));
    }
    Ok(column)
}
