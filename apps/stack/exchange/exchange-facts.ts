/** What who uses the stack's exchange server has to know: the ready message of its process. */
export interface ExchangeFacts {
  readonly asn: number;
  /** Its address in the tunnel. */
  readonly address: string;
  /** File of variables for a user's side: docs/start/first-announcement.md. */
  readonly environment: string;
}
