//! A proxy to a server that counts round trips, and can stop forwarding.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};

/// A port of this machine that forwards to a server on another one.
#[derive(Debug)]
pub struct Proxy {
    port: u16,
    state: Arc<State>,
}

#[derive(Debug, Default)]
struct State {
    frozen: AtomicBool,
    round_trips: AtomicUsize,
    /// How long a message takes in each direction, in milliseconds.
    delay: AtomicU64,
    /// Whether the client sent the latest bytes.
    client_sent: AtomicBool,
}

impl Proxy {
    /// Listens in front of a server.
    ///
    /// # Panics
    /// If no port is free.
    pub async fn before(server: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let port = listener.local_addr().expect("its address").port();
        let proxy = Self { port, state: Arc::default() };
        let state = Arc::clone(&proxy.state);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let Ok(server) = TcpStream::connect(("127.0.0.1", server)).await else { return };
                let ((client, client_out), (server, server_out)) = (client.into_split(), server.into_split());
                tokio::spawn(forward(client, server_out, Arc::clone(&state), true));
                tokio::spawn(forward(server, client_out, Arc::clone(&state), false));
            }
        });
        proxy
    }

    /// The port to connect to.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Stops forwarding, or starts again.
    pub fn freeze(&self, frozen: bool) {
        self.state.frozen.store(frozen, Ordering::Release);
    }

    /// Takes this long for a message in each direction, as a distant server does.
    pub fn delay(&self, delay: Duration) {
        self.state.delay.store(delay.as_millis().try_into().unwrap_or(u64::MAX), Ordering::Release);
    }

    /// The number of round trips since the last call: how often a client sent something after the server had answered.
    #[must_use]
    pub fn take_round_trips(&self) -> usize {
        self.state.round_trips.swap(0, Ordering::SeqCst)
    }
}

async fn forward(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, state: Arc<State>, is_client: bool) {
    let mut bytes = [0; 4_096];
    while let Ok(read @ 1..) = from.read(&mut bytes).await {
        while state.frozen.load(Ordering::Acquire) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let delay = state.delay.load(Ordering::Acquire);
        if delay > 0 {
            tokio::time::sleep(Duration::from_millis(delay)).await;
        }
        if is_client && !state.client_sent.load(Ordering::SeqCst) {
            state.round_trips.fetch_add(1, Ordering::SeqCst);
        }
        state.client_sent.store(is_client, Ordering::SeqCst);
        if to.write_all(bytes.get(..read).unwrap_or_default()).await.is_err() {
            return;
        }
    }
}
