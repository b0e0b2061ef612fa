//! What PostgreSQL reads for a page of many groups.

use folio::{Folio, Key, Keyring};
use folio_tests::recorder::Recorder;

use super::{explained, planned, read};
use crate::million::{Cost, PER_PAGE, feeds};

/// The most blocks for each group: a descent in the index, and the next leaf.
const BLOCKS: u64 = 6;

/// Far fewer rows than the groups have.
#[tokio::test]
async fn a_page_of_a_feed_reads_few_rows_of_each_group() {
    planned().await;
    for plans in ["auto", "force_generic_plan"] {
        let pool = explained(plans).await;
        let log = Recorder::of_target("sqlx::postgres::notice");
        let measure = async {
            for groups in feeds::GROUPS {
                for (page, Cost { rows, beside: blocks }) in feeds::costliest(groups, async || read(&log)).await {
                    println!("{page} of {groups} groups: {rows} rows, {blocks} blocks, {plans}");
                    let most = feeds::rows(groups);
                    assert!((1..=most).contains(&rows), "{page} of {groups} groups: {rows} rows, {plans}");
                    let most = BLOCKS * (groups + 2 * PER_PAGE);
                    assert!((1..=most).contains(&blocks), "{page} of {groups} groups: {blocks} blocks, {plans}");
                }
            }
        };
        Folio::new(pool.clone()).keyring(Keyring::new(Key::generate())).scope(measure).await;
    }
}
