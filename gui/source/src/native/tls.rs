//! Encrypted connections to servers whose certificates are trusted by the system's store or by the file that
//! `SSL_CERT_FILE` names.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::{Arc, OnceLock};

use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use ureq::tls::{Certificate, RootCerts, TlsConfig};

/// A connection, encrypted or not.
pub(super) enum MaybeTls {
    Plain(TcpStream),
    Secure(Box<StreamOwned<ClientConnection, TcpStream>>),
}

impl Read for MaybeTls {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            MaybeTls::Plain(stream) => stream.read(buffer),
            MaybeTls::Secure(stream) => stream.read(buffer),
        }
    }
}

impl Write for MaybeTls {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            MaybeTls::Plain(stream) => stream.write(bytes),
            MaybeTls::Secure(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            MaybeTls::Plain(stream) => stream.flush(),
            MaybeTls::Secure(stream) => stream.flush(),
        }
    }
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}

/// The certificates that the system trusts, read once.
fn system_certificates() -> &'static [CertificateDer<'static>] {
    static CERTIFICATES: OnceLock<Vec<CertificateDer<'static>>> = OnceLock::new();
    CERTIFICATES.get_or_init(|| rustls_native_certs::load_native_certs().certs)
}

/// Encrypts a connection to a `host:port` or a host.
pub(super) fn secure(mut stream: TcpStream, authority: &str) -> io::Result<MaybeTls> {
    let mut roots = RootCertStore::empty();
    // Unreadable certificates are ignored.
    roots.add_parsable_certificates(system_certificates().iter().cloned());
    let config = ClientConfig::builder_with_provider(provider()).with_safe_default_protocol_versions();
    let config = config.map_err(io::Error::other)?.with_root_certificates(roots).with_no_client_auth();
    let host = authority.rsplit_once(':').filter(|(_, port)| port.parse::<u16>().is_ok());
    let host = host.map_or(authority, |(host, _)| host).trim_matches(['[', ']']);
    let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
    let mut connection = ClientConnection::new(Arc::new(config), name).map_err(io::Error::other)?;
    while connection.is_handshaking() {
        connection.complete_io(&mut stream)?;
    }
    Ok(MaybeTls::Secure(Box::new(StreamOwned::new(connection, stream))))
}

/// The TLS configuration of the HTTP client.
pub(super) fn config() -> TlsConfig {
    static CONFIG: OnceLock<TlsConfig> = OnceLock::new();
    let made = || {
        let found = system_certificates().iter();
        let roots: Vec<_> = found.map(|found| Certificate::from_der(found).to_owned()).collect();
        let config = TlsConfig::builder().root_certs(RootCerts::Specific(Arc::new(roots)));
        config.unversioned_rustls_crypto_provider(provider()).build()
    };
    CONFIG.get_or_init(made).clone()
}

/// The reason why a server's certificate or encryption is not trusted, if that is the error.
pub(super) fn distrust(error: &io::Error) -> Option<String> {
    let error = error.get_ref()?.downcast_ref::<rustls::Error>()?;
    Some(match error {
        rustls::Error::InvalidCertificate(why) => format!("its certificate is not trusted: {why:?}"),
        other => other.to_string(),
    })
}
