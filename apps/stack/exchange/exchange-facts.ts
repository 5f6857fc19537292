/** What who uses the stack's exchange server has to know: the ready message of its process. */
export interface ExchangeFacts {
  readonly asn: number;
  /** Its address in the tunnel. */
  readonly address: string;
  /** What receives its routes; null = its settings have other neighbours. */
  readonly outside: {
    readonly upstreams: readonly { readonly name: string; readonly asn: number }[];
    /** The collector's address, without a slash at its end. */
    readonly collector: string;
  } | null;
  /** File of variables for a user's side: docs/start/first-announcement.md. */
  readonly environment: string;
}
