/** Sends requests to a gateway: all that the parts of the published SDK need. */

export interface Ask {
  /** Default GET. */
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Undefined leaves a parameter out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** A stream is made again for each try. */
  readonly body?: string | (() => ReadableStream<Uint8Array>);
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the request may be retried; default: only GET. */
  readonly repeatable?: boolean;
  /** For a command that waits anyway: milliseconds for which a repeatable request is tried beyond the usual tries. */
  readonly patientMs?: number;
  /** Called once for a request that needs this patience, with the reason. */
  readonly onBreak?: ((reason: string) => void) | undefined;
  /** Sends no token, for public routes. */
  readonly anonymous?: boolean;
  /** Until the head of the answer; default `answerMs`. */
  readonly answerMs?: number;
  readonly signal?: AbortSignal;
}

export interface Transport {
  /** Scheme and host, and a path if there is one; no slash at its end. */
  readonly address: string;
  /** Resolves to a successful answer only. Rejects with GatewayError, or the reason of its signal. */
  readonly request: (path: string, ask?: Ask) => Promise<Response>;
}
