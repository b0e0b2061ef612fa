use folio::Folio;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pool = sqlx::Pool::<sqlx_postgres::Postgres>::connect_lazy("postgres://localhost")?;
    Folio::new(pool).install()?;
    Ok(())
}
