/**
 * The life of every service of ours: it opens what it works with, listens, and goes on until SIGTERM or SIGINT; then
 * answers that are under way end, and what was opened is closed in the other order. A second signal ends it at once.
 */
import { once } from "node:events";
import { type FetchHandler, type ServeOptions, serve } from "../http/serve.ts";
import { jsonLog, type LogFields, type Logger } from "../observe/log.ts";
import { listenForInterrupt } from "../terminal/interruption.ts";

interface ServiceOrder {
  /** In the log, and in `vantage NAME`. */
  readonly name: string;
  /** What is allowed and should not stay so. */
  readonly warnings: readonly string[];
  /** What is put on `owned` is closed at the end, the last first. Rejects with an Error that says what to do. */
  readonly open: (log: Logger, owned: AsyncDisposableStack) => Promise<OpenService> | OpenService;
}

interface OpenService {
  readonly fetch: FetchHandler;
  readonly listen: ServeOptions;
  /** For the lines of its start and its end. */
  readonly facts?: LogFields;
  /** What it does besides answering, until the signal. When it rejects, the service ends. */
  readonly work?: (stop: AbortSignal) => Promise<void>;
  /** On SIGHUP. Never rejects. */
  readonly reload?: () => Promise<void>;
  /** Lets those go who wait for news: else the server would wait for them. */
  readonly release?: () => void;
  /** What stays without it, for the line of its end. */
  readonly stays?: string;
}

/** Resolves when everything is closed. Rejects with why it could not start, or go on. */
export async function runService({ name, warnings, open }: ServiceOrder): Promise<void> {
  using interruption = listenForInterrupt();
  const log = jsonLog(name);
  for (const warning of warnings) {
    log.warn(warning);
  }
  await using owned = new AsyncDisposableStack();
  const { fetch, listen, facts = {}, work = untilAborted, reload, release, stays } = await open(log, owned);
  await using server = serve(fetch, listen);
  using _reloading = onHangUp(reload);
  log.info("Serving", { url: server.url, ...facts });
  await work(interruption.signal);
  log.info(stays === undefined ? "Stopping" : `Stopping; ${stays}`, facts);
  release?.();
}

export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) {
    await once(signal, "abort");
  }
}

function onHangUp(reload: OpenService["reload"]): Disposable {
  if (reload === undefined) {
    return { [Symbol.dispose]: () => {} };
  }
  const onSignal = () => void reload();
  process.on("SIGHUP", onSignal);
  return { [Symbol.dispose]: () => process.off("SIGHUP", onSignal) };
}
