#!/usr/bin/env python3
"""Makes one mistake at a time in the code, and shows that a test catches each.

A test that cannot fail proves nothing. The files are restored, also if the script is interrupted.

    seed_mistakes.py                    every mistake; needs FOLIO_POSTGRES_URL, FOLIO_MYSQL_URL and FOLIO_CHROMIUM
    seed_mistakes.py limit "mysql order"   mistakes with this in their name, or that these tests must catch
    seed_mistakes.py --check            changes and builds nothing: lists mistakes that no longer fit the code
"""

import os
import pathlib
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# How long the tests of a mistake may take, in seconds.
LONGEST = 300

# the mistake | the file | the code | the code with the mistake | the tests that must catch it, if not "sqlite walks"
MISTAKES = [
    ("a quote that ends an attribute", "runtime/src/web/html/markup.rs", """'>', '"', '""", """'>', '""", "html"),
    ("a previous page past the end", "runtime/src/web/html/nav.rs", "page.min(self.last_page)", "page", "html"),
    ("an attribute that is written twice", "runtime/src/web/html/nav.rs", "other.eq_ignore_ascii_case(name))", "other.eq_ignore_ascii_case(name) && false)", "html"),
    ("an end of the list that is not a link", "runtime/src/web/html/nav.rs", '("role", is_end.then_some("link"))', '("role", None)', "html"),
    ("links of a list with one page", "runtime/src/web/html/nav.rs", "if self.previous.is_none() && self.next.is_none() {", "if self.previous.is_none() && self.next.is_none() && false {", "html"),
    ("a form that keeps its page", "runtime/src/web/html/form.rs", "vec![PAGE_NAME.to_owned(), CURSOR_NAME.to_owned()]", "vec![CURSOR_NAME.to_owned()]", "html"),
    ("a list that grows by the wrong rows", "runtime/src/web/html/load_more.rs", 'format!("{} > *", self.rows)', 'format!("{} *", self.rows)', "html"),
    ("a checked text that another database reads", "core/src/custom/raw_sql/mod.rs", "if checked_for != read_from {", "if checked_for != read_from && false {", "units"),
    ("a column's name that is taken for an override", "core/src/custom/raw_sql/overrides.rs", 'if in_list && is_after("AS") {', "if in_list {", "units"),
    ("an alias whose override stays where it is used", "core/src/custom/raw_sql/overrides.rs", "|| !aliases.contains(token.text) {", "|| token.start > 40 {", "units"),
    ("an override without AS", "core/src/custom/raw_sql/overrides.rs", "if is_name && after.is_none_or(", "if is_name && false && after.is_none_or(", "units"),
    ("an aggregate over a page", "core/src/custom/row_value.rs", '    "JSON_GROUP_OBJECT",\n', '    "JSON_GROUP_OBJECTS",\n', "units"),
    ("an aggregate whose name is in quotes", "core/src/custom/row_value.rs", "let called = token.name()", 'let called = token.name().filter(|name| name == token.text)', "units"),
    ("a count that an empty page contradicts", "runtime/src/read/total.rs", "Ok(counted_up_to(up_to, adjusted(count, slice, rows.len())))", "Ok(counted_up_to(up_to, count))", "sqlite remembered"),
    ("a part of a page with a span of its own", "runtime/src/observe.rs", "if is_part {", "if is_part && false {", "sqlite observed"),
    ("a dropped page that looks as if it was read", "runtime/src/observe.rs", "outcome: Outcome::Dropped })", "outcome: Outcome::Read })", "sqlite observed"),
    ("slow pages that are the fast ones", "runtime/src/observe.rs", "took > *limit", "took < *limit", "sqlite observed"),
    ("rows that no span counts", "runtime/src/source/lease.rs", "tally.statement(rows.counted())", "tally.statement(0)", "sqlite observed"),
    ("a total of other values", "runtime/src/read/remembered.rs", "(sql, values, callers)", "(sql, values.0.len(), callers)", "sqlite remembered"),
    ("a total of another value of a text", "runtime/src/read/remembered.rs", "(sql, values, callers)", "(sql, values, callers.len())", "sqlite remembered"),
    ("a total that is remembered for good", "runtime/src/read/remembered.rs", "counted.elapsed() < self.lifetime", "counted.elapsed() < self.lifetime || true", "sqlite remembered"),
    ("a total that a last page contradicts", "runtime/src/read/total.rs", "if (1..slice.limit).contains(&read) {", "if (1..slice.limit).contains(&read) && false {", "sqlite remembered"),
    ("a total that a full page contradicts", "runtime/src/read/total.rs", "if read > 0 && is_before_end {", "if read > 0 && (is_before_end || true) {", "sqlite remembered"),
    ("a total that an empty page contradicts", "runtime/src/read/total.rs", "if read > 0 && is_before_end {", "if is_before_end {", "sqlite remembered"),
    ("a total that a page of all rows contradicts", "runtime/src/read/keyset.rs", "let is_whole = is_of_all && read < limit;", "let is_whole = is_of_all && read < limit && false;", "sqlite remembered"),
    ("a page that skips too many rows", "runtime/src/query/numbered.rs", "if page <= last {", "if page <= last.saturating_add(1) {", "sqlite limits"),
    ("a window with a row too many", "runtime/src/relay.rs", "if rows > most {", "if rows > most.saturating_add(1) {", "sqlite limits"),
    ("a time limit that its transaction leaves behind", "runtime/src/transaction/control/postgres.rs", "SET LOCAL statement_timeout", "SET statement_timeout", "postgres time limits"),
    ("a time limit that the connection keeps", "runtime/src/transaction/open_transaction/mod.rs", "if self.is_limited && self", "if self.is_limited && false && self", "sqlite time limits"),
    ("a statement without a limit", "runtime/src/driver/mysql.rs", "/*M! SET STATEMENT", "/* SET STATEMENT", "mysql time limits"),
    ("a time limit that is a 500", "runtime/src/source/lease.rs", "Some(limit) if D::is_out_of_time(&error) =>", "Some(limit) if D::is_out_of_time(&error) && false =>", "sqlite time limits"),
    ("cursors that are valid for every tenant", "core/src/keyset/mod.rs", 'bound_to("tenant", tenant)', 'bound_to("tenant", b"")', "sqlite defaults"),
    ("a tenant whose text is cast, and then lost", "runtime/src/query/model.rs", "value::write(&tenant.clone().into_value(), &mut bytes)", "value::write(&operand(tenant.clone()), &mut bytes)", "postgres defaults"),
    ("a tenant that only binds its cursors", "runtime/src/query/model.rs", "query.list.rows.rows.filters.extend(columns);", "let _ = columns;", "sqlite defaults"),
    ("a column of an order that a row lacks", "runtime/src/query/model.rs", "let is_selected = !column.is_computed && self.columns.has(&column.output);", "let is_selected = !column.is_computed;", "sqlite rows"),
    ("a computed field that is taken for a column", "runtime/src/query/model.rs", "if self.added.iter().any(|computed| computed.name == column.output) {", "if self.added.iter().any(|computed| computed.name == column.output && false) {", "sqlite rows"),
    ("rows of two types with one statement", "core/src/statement/template.rs", "std::ptr::from_ref(query.columns).addr()]", "0]", "sqlite rows"),
    ("two expressions with one statement", "core/src/statement/filtered.rs", "Some(text) if !list.is_empty() =>", "Some(text) if !list.is_empty() && false =>", "sqlite rows"),
    ("a filter's column that a card lacks", "core/src/keyset/model_base/index_range.rs", "match self.rows.has(&self.sort.output) {", "match self.rows.has(&self.sort.output) || true {", "postgres rows"),
    ("a value of a row that is NULL", "runtime/src/query/rows.rs", "if !T::NULLABLE && is_null(&value) {", "if !T::NULLABLE && is_null(&value) && false {", "sqlite rows"),
    ("two values under one name", "runtime/src/query/rows.rs", 'format!("folio_with_{}", at.saturating_add(1))', 'format!("folio_with_{}", at.min(0))', "sqlite rows"),
    ("a window function over a page", "core/src/custom/row_value.rs", 'if token.is("OVER") {', 'if token.is("OVER") && false {', "sqlite rows"),
    ("a count that loses a range", "core/src/keyset/model_base.rs", "total::sum(ranges.iter().cloned().map(count)", "total::sum(ranges.iter().skip(1).cloned().map(count)", "sqlite small reads"),
    ("a count with too many parameters", "core/src/keyset/model_base.rs", "if !ranges.is_empty() && apart.fits(dialect) {", "if !ranges.is_empty() {", "mysql small reads"),
    ("a NULL that a count loses", "core/src/predicate/mod.rs", "let sorts: Vec<_> = sorts.iter().map(|sort| sort.with_natural_nulls(access.dialect())).collect();", "let sorts = sorts.to_vec();", "sqlite small reads"),
    ("a count that ends too late", "runtime/src/read/small.rs", "up_to.map_or(count, |most| count.min(most))", "count", "sqlite small reads"),
    ("a part of a primary key", "runtime/src/query/model.rs", "self.filters.extend(equal.map(", "self.filters.extend(equal.skip(1).map(", "sqlite small reads"),
    ("a primary key of several rows", "runtime/src/query/small.rs", "if rows.len() < 2 {", "if rows.len() < 3 {", "sqlite small reads"),
    ("a NULL that is read as an empty text", "runtime/src/read/small.rs", "if !is_nullable && D::is_null(&row, VALUE)? {", "if !is_nullable && D::is_null(&row, VALUE)? && false {", "sqlite small reads"),
    ("children that only one of their parents has", "runtime/src/load.rs", "Some(key) if repeated.contains(key) =>", "Some(key) if repeated.contains(key) && false =>", "sqlite feeds"),
    ("a text that is compared as text", "core/src/value/column_text.rs", "Value::Array(ArrayType::Char, text.map(|text| Box::new(vec![Value::String(Some(text))])))", "Value::String(text)", "postgres keys"),
    ("a list that is sorted by the clock", "core/src/custom/volatile.rs", "is_clock.then(|| format!(\"{called}()\"))", "None.filter(|_: &String| is_clock)", "sqlite keys"),
    ("rows that are not in order", "runtime/src/read/checks.rs", "if firsts().zip(firsts().skip(1)).all(is_in_order) {", "if firsts().zip(firsts().skip(1)).all(is_in_order) || true {", "sqlite keys"),
    ("a moment that is looked for on its own day", "core/src/value/moment.rs", "let back = if self.has_zone { \", '-1 day'\" } else { \"\" };", "let back = \"\";", "sqlite moments"),
    ("moments that are compared in whole seconds", "core/src/value/moment.rs", "moment.fraction.clone().into()", "\"\".into()", "sqlite moments"),
    ("a moment whose offset is ignored", "core/src/value/moment.rs", "if !self.has_zone {\n            return local;", "if true {\n            return local;", "sqlite moments"),
    ("a cursor that is used in another time zone", "runtime/src/read/checks.rs", "given.zone() != found.zone()", "given.zone() != given.zone()", "mysql order"),
    ("a zero date that is NULL", "runtime/src/driver/mysql_order.rs", "if !is_null(value) || ", "if is_null(value) || ", "mysql order"),
    ("a primary key that is taken for unique", "runtime/src/read/checks.rs", "if self.seen.insert(key) {", "if self.seen.insert(key) || true {", "sqlite keys"),
    ("a moment that begins before its value", "runtime/src/read/seek.rs", "(direction == Direction::Desc) == (cursor.direction", "(direction == Direction::Asc) == (cursor.direction", "postgres keys"),
    ("an order of a select that ties", "core/src/custom/caller.rs", 'self.order = self.order.push(", ").column(name, key.name).push(" ASC");', "let _ = (name, key.name);", "sqlite keys"),
    ("an empty page that loses its position", "runtime/src/read/interval.rs", "before.cloned().or_else(|| after.map(turned)), after.cloned().or_else(|| before.map(turned))", "before.cloned(), after.cloned().filter(|_| false)", "sqlite positions"),
    ("a position that is on the other side", "runtime/src/read/page_reader.rs", "direction.oriented(last_key, first_key)", "CursorDirection::Next.oriented(last_key, first_key)", "sqlite positions"),
    ("older rows that are taken for newer ones", "runtime/src/read/keyset.rs", "sort.direction == Direction::Desc);\n        let direction", "sort.direction == Direction::Asc);\n        let direction", "sqlite positions"),
    ("a row at a value that is left out", "runtime/src/query/window.rs", "Place::Values { values, inclusive: true }, true)", "Place::Values { values, inclusive: false }, true)", "sqlite windows"),
    ("a lag of the wrong sign", "core/src/dialect/sqlite.rs", "printf('-%.6f seconds'", "printf('+%.6f seconds'", "sqlite positions"),
    ("a flipped direction", "core/src/predicate/ranges.rs", '(Direction::Asc, false) => ">",', '(Direction::Asc, false) => "<",'),
    ("a lost range", "core/src/predicate/ranges.rs", ".take(rest).rev()", ".take(rest).skip(1).rev()"),
    ("a lost range of NULLs", "core/src/predicate/ranges.rs", "key.sort.nulls == Some(Nulls::Last) && ", "key.sort.nulls == Some(Nulls::First) && "),
    (">= for >", "core/src/predicate/ranges.rs", '(Direction::Asc, false) => ">",', '(Direction::Asc, false) => ">=",'),
    ("<= for <", "core/src/predicate/ranges.rs", '(Direction::Desc, false) => "<",', '(Direction::Desc, false) => "<=",'),
    ("= NULL", "core/src/predicate/ranges.rs", "        if self.bound.is_null() {", "        if false {"),
    ("NULLs that are not flipped", "core/src/order.rs", "nulls: self.nulls.map(Nulls::flip)", "nulls: self.nulls"),
    ("a direction that is not flipped", "core/src/order.rs", "direction: self.direction.flip()", "direction: self.direction"),
    ("a forgotten reverse", "runtime/src/read/page_reader.rs", "rows.sink.reverse();", ""),
    ("a row too many on a page", "runtime/src/paginator/mod.rs", "data.truncate(self.data.len());", "data.truncate(data.len());", "sqlite lists"),
    ("the boundary of the extra row", "runtime/src/read/rows.rs", "self.add_key(order, &last)?;", "self.add_key(order, self.extra.as_ref().map_or(&last, |extra| &extra.row))?;"),
    ("an emptied page without a way back", "runtime/src/read/page_reader.rs", "inclusive: !start.inclusive", "inclusive: start.inclusive"),
    ("a far page that is left the last row first", "runtime/src/read/total.rs", "rows.reverse();", ""),
    ("a last page that is as long as the others", "runtime/src/read/total.rs", "let limit = slice.limit.min(behind);", "let limit = slice.limit;"),
    ("a tie that only the database sees", "runtime/src/read/checks.rs", "is_text(one) && is_text(other) || differ_in_type", "differ_in_type"),
    ("a tie that nobody looks for", "runtime/src/read/checks.rs", "Ok(doubtful(&select.order, keys))", "Ok(Vec::new())"),
    ("an aggregate that is taken for a column", "core/src/custom/shape/kind.rs", "is_call(pair) && !counts_subquery", "is_call(pair) && at == 0 && !counts_subquery"),
    ("an alias that is looked for in the table", "core/src/custom/shape.rs", "self.has_alias(name) || self.table", "self.table"),
    ("a limit that is dropped", "core/src/custom/caller.rs", "self.limit.is_some() || self.offset > 0", "false"),
    ("a lock that is overlooked", "core/src/custom/shape.rs", "        return Err(locked());\n    }\n    if text", "    }\n    if text"),
    ("a comment that hides the limit", "core/src/custom/shape.rs", "if text.may_hide_rest {", "if false {"),
    ("equal names that nobody looks for", "runtime/src/read/checks.rs", "if !seen.insert(name) {", "if !seen.insert(name) && false {"),
    ("a NULL that is not expected", "core/src/keyset/page_order.rs", "if !terms.iter().any(|term| self.may_be_null(term)) {", "if true {"),
    ("a row with NULL that a page leaves out", "runtime/src/read/rows.rs", "if self.is_verified && !D::is_null(row, LEFT_OUT)? {", "if self.is_verified && D::is_null(row, LEFT_OUT).is_err() {", "sqlite facts"),
    ("a row with NULL that an empty page leaves out", "runtime/src/read/page_reader.rs", "(rows.are_none() || !order.verifies())", "!order.verifies()", "sqlite facts"),
    ("rows with NULL at the end of a list", "core/src/keyset/page_order.rs", "page.start.as_ref().is_some_and(is_after_value) && is_hidden()", "page.start.as_ref().is_some_and(is_after_value) && is_hidden() && false", "sqlite facts"),
    ("a join that loses a key with NULL", "core/src/statement/filtered.rs", '" LEFT JOIN ").table', '" INNER JOIN ").table', "postgres facts"),
    ("a feed that is verified without its groups", "core/src/feed/mod.rs", "rows.and_all(Condition::any(self.conditions()))", "rows.and_all(Condition::any(self.conditions().take(0)))", "mysql facts"),
    ("a partial index that has other rows", "core/src/access/partial.rs", "all(|part| known.contains(part))", "all(|part| known.contains(part) || true)", "sqlite advice"),
    ("an index that sorts in another way", "runtime/src/index_advisor.rs", "direction != wanted || !index.sorts(at) {", "direction != wanted {", "postgres advice"),
    ("an order in raw SQL that is reversed", "core/src/offset/model_list.rs", "        _ => false,\n    }\n}\n", "        _ => true,\n    }\n}\n"),
    ("a literal that is rewritten", "core/src/dialect/sql.rs", "        sql + self.text.get(end..).unwrap_or_default()", '        (sql + self.text.get(end..).unwrap_or_default()).replace(" LIMIT ?", " LIMIT +?")'),
    ("a value of folio's own that is taken for a filter's", "core/src/statement/template.rs", "if sql.params().any(|param| matches!(param, Param::Constant(_))) {", "if false {"),
    ("an order by number that has its NULLs elsewhere", "core/src/offset/model_list.rs", "let rows = order(self.rows.select(), &by, Names::InSelect);", "let plain: Vec<_> = by.iter().map(|column| OrderColumn { nulls: None, ..column.clone() }).collect();\n        let rows = order(self.rows.select(), &plain, Names::InSelect);", "sqlite lists"),
    ("a cursor that opens in every scope", "core/src/keyset/mod.rs", "bound.into_owned().bound_to(\"scope\", scope.as_bytes())", "bound.into_owned().bound_to(\"scope\", b\"\")", "sqlite lists"),
    ("a group that SQLite plans for each value", "core/src/feed/filter.rs", "&value(at, own).signed()", "&value(at, own)", "sqlite plans"),
    ("a group that is not the filter that cursors are bound to", "core/src/statement/filtered.rs", "self.sql.unsigned_text()", "self.sql.text()", "sqlite feeds"),
    ("filters that a cursor is not bound to", "core/src/statement/filtered.rs", "format!(\"{:?}\", (text, &self.values))", "format!(\"{text:?}\")", "sqlite lists"),
    ("a text that is not cast to its enum", "runtime/src/value/operand.rs", "|name| !name.eq_ignore_ascii_case(\"text\")", "|_| false", "postgres types"),
    ("an enum of the database that lost a value", "runtime/src/driver/postgres.rs", "error.is_some_and(|error| BOUNDARY", "error.filter(|_| false).is_some_and(|error| BOUNDARY", "postgres types"),
    ("a variant that was removed", "core/src/keyset/mod.rs", "of_value(&sealed.value).is_some()", "of_value(&sealed.value).is_some() || true", "sqlite types"),
    ("a pattern that is not escaped", "runtime/src/schema/text.rs", "if matches!(char, '%' | '_' | ESCAPE) {", "if matches!(char, '%' | ESCAPE) {", "sqlite lists"),
    ("a query that links lose", "runtime/src/query/position.rs", 'Ok(Some(format!("{}?{URLS_ONLY}{query}", request.path())))', "Ok(Some(request.path().to_owned()))", "sqlite lists"),
    ("a sort that is not reversed", "runtime/src/request/sorts.rs", "if is_reversed { term.reversed() } else { term }", "if is_reversed && false { term.reversed() } else { term }", "sqlite sorts"),
    ("NULLs that a reversed sort moves", "core/src/schema/term.rs", "self.key.direction = self.key.direction.flip();", "self.key.direction = self.key.direction.flip();\n        self.key.nulls = self.key.nulls.map(Nulls::flip);", "sqlite sorts"),
    ("a repeated column that the tie-breaker follows", "runtime/src/schema/order.rs", "if !kept.iter().any(|other| term.repeats(other)) {", "if true {", "sqlite sorts"),
    ("a select that keeps its own order", "runtime/src/query/select.rs", "let order = order.map(|terms| {", "let order = order.filter(|_| false).map(|terms| {", "sqlite sorts"),
    ("a sort that is refused by another name", "runtime/src/request/sorts.rs", "FrameworkError::InvalidParameter { parameter: key.to_owned(), rule, allowed }", "FrameworkError::internal(key)", "http sorts"),
    ("an index behind columns of several values", "runtime/src/index_advisor.rs", "if !part.may_be(column) && self.equality.may_have(column) {", "if !part.may_be(column) {", "sqlite advice"),
    ("an index that does not have the order", "core/src/access/index_selection.rs", "if same > 0 && opposite > 0 {", "if false {"),
    ("an index that has been dropped", "runtime/src/read/mod.rs", "if D::is_missing_index(cause) =>", "if false && D::is_missing_index(cause) =>", "mysql order"),
    ("a statement that the catalog does not change", "core/src/keyset/form.rs", "info: order.info.clone()", "info: None", "mysql order"),
    ("keys that are joined to all rows", "core/src/keyset/model_base/keys.rs", "places.map(key_name)", "places.map(key_name).skip(1)", "mysql order"),
    ("rows that are read ahead although few are expected", "runtime/src/driver/mysql_catalog.rs", "const FEW: i64 = 100;", "const FEW: i64 = 1_000_000;", "units"),
    ("statistics of another index", "runtime/src/driver/mysql_catalog.rs", "rest.by_ref().take(", "rest.clone().take(", "units"),
    ("a partition that is not excluded", "core/src/access/mod.rs", "row_values: is_whole,", "row_values: true,", "postgres plans"),
    ("rows that are read although a page skips them", "core/src/keyset/model_base.rs", "=> limit.skip > 0 || ", "=> ", "mysql order"),
    ("a list behind an equality column", "core/src/access/mod.rs", "|| !list.is_behind_equality(),", "|| true,", "postgres plans"),
    ("a plan that is kept for values of any number of rows", "core/src/access/mod.rs", "is_whole && list.has_one_index()", "is_whole && list.exact().is_some()", "postgres plans"),
    ("a plan that SQLite keeps although another index has the list", "core/src/access/mod.rs", "generic_plan: list.has_best_index()", "generic_plan: list.exact().is_some()", "sqlite plans"),
    ("a filter that SQLite plans for each value", "core/src/statement/filtered.rs", "if access.generic_plan() { condition.map(Sql::signed) } else { condition }", "if false { condition.map(Sql::signed) } else { condition }", "sqlite plans"),
    ("a range that does not end with the filter's value", "core/src/keyset/model_base/index_range.rs", "others.chain([end])", "others.chain([end].into_iter().skip(1))", "postgres plans"),
    ("a range without the row at its beginning", "core/src/keyset/model_base/index_range.rs", "boundary.is_none_or(|boundary| boundary.inclusive)", "boundary.is_some_and(|boundary| boundary.inclusive)", "postgres plans"),
    ("a range of an index that has other directions", "core/src/access/index_selection.rs", "!has_nulls && !is_mixed(index, count)", "!has_nulls && (!is_mixed(index, count) || true)", "postgres plans"),
    ("a range of a column that is cast", "core/src/keyset/model_base/index_range.rs", "is_last(expr) && has_family(value, family)", "is_last(expr) && (has_family(value, family) || true)", "postgres plans"),
    ("a range that has its NULLs at another end than its index", "runtime/src/driver/postgres_catalog.rs", "& 3 IN (0, 3)", "& 3 IN (0, 1, 2, 3)", "postgres plans"),
    ("a filter by which Citus cannot choose a shard", "core/src/access/mod.rs", "is_whole && !info.needs_equalities)", "is_whole && (!info.needs_equalities || true))", "postgres plans"),
    ("a value of another filter", "core/src/statement/filtered.rs", "Param::Filter(values.len().saturating_sub(1))", "Param::Filter(0)"),
    ("a first page for which MySQL reads ahead", "core/src/access/index_selection.rs", "Self::AtAnEnd => !has_boundary", "Self::AtAnEnd => false", "sqlite texts"),
    ("a tie with the row after a page", "runtime/src/read/page_reader.rs", "if !checks::may_be_equal(last, &value) {", "if true {", "sqlite models"),
    ("a value that SQLite stores in another form", "runtime/src/read/seek.rs", "None => Err(column_error(self.column.term.key.name, OTHER_FORM).into()),", "None => Ok(()),", "sqlite keys"),
    ("a key without the primary key", "runtime/src/query/model.rs", "self.list.rows.rows.cursor_order = Some(close_with_primary_key(Some(M::TABLE), order.terms()))", "self.list.rows.rows.cursor_order = Some(order.terms())"),
    ("a cursor made by hand that is taken as it is", "runtime/src/read/keyset.rs", "Origin::Key => from_key::resolve(connection, &query.order, cursor).await?,", "Origin::Key => Some(cursor.clone()),", "sqlite keys"),
    ("a value by hand that is not the row's", "runtime/src/read/from_key.rs", ".as_ref() == Some(&own.value);", ".is_some();", "sqlite keys"),
    ("a text that PostgreSQL casts to another type", "runtime/src/driver/postgres.rs", "Value::String(_) => StoredAs::ByType,", "Value::String(_) => StoredAs::AsBound,", "postgres keys"),
    ("a statement of an outer level beside a nested transaction", "runtime/src/transaction/slot.rs", "            && !ending\n", "            && false\n", "sqlite transactions"),
    ("a wait for one's own nested transaction", "runtime/src/transaction/slot.rs", "if is_inside.unwrap_or(false) {", "if false {", "sqlite transactions"),
    ("a wait for one's own nested transaction through a handle", "runtime/src/transaction/slot.rs", "INSIDE.try_with(Vec::clone).unwrap_or_default();", "Vec::new();", "sqlite transactions"),
    ("a transaction that serves any pool", "runtime/src/source/route.rs", "Ambient::on(&target.pool).map_or(", "Ambient::current().map_or(", "sqlite transactions"),
    ("a transaction that serves any application", "runtime/src/transaction/ambient.rs", "|| entry.transaction.is_on(scoped.primary()))", "|| entry.transaction.is_on(scoped.primary()) || true)", "sqlite transactions"),
    ("a commit that looks for nothing", "runtime/src/transaction/open_transaction/mod.rs", "History::Checked | History::Unchecked => D::commit_confirmed(self).await,", "History::Checked | History::Unchecked => D::TransactionManager::commit(self).await.map(|()| true),", "sqlite transactions"),
    ("a commit that looks for nothing, after a deadlock", "runtime/src/transaction/open_transaction/mod.rs", "            if !confirmed? {", "            if !confirmed? && false {", "mysql transactions"),
    ("a transaction begun in vain", "runtime/src/transaction/open_transaction/mod.rs", "if was_usable && self.state == State::Usable {", "if false {", "sqlite transactions"),
    ("a list that loses a value", "core/src/schema/arrays.rs", "let values: Vec<&Value> = values.iter().map(as_value)", "let values: Vec<&Value> = values.iter().skip(1).map(as_value)", "postgres lists"),
    ("a wait for itself that nothing ends", "runtime/src/transaction/slot.rs", "tokio::time::timeout(self.wait, async {", "tokio::time::timeout(Duration::from_secs(3600), async {", "sqlite transactions"),
    ("a question that is waited for without end", "runtime/src/transaction/open_transaction/mod.rs", "tokio::time::timeout(wait, run(self))", "tokio::time::timeout(Duration::from_secs(3600), run(self))", "mysql transactions"),
    ("a transaction that cannot be dropped outside of a runtime", "runtime/src/transaction/open_transaction/mod.rs", "let _inside = self.runtime.enter();", "let _inside = ();", "sqlite transactions"),
    ("an early end that nothing tells", "runtime/src/transaction/open_transaction/mod.rs", "if self.state == State::Gone {\n            tracing", "if false {\n            tracing", "sqlite transactions"),
    ("a handle for another transaction than the statements'", "runtime/src/db.rs", "        ambient(&Context::current()).map(TransactionHandle)", "        Ambient::current().map(TransactionHandle)", "sqlite transactions"),
    ("a write lock that is not taken", "runtime/src/transaction/control/sqlite.rs", '"BEGIN IMMEDIATE; SAVEPOINT', '"BEGIN; SAVEPOINT', "sqlite transactions"),
    ("a transaction that the end of another has begun", "runtime/src/transaction/open_transaction/mod.rs", "if self.chains && ", "if false && self.chains && ", "mysql transactions"),
    ("a lent connection that is not used", "runtime/src/source/route.rs", "if let Some(connection) = lent {", "if let Some(connection) = lent.filter(|_| false) {", "sqlite connections"),
    ("a connection that is lent and not looked at", "runtime/src/transaction/lifecycle.rs", "        lock.begins();\n        Ok(lock)", "        Ok(lock)", "sqlite transactions"),
    ("a level set inside a transaction", "runtime/src/transaction/control/mysql.rs", 'Session { chains: true, .. } => "COMMIT AND NO CHAIN NO RELEASE; ",', 'Session { chains: true, .. } => "",', "mysql transactions"),
    ("a session that is taken to commit by itself", "runtime/src/source/lease.rs", "commits_alone = running.ended(commits)?;", "commits_alone = running.ended(commits)? || true;", "mysql transactions"),
    ("a replica that is waited for", "runtime/src/pool/fallback.rs", "tokio::time::timeout(self.wait, acquire(pool))", "tokio::time::timeout(Duration::from_secs(3600), acquire(pool))", "mysql transactions"),
    ("a replica that never comes back", "runtime/src/pool/fallback.rs", "away.is_some_and(|until| Instant::now() < until)", "away.is_some()", "sqlite transactions"),
    ("a zone with daylight saving", "runtime/src/driver/mysql_order.rs", "zone.starts_with(['+', '-']) || zone", "true || zone", "mysql order"),
    ("a CHAR that is padded", "runtime/src/driver/mysql_order.rs", 'matches!(kind, "CHAR" | "BINARY")', 'matches!(kind, "BINARY")', "mysql order"),
    ("a text that loses characters", "runtime/src/driver/mysql_order.rs", '"ascii" => bytes.contains(&b\'?\'),', '"ascii" => false,', "mysql order"),
    ("a text that is compared in part", "runtime/src/driver/mysql_order.rs", "(length > limit).then(", "false.then(", "mysql order"),
    ("a sought text that may not be long", "runtime/src/driver/mysql.rs", "Value::String(_) => &Value::String(None),", "Value::String(None) => &Value::String(None),", "mysql seek"),
    ("a character that its column lacks", "runtime/src/error.rs", "is_mix && message.contains", "false && message.contains", "mysql seek"),
    ("a panic that is not caught", "runtime/src/driver/sink.rs", "caught(|| read(row))?", "read(row)?", "sqlite panics"),
    ("a guard that generates rows", "core/src/dialect/mod.rs", "generate_series(1, -", "generate_series(1, ", "postgres plans"),
    ("empty parameters that links lose", "core/src/url.rs", "decode(pair).is_some_and(|(name, _)| name == key)", "decode(pair).is_none_or(|(name, _)| name == key)", "sqlite lists"),
    ("a path that names another host", "core/src/url.rs", 'Cow::Owned(format!("/{rest}"))', "Cow::Borrowed(path)", "http paths"),
    ("a key that the types in TypeScript have, and no page", "runtime/src/paginator/json.rs", "row_cursors: page.row_cursors.as_deref(),", "row_cursors: page.row_cursors.as_deref().filter(|_| false),", "http typescript"),
    ("a key that TypeScript lacks", "npm/index.d.ts", "row_cursors?: string[];", "", "npm"),
    ("a key that only TypeScript has", "npm/index.d.ts", "row_cursors?: string[];", "row_cursors?: string[]; row_count?: number;", "npm"),
    ("a null that only TypeScript has", "npm/index.d.ts", "links: PageLink[];", "links: PageLink[] | null;", "npm"),
    ("a key that only TypeScript leaves out", "npm/index.d.ts", "current_page_url: string;", "current_page_url?: string;", "npm"),
    ("a list that leaves its origin", "npm/index.js", "if (resolved.origin !== new URL(url).origin) {", "if (false) {", "npm"),
    ("a connection that ends without a word", "npm/index.js", 'if (typeof info[side.edge] !== "string") {', "if (false) {", "npm"),
    ("a number of a page that is its own", "npm/index.js", "page[side.url] === null ? null : page.current_page + side.step", "page[side.url] === null ? null : page.current_page", "npm"),
    ("a button that loses the focus", "runtime/src/web/html/load_more.rs", '.filter(|_| self.is_button).map(', '.filter(|_| self.is_button && false).map(', "browser html"),
    ("a button that is hard to read", "runtime/src/web/html/theme.rs", '"btn btn-secondary"', '"btn btn-outline-primary"', "browser html"),
    ("a list that keeps rows of old filters", "examples/catalogue/src/pages.rs", '.into().match_on("id")', ".into()", "browser"),
    ("a plan that is reused for every value", "core/src/dialect/mod.rs", ".push(\" > (0)) THEN \")", ".push(\" IS NOT NULL) THEN \")", "postgres plans"),
    ("a total with rows that came later", "runtime/src/read/total.rs", "Ok(self.count(up_to).await?.min(slice.offset))", "self.count(up_to).await", "sqlite totals"),
    ("a count that ended and says that it is exact", "runtime/src/read/total.rs", "=> Total::AtLeast(limit),", "=> Total::Exact(limit),", "sqlite totals"),
    ("a union that is counted beside its rows", "core/src/custom/shape.rs", "token.depth == 0 && token.is_any(&SET_OPERATIONS)", "false", "sqlite totals"),
    ("an expression that cursors are not bound to", "core/src/cursor/binding.rs", "[b\"expression\\0\", name]", "[b\"expression\\0\"]", "sqlite expressions"),
    ("an expression that is taken for a column", "core/src/schema/term.rs", "self.expression.is_none() && self.key.name == name", "self.key.name == name", "sqlite expressions"),
    ("a cached order that has another expression", "core/src/schema/term.rs", "self.expression.is_none().then_some((table, self.alias, self.key))", "Some((table, self.alias, self.key))", "sqlite expressions"),
    ("an expression that is taken for never NULL", "core/src/keyset/page_order.rs", "Some(expression) => !expression.is_not_null(),", "Some(_) => false,", "sqlite expressions"),
    ("groups with the nearest heads that are left out", "core/src/feed/mod.rs", "source = self.span.sort(nearest, Names::InResult).limit(self.rows_read());", "source = self.span.sort(nearest, Names::InResult).limit(Number::Literal(1));", "postgres feeds"),
    ("heads that tie with the boundary", "core/src/feed/ranking.rs", "RANK() OVER (PARTITION BY {IS_TIED} ORDER BY", "RANK() OVER (ORDER BY", "mysql feeds"),
    ("a page of a feed whose rows were deleted", "runtime/src/read/page_reader.rs", "if !is_bounded || rows.extra.is_some() {", "if !is_bounded || true {", "mysql feeds"),
    ("a row before a page that was deleted", "runtime/src/read/page_reader.rs", "            if !is_bounded {", "            if !is_bounded || true {", "mysql feeds"),
    ("heads that tie with the last one", "core/src/feed/ranking.rs", "format!(\"RANK()", "format!(\"ROW_NUMBER()", "units"),
    ("a page that reaches to the first head", "runtime/src/read/page_reader/candidates.rs", "is_ok_and(|heads| heads >= rows)", "is_ok_and(|heads| heads > 0 && rows > 0)", "units"),
    ("a first page that ends at a value of several heads", "runtime/src/read/page_reader/candidates.rs", "next.is_some_and(|next| self.may_begin_with(next, &first))", "next.is_none() && false", "mysql feeds"),
    ("a first head that is compared with no other", "core/src/feed/heads.rs", "span.limit.read().get().saturating_add(1)", "span.limit.read().get()", "mysql feeds"),
    ("a page that is read from all groups at once", "runtime/src/read/page_reader.rs", "const ATTEMPTS: u8 = 3;", "const ATTEMPTS: u8 = 1;", "mysql feeds"),
    ("a bound without its last value", "core/src/predicate/ranges.rs", "ValueSource::UpperBound => Param::UpperBound(at),", "ValueSource::UpperBound => Param::UpperBound(0),", "units"),
    ("a row of two groups", "core/src/feed/mod.rs", "if self.feed.groups.are_disjoint() { Union::All }", "if true { Union::All }", "mysql feeds"),
    ("groups of another type", "core/src/feed/mod.rs", "(typed_columns(groups), groups.are_disjoint())", "(Vec::new(), true)", "mysql feeds"),
    ("another column's groups", "core/src/keyset/model_base/feed_rows.rs", "self.filled(literal_limit, RowsForm::OfEachGroup,", "self.filled(literal_limit, |_| RowsForm::InGroups,", "postgres feeds"),
    ("the rows of the next group", "runtime/src/read/each.rs", "group_of::<D>(&row)?", "group_of::<D>(&row)?.map(|at| at ^ 1)", "sqlite feeds"),
    ("groups in the caller's order", "core/src/schema/group.rs", "        places.sort_unstable();\n", "        places.sort_unstable_by_key(|(_, at)| *at);\n", "sqlite feeds"),
    ("a cursor of each group that its query refuses", "core/src/feed/each.rs", "rows.and(filter(&self.only(&[at]).groups, self.dialect))", "rows.and(filter(&self.only(&[at, at]).groups, self.dialect))", "sqlite feeds"),
    ("rows beyond the end of a window", "core/src/predicate/mod.rs", "let backwards: Vec<_> = sorts.iter().map(OrderColumn::reversed).collect();", "let backwards = sorts.to_vec();", "sqlite windows"),
    ("rows with NULL that a sought NULL has", "core/src/predicate/ranges.rs", "ranges_of(dialect, equal.clone(), free(rest))", "ranges_of(dialect, equal.clone(), &[])", "sqlite windows"),
    ("rows to skip that no range has", "core/src/predicate/mod.rs", "self.rows.get().saturating_add(skip)", "self.rows.get()", "sqlite windows"),
    ("rows that begin with a sought value and are lost", "core/src/predicate/ranges.rs", "inclusive && at.saturating_add(1) == keys.len();", "inclusive && at.saturating_add(1) == sorts.len();", "sqlite windows"),
    ("a flag of a connection that is assumed", "runtime/src/relay.rs", "row_cursors: true, is_exact: true, ..interval }", "row_cursors: true, is_exact: false, ..interval }", "sqlite windows"),
    ("row cursors in the order in which rows were read", "runtime/src/read/page_reader.rs", "            keys.reverse();\n", "", "sqlite windows"),
    ("a cursor that keeps its direction", "core/src/cursor/mod.rs", "self.direction == direction, direction, ..self }", "self.direction == direction, ..self }", "sqlite windows"),
    ("ties between row cursors", "runtime/src/read/page_reader.rs", "let from = if *row_cursors { 0 }", "let from = if false { 0 }", "sqlite windows"),
    ("a row of its own that is read twice", "runtime/src/read/interval.rs", "Self::Row { token, .. } => Self::Row { token, inclusive: false }", "Self::Row { token, .. } => Self::Row { token, inclusive: true }", "sqlite windows"),
    ("values of SQL text that are bound once", "core/src/custom/raw_sql/mod.rs", "        if self.is_numbered {\n            copies", "        if true {\n            copies", "sqlite texts"),
    ("a backslash that is read in one way", "core/src/custom/lexer.rs", "end_of_string(rest, true) != plain", "end_of_string(rest, false) != plain", "sqlite texts"),
    ("a WITH clause that changes rows", "core/src/custom/raw_sql/checks.rs", "begins && is_followed &&", "at == 0 && is_followed &&", "sqlite texts"),
    ("united texts whose columns differ", "runtime/src/read/columns.rs", "Some(first) if *first != names", "Some(first) if false && *first != names", "sqlite texts"),
    ("a WITH clause that is computed as a whole", "core/src/custom/raw_sql/mod.rs", "if copies > 1 {", "if false {", "postgres plans"),
    ("a statement for values of other types", "core/src/custom/renderer.rs", "source.types().into_iter().chain", "Vec::new().into_iter().chain", "postgres texts"),
    ("an order by a column that SQL text does not have", "runtime/src/read/columns.rs", "    check_order(D::DIALECT, &names, sorts)?;\n", "", "sqlite texts"),
    ("united texts of which only one is read", "core/src/offset/caller_list.rs", "let firsts = arms.iter().map", "let firsts = arms.iter().take(1).map", "sqlite texts"),
    ("a cursor that never expires", "runtime/src/cursor.rs", "age.is_some_and(|age| age <= lifetime)", "age.is_some_and(|age| age <= lifetime || true)", "http expiry"),
    ("a cursor without a time that never expires", "runtime/src/cursor.rs", "age.is_some_and(|age| age <= lifetime)", "age.is_none_or(|age| age <= lifetime)", "http expiry"),
    ("columns that are looked up once for ever", "runtime/src/read/columns.rs", "is_some_and(|names| check_order(D::DIALECT, &names, sorts).is_ok())", "is_some()", "sqlite texts"),
    ("a binding that is not checked", "runtime/src/crypt/token.rs", "    data.extend_from_slice(scope);\n", "", "altered cursors"),
    ("a look-up that aborts a transaction", "runtime/src/source/lease.rs", "D::DIALECT.facts().errors_abort_transactions && ", "false && ", "postgres catalog"),
    ("a look-up whose turn ends at once", "runtime/src/source/catalog.rs", "lock()).await.ok(),", "lock()).await.ok().map(drop),", "postgres catalog"),
    ("a mark that is looked for by a query", "runtime/src/transaction/control/postgres.rs", "SHOW folio.transaction", "SELECT current_setting('folio.transaction', true)", "postgres transactions"),
    ("rows beyond a statement's limit", "runtime/src/source/lease.rs", "taken = take(row).and_then(|()| rows.count());", "taken = take(row);", "postgres engines"),
    ("rows of a group beyond its limit", "runtime/src/read/each.rs", "at(&mut limits, group)?.count()?;", "", "postgres engines"),
    ("a total of another server", "runtime/src/read/total.rs", "first if first != count =>", "first if first != count && false =>", "postgres engines"),
    ("rows of found keys that are looked for on every shard", "core/src/statement/filtered.rs", "if !self.dialect.facts().finds_shards_by_equalities {", "if true {", "postgres plans"),
    ("a repeated filter with the value of another one", "core/src/access/equality_columns.rs", "place = pending.drain(..).map(&count).fold(place, usize::saturating_add);", "", "postgres plans"),
    ("an ENUM that is sent as text", "runtime/src/read/checks.rs", "Some((column, kind)) => Err(enum_error(column, &kind.to_uppercase()).into()),", "Some(_) => Ok(info),", "mysql engines"),
    ("an ENUM that another database has", "runtime/src/read/checks.rs", "    catalog::forget(connection, table);\n    let info", "    let info", "mysql engines"),
    ("a transaction that is refused each time", "runtime/src/transaction/control/postgres.rs", "            TWO_MESSAGES.insert(&pool.connect_options(), ());\n", "", "postgres transactions"),
    ("a star whose old names are kept", "runtime/src/source/lease.rs", "&& !keeps_old_names", "", "sqlite migrations"),
    ("rows that end before their statement", "runtime/src/driver/mod.rs", "if is_complete { Ok(()) }", "if is_complete || true { Ok(()) }", "units"),
    ("an outdated statement that is not prepared again", "runtime/src/source/lease.rs", "if D::is_outdated(&error) =>", "if false && D::is_outdated(&error) =>", "postgres migrations"),
    ("groups whose index was dropped", "runtime/src/read/each.rs", "Err(error) => {\n                let order", "Err(error) if false => {\n                let order", "mysql order"),
    ("a long list that is bound twice", "core/src/statement/bound.rs", "let shares_parameters = values.len() > dialect.facts().max_parameters;", "let shares_parameters = false;", "sqlite limits"),
    ("a count beside a page for which there are not enough parameters", "runtime/src/read/total.rs", ".filter(|statement| statement.fits(D::DIALECT))", "", "mysql limits"),
    ("escapes that make a cursor too long", "core/src/cursor/payload.rs", "if encoded.len() < json.len().saturating_sub(start) {", "if false {", "sqlite limits"),
    ("a query string of any length in each link", "runtime/src/query/position.rs", "if query.len() > most &&", "if false &&", "sqlite limits"),
    ("a leap second that is another one", "runtime/src/driver/dates.rs", "time.nanosecond() >= 1_000_000_000", "false && time.nanosecond() >= 1_000_000_000", "mysql hostile"),
    ("a page behind a pooler that has no transaction", "runtime/src/source/lease.rs", "if !persistent && D::is_outside", "if false && D::is_outside", "postgres pooler"),
    ("a caller's column that has the name of one of folio's", "runtime/src/read/total.rs", "    checks::refuse_namesakes::<D>(row)?;\n", "", "sqlite names"),
    ("an internal error that nobody sees", "runtime/src/web/unseen.rs", "if tracing::dispatcher::has_been_set() {", "if tracing::dispatcher::has_been_set() || true {", "http first contact"),
    ("an error that is written although there is a log", "runtime/src/web/unseen.rs", "if tracing::dispatcher::has_been_set() {", "if false {", "http first contact"),
    ("a task that is not told why it has no application", "runtime/src/app/current.rs", "match (HAS_LAYER.load(Ordering::Relaxed), ", "match (HAS_LAYER.load(Ordering::Relaxed) && false, ", "http first contact"),
    ("a missing keyring that only the first cursor shows", "runtime/src/app/current.rs", "if keyring.is_none() && !", "if false && keyring.is_none() && !", "http first contact"),
    ("an integer that JavaScript rounds", "runtime/src/web/inertia/big_integers.rs", "> (MAX_SAFE.len(), MAX_SAFE)", "> (MAX_SAFE.len().saturating_add(1), MAX_SAFE)", "units"),
    ("flash data whose integers are rounded", "runtime/src/web/inertia/page_object.rs", 'preserves && name == "flash"', "false", "units"),
    ("rows that each page repeats in its schema", "runtime/src/web/openapi/schemas.rs", "is_named.then(T::name)", "(is_named && false).then(T::name)", "http typed"),
    ("a row that no document has", "runtime/src/web/openapi/schemas.rs", "schemas.push((name.into_owned(), $row::schema()));", "let _ = name;", "http typed"),
    ("a page size without its limit", "runtime/src/web/openapi/mod.rs", ".maximum(Some(max))", "", "http typed"),
    ("a key that a schema says is always there", "runtime/src/web/json_types/mod.rs", "matches!(self, Self::Always | Self::OrNull)", "matches!(self, Self::Always | Self::OrNull | Self::OrBoth)", "http typed"),
    ("marks that end a walk too early", "runtime/src/web/openapi/page_marks.rs", '"numPages": "$.last_page"', '"numPages": "$.current_page"', "http openapi"),
    ("a 400 that does not name its parameter", "runtime/src/web/error_body.rs", "parameter: parameter.map(str::to_owned)", "parameter: parameter.filter(|_| false).map(str::to_owned)", "http errors"),
    ("a wait for oneself whose guard is not named", "runtime/src/pool/acquire.rs", "is_all.then(|| {", "(is_all && false).then(|| {", "sqlite held"),
    ("an error of the database that does not say what was read", "runtime/src/read/subject.rs", "        error.with_note(&note)\n", "        error.with_note(&note[..0])\n", "sqlite errors"),
    ("a key of which only the length that it should have is known", "runtime/src/crypt/key.rs", "not_a_key_error(&format!(\"this one has {}\", bytes.len()))", "not_a_key_error(&format!(\"this one has {}\", KEY))", "environment"),
    ("a column of another model that sorts", "runtime/src/schema/order.rs", "impl<M, N: SameModel<M>> SortsRowsOf<M> for N {}", "impl<M, N> SortsRowsOf<M> for N {}", "ui"),
    ("a bound of a filter that a range includes", "runtime/src/request/filters/allowed.rs", "FilterOperator::Gt => column.gt(value),", "FilterOperator::Gt => column.gte(value),", "units"),
    ("filters of which one is enough", "runtime/src/request/filters/requested.rs", "conditions.reduce(Expr::and)", "conditions.reduce(Expr::or)", "units"),
    ("an unknown filter that is ignored", "runtime/src/request/filters/mod.rs", "None if self.prefix.is_some() =>", "None if false && self.prefix.is_some() =>", "units"),
    ("a moment with digits that no server stores", "runtime/src/request/filters/moment.rs", 'format!("{:0<6}", ', 'format!("{:0<6.6}", ', "units"),
    ("a value of the client's that is a 500", "runtime/src/read/subject.rs", "&& !self.request_parameters.is_empty()", "&& false", "postgres filters"),
    ("a value of the programmer's that is a 400", "runtime/src/read/subject.rs", "&& !self.request_parameters.is_empty()", "", "postgres filters"),
    ("a cursor that is blamed for a filter", "runtime/src/read/keyset.rs", "Some(_) if has_request_filters =>", "Some(_) if false && has_request_filters =>", "units"),
    ("a salt of which a part counts", "runtime/src/crypt/token.rs", "*byte = salt;", "*byte = salt & 0x0f;", "altered cursors"),
    ("a row that a walk may meet twice", "runtime/src/testing/walk.rs", "earlier.filter(|_| place.is_some() || ", "earlier.filter(|_| place.is_some() && ", "units"),
    ("a row that a walk need not meet", "runtime/src/testing/walk.rs", "self.list.rows.get(*at).is_some_and(|row| !self", "self.list.rows.get(*at).is_some_and(|row| false && !self", "units"),
    ("a walk in any order", "runtime/src/testing/walk.rs", "self.latest.filter(|_| is_before)", "self.latest.filter(|_| is_before && false)", "units"),
    ("a sort that a check allows", "runtime/src/testing/index.rs", "false => Sorts::Nothing,", "false => Sorts::Rows,", "sqlite advice"),
    ("an index that a check does not ask for", "runtime/src/index_advisor.rs", "missing: list.warning(&info, D::DIALECT, table)", "missing: list.warning(&info, D::DIALECT, table).filter(|_| false)", "sqlite advice"),
    ("a page that is taken for a table", "runtime/src/driver/postgres.rs", 'Some("Limit") => Sorts::Nothing,', 'Some("Limit") => above,', "postgres advice"),
]

