use folio::json_response;

struct Post {
    id: i64,
}

fn main() {
    json_response!(Post { id: 7 }, 201);
}
