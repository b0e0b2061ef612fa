use super::*;
use crate::transaction::tests::pool;

#[tokio::test]
async fn a_transaction_shows_nothing_of_its_connections() {
    let pool = pool().await;
    let scope =
        Scope::<sqlx::Sqlite>::begin(pool.clone(), None, std::panic::Location::caller()).await.expect("it begins");
    let (transaction, connections) = (scope.shared.clone().into(), Connections::new(pool.into()));
    let entry = Entry { transaction, connections, scope: None, outer: None };
    let ambient = Ambient(Arc::new(entry));
    assert_eq!(format!("{ambient:?}"), "Ambient(..)");
}