FOLIO = ["cargo", "test", "-q", "-p", "folio", "-p", "folio-core", "--all-features", "--lib"]
MYSQL = ["cargo", "test", "-q", "-p", "folio-tests", "--features", "mysql", "--test", "mysql", "--"]
POSTGRES = ["cargo", "test", "-q", "-p", "folio-tests", "--features", "postgres", "--test", "postgres", "--"]
SQLITE = ["cargo", "test", "-q", "-p", "folio-tests", "--test", "sqlite", "--"]

# The tests that have to catch a mistake, in the order in which they run. Those of a server need its address.
TESTS = {
    "units": [FOLIO],
    "sqlite walks": [[*SQLITE, "walk", "deep", "select"], FOLIO],
    "sqlite lists": [[*SQLITE, "suite::lists"]],
    "postgres lists": [[*POSTGRES, "suite::lists"]],
    "sqlite limits": [[*SQLITE, "suite::limits"]],
    "mysql limits": [[*MYSQL, "suite::limits"]],
    "mysql hostile": [[*MYSQL, "suite::hostile"]],
    "sqlite observed": [[*SQLITE, "suite::observed"]],
    "sqlite defaults": [[*SQLITE, "suite::defaults"]],
    "postgres defaults": [[*POSTGRES, "suite::defaults"]],
    "sqlite names": [[*SQLITE, "suite::names"]],
    "sqlite migrations": [[*SQLITE, "migrations"]],
    "postgres migrations": [[*POSTGRES, "migrations"]],
    "postgres pooler": [[*POSTGRES, "pooler"]],
    "sqlite connections": [[*SQLITE, "suite::connections"]],
    "sqlite sorts": [[*SQLITE, "suite::sorts"]],
    "sqlite rows": [[*SQLITE, "suite::rows"]],
    "postgres rows": [[*POSTGRES, "suite::rows"]],
    "sqlite small reads": [[*SQLITE, "small_reads"]],
    "mysql small reads": [[*MYSQL, "small_reads"]],
    "sqlite feeds": [[*SQLITE, "suite::feeds"]],
    "postgres feeds": [[*POSTGRES, "suite::feeds"]],
    "mysql feeds": [[*MYSQL, "feeds::"]],
    "sqlite plans": [[*SQLITE, "sqlite::feeds", "sqlite::filters", "sqlite::plans"]],
    "sqlite advice": [[*SQLITE, "suite::advice", "suite::along_index"]],
    "postgres advice": [[*POSTGRES, "suite::advice", "suite::along_index"]],
    "sqlite moments": [[*SQLITE, "sqlite::moments"]],
    "sqlite facts": [[*SQLITE, "suite::facts"]],
    "postgres facts": [[*POSTGRES, "suite::facts"]],
    "mysql facts": [[*MYSQL, "suite::facts"]],
    "sqlite remembered": [[*SQLITE, "suite::remembered"]],
    "sqlite time limits": [[*SQLITE, "suite::time_limits"]],
    "postgres time limits": [[*POSTGRES, "suite::time_limits"]],
    "mysql time limits": [[*MYSQL, "suite::time_limits"]],
    "sqlite totals": [[*SQLITE, "totals"]],
    "sqlite expressions": [[*SQLITE, "expressions"]],
    "sqlite windows": [[*SQLITE, "windows"]],
    "sqlite positions": [[*SQLITE, "suite::positions", "suite::settled"]],
    "sqlite texts": [FOLIO, [*SQLITE, "raw_sql"]],
    "postgres texts": [[*POSTGRES, "raw_sql"]],
    "sqlite types": [[*SQLITE, "own_types"]],
    "postgres types": [[*POSTGRES, "own_types"]],
    "sqlite panics": [[*SQLITE, "panics", "milliseconds"]],
    "sqlite keys": [[*SQLITE, "by_hand", "keys", "seek", "volatile"]],
    "sqlite models": [[*SQLITE, "models", "selects"]],
    "sqlite transactions": [[*SQLITE, "nesting", "programs", "applications", "ended", "fallback", "owner", "busy"]],
    "postgres filters": [[*POSTGRES, "filters::"]],
    "postgres keys": [[*POSTGRES, "by_hand", "keys", "seek", "finds_its_row"]],
    "mysql transactions": [[*MYSQL, "deadlocks", "autocommit", "completion", "ended", "programs", "away", "distant"]],
    "mysql order": [[*MYSQL, "moments", "texts", "indexes", "a_filtered_list"]],
    "mysql seek": [[*MYSQL, "mysql::seek"]],
    "mysql plans": [["cargo", "test", "-q", "-p", "folio-tests", "--features", "mysql", "--test", "mysql_plans", "--", "page"]],
    "postgres catalog": [[*POSTGRES, "catalog::"]],
    "postgres engines": [[*POSTGRES, "engines::"]],
    "mysql engines": [[*MYSQL, "enums_", "databases"]],
    "postgres transactions": [[*POSTGRES, "postgres::transactions"]],
    "postgres plans": [[*POSTGRES, "plans"]],
    "altered cursors": [["cargo", "test", "-q", "-p", "folio-tests", "--test", "altered", "--", "altered"]],
    "http paths": [["cargo", "test", "-q", "-p", "folio-http-tests", "--test", "http", "--", "paths"]],
    "http expiry": [["cargo", "test", "-q", "-p", "folio-http-tests", "--test", "http", "--", "expiry"]],
    "http sorts": [["cargo", "test", "-q", "-p", "folio-http-tests", "--test", "http", "--", "sorts", "hostile"]],
    "http openapi": [["cargo", "test", "-q", "-p", "folio-http-tests", "--test", "http", "--", "openapi"]],
    "http typed": [["cargo", "test", "-q", "-p", "folio-http-tests", "--test", "http", "--", "typed"]],
    "http errors": [["cargo", "test", "-q", "-p", "folio-http-tests", "--test", "http", "--", "errors"]],
    "http first contact": [["cargo", "test", "-q", "-p", "folio-http-tests", "--test", "http", "--", "first_contact"]],
    "sqlite held": [[*SQLITE, "held"]],
    "sqlite errors": [[*SQLITE, "suite::errors"]],
    "environment": [["cargo", "test", "-q", "-p", "folio-tests", "--test", "core", "--", "environment"]],
    "html": [["cargo", "test", "-q", "-p", "folio-tests", "--test", "html", "--"]],
    "ui": [["cargo", "test", "-q", "-p", "folio-ui-tests", "--test", "ui", "--"]],
    "http typescript": [["cargo", "test", "-q", "-p", "folio-http-tests", "--test", "http", "--", "typescript"]],
    "npm": [["bash", "-c", "cd npm && npm run types && node --test test/helpers.test.js test/declarations.test.js"]],
    "browser html": [["bash", "-c", "cargo build -q -p example-shop && cd tests/browser && node --test --test-concurrency=1 shop.test.js accessibility.test.js"]],
    "browser": [["bash", "-c", "cargo build -q -p example-catalogue && cd tests/browser && node --test overlap.test.js"]],
}


