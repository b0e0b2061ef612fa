//! The layout of a token, and how one key of the ring seals and opens it.
//!
//! Every byte of a token is authenticated: version and key id as associated data, the salt because the message's key is
//! derived from it, and ciphertext and tag by GCM itself.

use folio_core::cursor::{Version, push_part};
use xaes_256_gcm::aead::{AeadInOut as _, KeyInit as _};
use xaes_256_gcm::{Nonce, Tag, Xaes256Gcm};
use zeroize::Zeroize as _;

use super::key::Key;
use super::purpose::CryptPurpose;
use crate::error::{FrameworkError, Result};

/// The length of a key's id. The id avoids trial decryptions with the other keys of a keyring. It is not secret and
/// does not have to be unique.
const KEY_ID: usize = 3;
/// The length of the random input for a message's key.
const SALT: usize = 16;
/// The length of GCM's authentication tag.
const TAG: usize = 16;
/// XAES takes a nonce of 24 bytes: the salt, then zeros. 128 random bits do not repeat in practice, and shorter tokens
/// make shorter URLs.
const NONCE: usize = 24;
/// The length of what precedes the salt: version and key id.
const HEADER: usize = 1 + KEY_ID;
/// The bytes of a token besides the ciphertext.
const OVERHEAD: usize = HEADER + SALT + TAG;
const _: () = assert!(SALT <= NONCE && OVERHEAD.is_multiple_of(12), "a padded token needs exactly one base64 form");

/// How many characters the token of a message of this many bytes has.
pub(crate) const fn length(message: usize) -> usize {
    OVERHEAD.saturating_add(message).div_ceil(3).saturating_mul(4)
}

/// The random input from which a message's key is derived. It is used for one message only.
#[derive(Debug)]
pub(crate) struct Salt(pub(super) [u8; SALT]);

impl Salt {
    /// New random salts from one system call, because the call takes a large part of the time for sealing.
    pub(crate) fn fresh<const N: usize>() -> Result<[Self; N]> {
        let mut salts = [[0; SALT]; N];
        fill(salts.as_flattened_mut())?;
        Ok(salts.map(Self))
    }

    /// Same as [`fresh`](Self::fresh), for a number of salts that is only known at run time.
    pub(crate) fn many(count: usize) -> Result<Vec<Self>> {
        let mut salts = vec![[0; SALT]; count];
        fill(salts.as_flattened_mut())?;
        Ok(salts.into_iter().map(Self).collect())
    }
}

fn fill(bytes: &mut [u8]) -> Result<()> {
    getrandom::fill(bytes)
        .map_err(|error| FrameworkError::internal(format!("failed to read random bytes from the system: {error}")))
}

/// A key of the ring: its id, and the cipher of each purpose, built once.
#[derive(Clone)]
pub(super) struct RingKey {
    /// The first bytes of a key that is derived only for this, so they reveal nothing about the other keys.
    id: [u8; KEY_ID],
    /// In the order of [`CryptPurpose::ALL`].
    ciphers: [Xaes256Gcm; CryptPurpose::ALL.len()],
}

impl RingKey {
    pub(super) fn new(key: &Key) -> Self {
        let [a, b, c, ..] = *key.derive(b"key-id");
        Self { id: [a, b, c], ciphers: CryptPurpose::ALL.map(|purpose| cipher(key, purpose)) }
    }

    #[expect(clippy::indexing_slicing, reason = "there is a cipher for each purpose, in their order")]
    fn cipher(&self, purpose: CryptPurpose) -> &Xaes256Gcm {
        &self.ciphers[purpose as usize]
    }

    fn header(&self, version: Version) -> [u8; HEADER] {
        let [a, b, c] = self.id;
        [version as u8, a, b, c]
    }

    /// Encrypts a message, and returns the whole token. `None` if the message is longer than GCM allows, 64 GiB.
    pub(super) fn seal(
        &self,
        version: Version,
        Salt(salt): Salt,
        purpose: CryptPurpose,
        scope: &[u8],
        plaintext: &[u8],
    ) -> Option<Vec<u8>> {
        let header = self.header(version);
        let mut token = Vec::with_capacity(OVERHEAD.saturating_add(plaintext.len()));
        for part in [&header[..], &salt, plaintext] {
            token.extend_from_slice(part);
        }
        // The message is encrypted in place.
        let message = token.get_mut(HEADER + SALT..)?;
        let aad = associated_data(&header, purpose, scope);
        let tag = self.cipher(purpose).encrypt_inout_detached(&nonce(salt), &aad, message.into()).ok()?;
        token.extend_from_slice(&tag);
        Some(token)
    }

    /// Whether a token has this key's id. Ids have 24 bits, so two keys of a ring can have the same one.
    pub(super) fn may_open(&self, token: &Token<'_>) -> bool {
        Version::ALL.into_iter().any(|version| self.header(version) == *token.header)
    }

    /// Decrypts a token; `None` if it does not authenticate.
    pub(super) fn open(&self, token: &Token<'_>, purpose: CryptPurpose, scope: &[u8]) -> Option<Vec<u8>> {
        let aad = associated_data(token.header, purpose, scope);
        let mut message = token.ciphertext.to_vec();
        let buffer = message.as_mut_slice().into();
        let opened = self.cipher(purpose).decrypt_inout_detached(&token.nonce(), &aad, buffer, &token.tag());
        if opened.is_err() {
            message.zeroize();
        }
        opened.is_ok().then_some(message)
    }
}

fn cipher(key: &Key, purpose: CryptPurpose) -> Xaes256Gcm {
    let key = key.derive(format!("purpose:{}", purpose.label()).as_bytes());
    Xaes256Gcm::new((&*key).into())
}

/// The parts of a token, which are not authenticated yet.
pub(super) struct Token<'a> {
    header: &'a [u8; HEADER],
    salt: &'a [u8; SALT],
    ciphertext: &'a [u8],
    tag: &'a [u8; TAG],
}

impl<'a> Token<'a> {
    /// Splits a token into its parts; `None` if it is too short.
    pub(super) fn parse(bytes: &'a [u8]) -> Option<Self> {
        let (header, rest) = bytes.split_first_chunk()?;
        let (salt, rest) = rest.split_first_chunk()?;
        let (ciphertext, tag) = rest.split_last_chunk()?;
        Some(Self { header, salt, ciphertext, tag })
    }

    fn nonce(&self) -> Nonce {
        nonce(*self.salt)
    }

    fn tag(&self) -> Tag {
        (*self.tag).into()
    }
}

/// The nonce of a message: its salt, padded with zeros.
fn nonce(salt: [u8; SALT]) -> Nonce {
    let mut nonce = [0; NONCE];
    for (byte, salt) in nonce.iter_mut().zip(salt) {
        *byte = salt;
    }
    nonce.into()
}

/// What is authenticated with a message: header, purpose and scope.
fn associated_data(header: &[u8], purpose: CryptPurpose, scope: &[u8]) -> Vec<u8> {
    let mut data = Vec::with_capacity(scope.len().saturating_add(64));
    push_part(&mut data, &[header]);
    push_part(&mut data, &[purpose.label().as_bytes()]);
    data.extend_from_slice(scope);
    data
}
