//! Proxies to a server: one counts round trips, and can stop forwarding or hold back an answer; another changes messages,
//! as an engine behind the same protocol does.

use std::sync::Arc;
use std::sync::Mutex as StdMutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Mutex;

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
    /// The answers to a message with this text are held back.
    holds: StdMutex<Option<&'static str>>,
    /// Whether answers are being held back.
    held: AtomicBool,
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

    /// Holds back the answers of the server from the next message with this text on, until [`release`](Self::release).
    ///
    /// # Panics
    /// If another thread has panicked in this method.
    pub fn hold_answer_to(&self, text: &'static str) {
        *self.state.holds.lock().expect("no panic") = Some(text);
    }

    /// Waits until a client has sent such a message. The server receives it.
    pub async fn held(&self) {
        while !self.state.held.load(Ordering::Acquire) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    /// Forwards the answers that were held back, and those that follow.
    ///
    /// # Panics
    /// If another thread has panicked in [`hold_answer_to`](Self::hold_answer_to).
    pub fn release(&self) {
        *self.state.holds.lock().expect("no panic") = None;
        self.state.held.store(false, Ordering::Release);
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

impl State {
    /// Holds the answers back from now on if a client sends the text.
    fn look_at(&self, bytes: &[u8]) {
        let mut holds = self.holds.lock().expect("no panic");
        if holds.is_some_and(|text| bytes.windows(text.len()).any(|part| part == text.as_bytes())) {
            *holds = None;
            self.held.store(true, Ordering::Release);
        }
    }
}

async fn forward(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, state: Arc<State>, is_client: bool) {
    let mut buffer = [0; 4_096];
    while let Ok(read @ 1..) = from.read(&mut buffer).await {
        let bytes = buffer.get(..read).unwrap_or_default();
        if is_client {
            state.look_at(bytes);
        }
        while state.frozen.load(Ordering::Acquire) || (!is_client && state.held.load(Ordering::Acquire)) {
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
        if to.write_all(bytes).await.is_err() {
            return;
        }
    }
}

/// How a database's protocol divides what is sent into messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    Postgres,
    MySql,
}

/// Who sent a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sender {
    Client,
    Server,
}

/// What a proxy does with a message.
#[derive(Debug)]
pub enum Passed {
    /// It is forwarded as it is.
    Unchanged,
    /// These bytes are forwarded in its place.
    Changed(Vec<u8>),
    /// It is not forwarded. Its sender receives these bytes.
    Answered(Vec<u8>),
}

type Pass = dyn Fn(Sender, &[u8]) -> Passed + Send + Sync;

/// The port of a proxy that passes each message, whole and with its header, to `pass`. Connections to it are not
/// encrypted.
///
/// # Panics
/// If no port is free.
pub async fn changing(
    server: u16,
    protocol: Protocol,
    pass: impl Fn(Sender, &[u8]) -> Passed + Send + Sync + 'static,
) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let port = listener.local_addr().expect("its address").port();
    let pass: Arc<Pass> = Arc::new(pass);
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let Ok(server) = TcpStream::connect(("127.0.0.1", server)).await else { return };
            let ((client, to_client), (server, to_server)) = (client.into_split(), server.into_split());
            let (to_client, to_server) = (Arc::new(Mutex::new(to_client)), Arc::new(Mutex::new(to_server)));
            let ends = (Arc::clone(&to_server), Arc::clone(&to_client));
            tokio::spawn(pass_all(Sender::Client, client, protocol, ends, Arc::clone(&pass)));
            tokio::spawn(pass_all(Sender::Server, server, protocol, (to_client, to_server), Arc::clone(&pass)));
        }
    });
    port
}

/// A side of a connection to write to.
type Side = Arc<Mutex<OwnedWriteHalf>>;

async fn pass_all(
    sender: Sender,
    mut from: OwnedReadHalf,
    protocol: Protocol,
    (on, back): (Side, Side),
    pass: Arc<Pass>,
) {
    // PostgreSQL's clients begin with a message that has no type.
    let mut has_type = protocol == Protocol::Postgres && sender == Sender::Server;
    while let Some(message) = message(&mut from, protocol, has_type).await {
        has_type = protocol == Protocol::Postgres;
        let (to, bytes) = match pass(sender, &message) {
            Passed::Unchanged => (&on, message),
            Passed::Changed(bytes) => (&on, bytes),
            Passed::Answered(bytes) => (&back, bytes),
        };
        if to.lock().await.write_all(&bytes).await.is_err() {
            break;
        }
    }
    let _ = on.lock().await.shutdown().await;
}

/// The next message with its header; `None` at the end.
async fn message(from: &mut OwnedReadHalf, protocol: Protocol, has_type: bool) -> Option<Vec<u8>> {
    let mut message = vec![0; if has_type { 5 } else { 4 }];
    from.read_exact(&mut message).await.ok()?;
    let number: [u8; 4] = message.last_chunk().copied()?;
    let rest = match protocol {
        Protocol::Postgres => usize::try_from(u32::from_be_bytes(number)).ok()?.checked_sub(4)?,
        // The fourth byte numbers the messages.
        Protocol::MySql => usize::try_from(u32::from_le_bytes(number) & 0xff_ffff).ok()?,
    };
    let header = message.len();
    message.resize(header.checked_add(rest)?, 0);
    from.read_exact(message.get_mut(header..)?).await.ok()?;
    Some(message)
}
