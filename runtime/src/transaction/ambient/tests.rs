use super::*;
use crate::transaction::tests::pool;

#[tokio::test]
async fn a_transaction_shows_nothing_of_its_connections() {
    let pool = pool().await;
    let scope = Scope::<sqlx::Sqlite>::begin(pool.clone(), None).await.expect("it begins");
    let ambient = Ambient::new(scope.shared.clone(), Connections::new(pool.into()));
    assert_eq!(format!("{ambient:?}"), "Ambient(..)");
}
