//! The layout of a token, and how one key of the ring seals and opens it.
//!
//! Every byte of a token is authenticated: version and key id as associated data, the salt because the message's key is
//! derived from it, and ciphertext and tag by GCM itself.

use folio_plan::cursor::{Version, push_part};
use xaes_256_gcm::aead::{AeadInOut as _, KeyInit as _};
use xaes_256_gcm::{Nonce, Xaes256Gcm};
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

/// The longest message whose token has at most this many characters, a multiple of 4.
pub(crate) const fn longest_message(token: usize) -> usize {
    (token / 4).saturating_mul(3).saturating_sub(OVERHEAD)
}

/// The random input from which a message's key is derived. It is used for one message only.
#[derive(Debug)]
pub(crate) struct Salt(pub(super) [u8; SALT]);

impl Salt {
    /// New random salts from one system call, because the call takes a large part of the time for sealing.
    pub(crate) fn fresh<const N: usize>() -> Result<[Self; N]> {
        let mut salts = [[0; SALT]; N];
        getrandom::fill(salts.as_flattened_mut()).map_err(no_random_bytes)?;
        Ok(salts.map(Self))
    }

    /// Same as [`fresh`](Self::fresh), for a number of salts that is only known at run time.
    pub(crate) fn many(count: usize) -> Result<Vec<Self>> {
        let mut salts = vec![[0; SALT]; count];
        getrandom::fill(salts.as_flattened_mut()).map_err(no_random_bytes)?;
        Ok(salts.into_iter().map(Self).collect())
    }
}

fn no_random_bytes(error: getrandom::Error) -> FrameworkError {
    FrameworkError::internal(format!("failed to read random bytes from the system: {error}"))
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
        let cipher = |purpose: CryptPurpose| {
            let key = key.derive(format!("purpose:{}", purpose.label()).as_bytes());
            Xaes256Gcm::new((&*key).into())
        };
        Self { id: [a, b, c], ciphers: CryptPurpose::ALL.map(cipher) }
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
        let [a, b, c] = self.id;
        let header = [version as u8, a, b, c];
        let mut token = Vec::with_capacity(OVERHEAD.saturating_add(plaintext.len()));
        for part in [&header[..], &salt, plaintext] {
            token.extend_from_slice(part);
        }

        // The message is encrypted in place. The tag follows it.
        let message = token.get_mut(HEADER + SALT..)?.into();
        let aad = associated_data(&header, purpose, scope);
        let tag = self.ciphers.get(purpose as usize)?.encrypt_inout_detached(&nonce(&salt), &aad, message).ok()?;
        token.extend_from_slice(&tag);
        Some(token)
    }

    /// Decrypts a token. `None` if it is not one of this key, purpose and scope, or was altered.
    pub(super) fn open(&self, token: &[u8], purpose: CryptPurpose, scope: &[u8]) -> Option<Vec<u8>> {
        let (header, rest) = token.split_first_chunk::<HEADER>()?;
        let (salt, rest) = rest.split_first_chunk::<SALT>()?;
        let (ciphertext, tag) = rest.split_last_chunk::<TAG>()?;

        // Decrypt only with a key that has the token's id. Two keys of a ring may have the same one, of 24 bits.
        let [version, id @ ..] = header;
        if *id != self.id || !Version::ALL.iter().any(|known| *known as u8 == *version) {
            return None;
        }

        let mut message = ciphertext.to_vec();
        let aad = associated_data(header, purpose, scope);
        let buffer = message.as_mut_slice().into();
        let opened = self.ciphers.get(purpose as usize)?.decrypt_inout_detached(&nonce(salt), &aad, buffer, tag.into());
        if opened.is_err() {
            message.zeroize();
            return None;
        }
        Some(message)
    }
}

/// The nonce of a message: its salt, padded with zeros.
fn nonce(salt: &[u8; SALT]) -> Nonce {
    let mut nonce = [0; NONCE];
    for (byte, salt) in nonce.iter_mut().zip(salt) {
        *byte = *salt;
    }
    nonce.into()
}

/// What is authenticated with a message besides the salt: header, purpose and scope.
fn associated_data(header: &[u8], purpose: CryptPurpose, scope: &[u8]) -> Vec<u8> {
    let mut data = Vec::with_capacity(scope.len().saturating_add(64));
    push_part(&mut data, &[header]);
    push_part(&mut data, &[purpose.label().as_bytes()]);
    data.extend_from_slice(scope);
    data
}
