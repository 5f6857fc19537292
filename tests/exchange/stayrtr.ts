/** StayRTR, an RTR server: its command line. */

interface Served {
  /** JSON, as routinator and rpki-client write it; it is read again each second. */
  readonly file: string;
  /** On loopback; its metrics are a thousand above. */
  readonly port: number;
  /** The highest version that it speaks. */
  readonly version?: 0 | 1 | 2;
}

export function stayrtrCommand({ file, port, version = 2 }: Served): string[] {
  const cache = ["-cache", file, "-checktime=false", "-refresh", "1", "-protocol", `${version}`];
  const listen = ["-bind", `127.0.0.1:${port}`, "-metrics.addr", `127.0.0.1:${port + 1000}`];
  return ["stayrtr", ...listen, ...cache];
}
