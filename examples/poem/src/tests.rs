//! The server as its clients see it.

use std::net::SocketAddr;

use poem::Server;
use poem::listener::TcpAcceptor;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::{app, database};

/// Starts the service on a free port.
async fn start() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = Server::new_with_acceptor(TcpAcceptor::from_tokio(listener).unwrap());
    tokio::spawn(server.run(app(database().await.unwrap())));
    address
}

/// Requests a path. Returns the status and the JSON.
async fn get(address: SocketAddr, path: &str) -> (u16, Value) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).await.unwrap();
    let (head, body) = response.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), serde_json::from_str(body).unwrap())
}

#[tokio::test]
async fn a_page_is_read_from_the_request() {
    let address = start().await;
    let (status, page) = get(address, "/planets?page=2&per_page=2").await;
    assert_eq!((status, &page["total"]), (200, &json!(8)));
    assert_eq!(page["data"], json!([{ "id": 3, "name": "Earth" }, { "id": 4, "name": "Mars" }]));
    assert_eq!(page["next_page_url"], "/planets?per_page=2&page=3");
}

#[tokio::test]
async fn the_list_is_walked_to_its_end() {
    let address = start().await;
    let (mut names, mut next) = (Vec::new(), Some("/feed".to_owned()));
    while let Some(path) = next {
        let (status, page) = get(address, &path).await;
        assert_eq!(status, 200);
        names.extend(page["data"].as_array().unwrap().iter().map(|planet| planet["name"].clone()));
        next = page["next_page_url"].as_str().map(str::to_owned);
    }
    assert_eq!(names, ["Mercury", "Venus", "Earth", "Mars", "Jupiter", "Saturn", "Uranus", "Neptune"]);
}

#[tokio::test]
async fn an_error_has_a_status_and_a_message() {
    let address = start().await;
    for (path, body) in [
        ("/planets?per_page=0", json!({ "message": "`per_page` is a number from 1 to 10", "parameter": "per_page" })),
        ("/feed?cursor=altered", json!({ "message": "Invalid pagination cursor" })),
    ] {
        assert_eq!(get(address, path).await, (400, body), "{path}");
    }
}
