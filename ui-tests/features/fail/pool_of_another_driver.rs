use folio::Folio;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pool = sqlx::PgPool::connect_lazy("postgres://localhost")?;
    Folio::new(pool).install()?;
    //~^ ERROR: folio's feature for `Postgres` is not enabled
    Ok(())
}