def fails(test: list[str]) -> bool:
    if "--" in test or test == FOLIO:
        # A mistake has to compile, because tests should catch it, not the compiler.
        build = test[: test.index("--")] if "--" in test else test
        subprocess.run([*build, "--no-run"], cwd=ROOT, check=True, capture_output=True)
    process = subprocess.Popen(test, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        return process.wait(LONGEST) != 0
    except subprocess.TimeoutExpired:
        # A test that waits forever has caught the mistake, too.
        os.killpg(process.pid, signal.SIGKILL)
        return True


def caught(file: pathlib.Path, old: str, new: str, tests: list[list[str]]) -> bool:
    text = file.read_text()
    assert text.count(old) == 1, f"{file.name} has {text.count(old)} places that read: {old}"
    try:
        file.write_text(text.replace(old, new))
        return any(fails(test) for test in tests)
    finally:
        file.write_text(text)


def check() -> int:
    wrong = 0
    for name, file, old, _, *tests in MISTAKES:
        places = (ROOT / file).read_text().count(old)
        unknown = [test for test in tests if test not in TESTS]
        if places != 1 or unknown:
            wrong += 1
            print(f"{name}: {file} has {places} places that read {old!r}; unknown tests: {unknown}")
    print(f"{len(MISTAKES)} mistakes, {wrong} of which do not fit the code")
    return 1 if wrong else 0


def main() -> int:
    names = sys.argv[1:]
    if names == ["--check"]:
        return check()
    missed = 0
    for name, file, old, new, *tests in MISTAKES:
        tests = tests[0] if tests else "sqlite walks"
        if names and not any(part in name or part == tests for part in names):
            continue
        found = caught(ROOT / file, old, new, TESTS[tests])
        missed += not found
        print(f"{'caught' if found else 'MISSED'}  {name}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
