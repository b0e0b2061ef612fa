//! The metrics of pages, as an exporter gets them from the facade.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use folio::{Folio, Paginate};
use metrics::{
    Counter, CounterFn, Gauge, Histogram, HistogramFn, Key, KeyName, Metadata, Recorder, SharedString, Unit,
};

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "measured")]
#[expect(dead_code, reason = "only what is measured matters here")]
struct Measured {
    id: i64,
}

/// What was recorded for each metric and its labels.
#[derive(Clone, Default)]
struct Recorded(Arc<Mutex<BTreeMap<String, Vec<f64>>>>);

impl Recorded {
    fn metric(&self, key: &Key) -> Arc<Metric> {
        let labels: Vec<String> = key.labels().map(|label| format!("{}={}", label.key(), label.value())).collect();
        Arc::new(Metric { name: format!("{}{{{}}}", key.name(), labels.join(",")), recorded: self.clone() })
    }
}

struct Metric {
    name: String,
    recorded: Recorded,
}

impl Metric {
    fn add(&self, value: f64) {
        let mut all = self.recorded.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.entry(self.name.clone()).or_default().push(value);
    }
}

impl CounterFn for Metric {
    fn increment(&self, value: u64) {
        self.add(value as f64);
    }

    fn absolute(&self, _: u64) {
        panic!("folio only counts up");
    }
}

impl HistogramFn for Metric {
    fn record(&self, value: f64) {
        self.add(value);
    }
}

impl Recorder for Recorded {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        Counter::from_arc(self.metric(key))
    }

    fn register_gauge(&self, key: &Key, _: &Metadata<'_>) -> Gauge {
        panic!("folio has no gauges: {key}");
    }

    fn register_histogram(&self, key: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::from_arc(self.metric(key))
    }
}

#[tokio::test]
async fn each_page_is_measured() {
    let recorded = Recorded::default();
    let _guard = metrics::set_default_local_recorder(&recorded);
    let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await.unwrap();
    let table = "CREATE TABLE measured (id INTEGER PRIMARY KEY); INSERT INTO measured VALUES (1), (2), (3)";
    sqlx::raw_sql(table).execute(&pool).await.unwrap();
    let folio = Folio::new(pool.clone());
    for _ in 0..2 {
        folio.scope(Measured::query().paginate(2)).await.unwrap();
    }
    sqlx::raw_sql("DROP TABLE measured").execute(&pool).await.unwrap();
    folio.scope(Measured::query().count()).await.unwrap_err();

    let recorded = recorded.0.lock().unwrap();
    let read = "kind=length_aware,list=measured,db_system=sqlite,outcome=read";
    let failed = "kind=count,list=measured,db_system=sqlite,outcome=failed";
    for (metric, expected) in [
        (format!("folio_page_statements_total{{{read}}}"), [1.0, 1.0].as_slice()),
        (format!("folio_page_rows_total{{{read}}}"), &[2.0, 2.0]),
        (format!("folio_page_retries_total{{{read}}}"), &[0.0, 0.0]),
        (format!("folio_page_statements_total{{{failed}}}"), &[1.0]),
    ] {
        assert_eq!(recorded.get(&metric).map(Vec::as_slice), Some(expected), "{metric}: {recorded:#?}");
    }
    let durations = &recorded[&format!("folio_page_duration_seconds{{{read}}}")];
    assert!(durations.len() == 2 && durations.iter().all(|seconds| (0.0..60.0).contains(seconds)), "{durations:?}");
    assert_eq!(recorded[&format!("folio_page_duration_seconds{{{failed}}}")].len(), 1);
}
