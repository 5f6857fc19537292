/**
 * The life cycle of every service: it opens its resources, listens, and runs until SIGTERM or SIGINT; then it
 * finishes requests in progress and closes resources in reverse order. A second signal ends it at once.
 */
import { once } from "node:events";
import { listenForInterrupt } from "../../base/terminal/interruption.ts";
import { type FetchHandler, type ServeOptions, serve } from "../http/serve.ts";
import { jsonLog, type LogFields, type Logger } from "../observe/log.ts";
import { MemoryWatch } from "./memory-watch.ts";

interface ServiceOrder {
  /** In the log, and in `vantage NAME`. */
  readonly name: string;
  /** Warnings about unsafe settings. */
  readonly warnings: readonly string[];
  /**
   * Resources on `owned` are closed at the end, last opened first. Rejects with an Error that names the next
   * step.
   */
  readonly open: (log: Logger, owned: AsyncDisposableStack) => Promise<OpenService> | OpenService;
}

interface OpenService {
  readonly fetch: FetchHandler;
  readonly listen: ServeOptions;
  /** Fields of the log lines at its start and its end. */
  readonly facts?: LogFields;
  /** Background work until the signal. When it rejects, the service ends. */
  readonly work?: (stop: AbortSignal) => Promise<void>;
  /** On SIGHUP. Never rejects. */
  readonly reload?: () => Promise<void>;
  /** Ends long polls, which would delay the stop. */
  readonly release?: () => void;
  /** What keeps working without the service, for the log line at its end. */
  readonly stays?: string;
}

/** Resolves when everything is closed. Rejects with the reason why it could not start or continue. */
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
  using _memory = new MemoryWatch();
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
