/** Checks our services, and others, over HTTP. */
import { parsedJson } from "../../../base/api/parsed-json.ts";
import { type Finding, fail, messageOf, ok, warn } from "../finding.ts";
import { answerBytesMax, answerMsMax, clockFailMs, clockWarnMs } from "../limits.ts";

interface WebAnswer {
  readonly status: number;
  readonly text: string;
  /** Milliseconds by which this machine's clock is ahead of theirs; null when they do not send it. */
  readonly clockOffsetMs: number | null;
}

/** Throws Error that names the address. */
export async function ask(url: string): Promise<WebAnswer> {
  const startMs = Date.now();
  try {
    const response = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(answerMsMax) });
    const middleMs = (startMs + Date.now()) / 2;
    const date = Date.parse(response.headers.get("date") ?? "");
    const text = await startOf(response);
    // A header has whole seconds, rounded down: on average the time was half a second later.
    const clockOffsetMs = Number.isNaN(date) ? null : Math.round(middleMs - (date + 500));
    return { status: response.status, text, clockOffsetMs };
  } catch (error) {
    throw new Error(`${url} does not answer: ${reasonOf(error)}`, { cause: error });
  }
}

/** The first part of a longer response; the rest is not read. */
async function startOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let [text, room] = ["", answerBytesMax];
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk.subarray(0, room), { stream: true });
    room -= chunk.length;
    if (room <= 0) {
      break;
    }
  }
  return text + decoder.decode();
}

function reasonOf(error: unknown): string {
  const isLate = error instanceof Error && error.name === "TimeoutError";
  return isLate ? `nothing in ${answerMsMax} ms` : messageOf(error);
}

/** Compares this machine's clock with the gateway's or issuer's. */
export async function clock(url: string): Promise<Finding> {
  return clockFinding(url, await ask(url));
}

/** The same for a response that was already received. */
export function clockFinding(url: string, { clockOffsetMs: offsetMs }: WebAnswer): Finding {
  const what = "clock";
  if (offsetMs === null) {
    return warn(what, `${url} sends no time`, "compare it by hand: date -u");
  }
  const found = `${(Math.abs(offsetMs) / 1000).toFixed(1)} s ${offsetMs < 0 ? "behind" : "ahead of"} ${url}`;
  const next = "set this machine's clock, and keep it right by NTP: timedatectl set-ntp true";
  const size = Math.abs(offsetMs);
  return size <= clockWarnMs ? ok(what, found) : (size > clockFailMs ? fail : warn)(what, found, next);
}

/** URL of a service from this machine; null for a port that the system chose. */
export function localUrl({ host, port }: { readonly host: string; readonly port: number }): string | null {
  const near = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return port === 0 ? null : `http://${near.includes(":") ? `[${near}]` : near}:${port}`;
}

/** Checks `/health` and `/metrics`; `more` is checked when it responds. */
export async function service(
  name: string,
  url: string | null,
  start: string,
  more: (url: string) => Promise<Finding[]> = async () => [],
): Promise<Finding[]> {
  if (url === null) {
    return [warn(name, "its port changes at each start", "configure one, so that it can be checked")];
  }
  let health: WebAnswer;
  try {
    health = await ask(`${url}/health`);
  } catch (error) {
    return [fail(name, messageOf(error), `start it: ${start}`)];
  }
  const metrics = await ask(`${url}/metrics`);
  return [healthFinding(name, url, health), metricsFinding(name, url, metrics), ...(await more(url))];
}

function healthFinding(name: string, url: string, { status, text }: WebAnswer): Finding {
  const said = jsonOf(text) as { status?: unknown; reasons?: unknown };
  const { reasons } = said;
  const word = typeof said.status === "string" ? said.status : "";
  const given = (Array.isArray(reasons) ? reasons : []).filter((reason) => typeof reason === "string");
  const isGood = status === 200 && (word === "healthy" || word === "ok");
  if (isGood) {
    return ok(name, `${url} is healthy`);
  }
  const found = `${word || `status ${status}`}: ${given.join("; ") || `no reason at ${url}/health`}`;
  return (word === "degraded" ? warn : fail)(
    name,
    found,
    "read its log; the runbook is in docs/operate/runbook",
  );
}

function metricsFinding(name: string, url: string, { status, text }: WebAnswer): Finding {
  const count = text.match(/^# TYPE /gm)?.length ?? 0;
  return status === 200 && count > 0
    ? ok(`metrics of ${name}`, `${count} at ${url}/metrics`)
    : warn(`metrics of ${name}`, `${url}/metrics answers with status ${status}`, "is that the right port?");
}

export function jsonOf(text: string): unknown {
  return parsedJson(text) ?? {};
}
