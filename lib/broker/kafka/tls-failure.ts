/** What is wrong between us and the certificate of a broker, in words that say what to do. */

/** Codes of OpenSSL, as Bun 1.4.5 and Node name them; the rest of them mean that nobody whom we trust has signed. */
const words: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "it has expired; renew it at the broker",
  CERT_NOT_YET_VALID: "it is not valid yet; set this machine's clock, or renew it at the broker",
  CERT_REVOKED: "it has been revoked; renew it at the broker",
  ERR_TLS_CERT_ALTNAME_INVALID:
    "it is not for that name; name the broker as in its certificate, in brokers and in its advertised.listeners",
};

const untrusted =
  "nobody that is trusted here has signed it; name the file of its authority in auth_tls_ca_file";
const untrustedCodes = /^(UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|CERT_|INVALID_CA$|HOSTNAME_MISMATCH$)/;

/** Null when it is about something else. `server` as HOST:PORT. */
export function tlsFailure(code: string, server: string): string | null {
  const reason = words[code] ?? (untrustedCodes.test(code) ? untrusted : null);
  return reason === null ? null : `the certificate of ${server} is refused (${code}): ${reason}`;
}
