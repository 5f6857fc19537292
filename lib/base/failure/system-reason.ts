/** System errors in words for the user: of files, of connections, and as Bun names them. Pure. */

const words: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "no permission",
  EPERM: "no permission",
  EISDIR: "it is a folder",
  ENOTDIR: "it is not a folder",
  EEXIST: "it already exists",
  ENOTEMPTY: "the folder is not empty",
  ELOOP: "its links form a loop",
  ENAMETOOLONG: "the name is too long",
  EBUSY: "it is in use",
  ETXTBSY: "it is being executed",
  EMFILE: "this process has too many files open",
  ENFILE: "the machine has too many files open",
  ENOMEM: "out of memory",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file would be too large",
  EROFS: "the file system is read-only",
  EIO: "the disk cannot be read or written",
  EPIPE: "its reader has closed it",
  EINVAL: "the system refuses it as invalid",
  EADDRINUSE: "another program listens there",
  EADDRNOTAVAIL: "it is not an address of this machine",
  ECONNREFUSED: "nothing listens there",
  ConnectionRefused: "nothing listens there",
  ECONNRESET: "it has closed the connection",
  ECONNABORTED: "it has closed the connection",
  ConnectionClosed: "it has closed the connection",
  ETIMEDOUT: "it does not answer",
  ConnectionTimeout: "it does not answer",
  TimeoutError: "it does not answer in time",
  EHOSTUNREACH: "there is no route to it",
  ENETUNREACH: "there is no route to it",
  ENETDOWN: "the network is down",
  FailedToOpenSocket: "no such host, or no route to it",
  ENOTFOUND: "no such host",
  DNSException: "no such host",
  EAI_AGAIN: "no name server answers",
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate's issuer is not trusted here",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate's issuer is not trusted here",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its certificate's issuer is not trusted here",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name",
};

/** A system error's words, or its code if it has none; the text of any other error. */
export function systemReason(error: unknown): string {
  const known = words[codeOf(error)] ?? words[error instanceof Error ? error.name : ""];
  if (known !== undefined) {
    return known;
  }
  const text = error instanceof Error ? error.message : String(error);
  // As Bun and Node write them: the code, its meaning, the call, the path.
  const code = /^(E[A-Z0-9]{2,}): /.exec(text)?.[1];
  return code === undefined ? text : (words[code] ?? `system error ${code}`);
}

/** Whether it is one of those that have words here. */
export function isSystemError(error: Error): boolean {
  return words[codeOf(error)] !== undefined;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
