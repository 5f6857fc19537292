/** Where parts of the stack listen. */

export interface Listen {
  readonly hostname: string;
  /** 0 = any that is free. */
  readonly port: number;
}

/** The gateway, and the issuer of its users' tokens: that one always on 127.0.0.1. */
export interface GatewayListen {
  readonly gateway: Listen;
  readonly issuerPort: number;
}

/** `127.0.0.1:8091`, IPv6 in brackets. */
export function listenText({ hostname, port }: Listen): string {
  return `${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;
}
