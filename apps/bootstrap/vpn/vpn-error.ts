/** What goes wrong between us and tailscaled. */

export type VpnErrorCode =
  /** Nobody answers at the socket, or not in time. */
  | "unreachable"
  /** It answers, but refuses, or with something else than a status. */
  | "badAnswer";

export class VpnError extends Error {
  override readonly name = "VpnError";
  readonly code: VpnErrorCode;

  constructor(code: VpnErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
