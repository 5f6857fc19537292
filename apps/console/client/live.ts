/**
 * Keeps parts of a page up to date. A part declares when to fetch it again:
 *
 *     <div id="measurement" data-live="/console/call/api/…/events">   at each event of the stream; or, with
 *                                                                    data-renews, the part with that id
 *     <div id="agents" data-every-s="5">                             periodically
 *
 * A hidden page fetches nothing.
 */
import { onRenewed, renew } from "./fresh-page.ts";
import { showStatus } from "./status-line.ts";

/** At any rate of events: a page that changes more often cannot be read. */
const renewEveryMs = 1000;

/** After a failed request. */
const retryEveryMs = 3000;

/** Names of the gateway's events; `message` is one without a name. */
const eventNames = ["message", "progress", "end"];

const lost = "Connection lost: the data on this page is old.";
/** When each part is fetched again, by the page's clock. */
const dueMs = new Map<string, number>();
const streams = new Map<string, EventSource>();
let timer: ReturnType<typeof setTimeout> | undefined;

export function followNews(): void {
  onRenewed(() => {
    openStreams();
    planTimed();
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      closeStreams();
    } else {
      openStreams();
      plan();
    }
  });
}

/** One stream for each address; streams without a part are closed. */
function openStreams(): void {
  const parts = [...document.querySelectorAll<HTMLElement>("[data-live]")];
  const wanted = new Map(parts.map((part) => [part.dataset.live ?? "", part.dataset.renews ?? part.id]));
  for (const [address, stream] of streams) {
    if (!wanted.has(address)) {
      stream.close();
      streams.delete(address);
    }
  }
  for (const [address, id] of wanted) {
    const isOver = (streams.get(address)?.readyState ?? EventSource.CLOSED) === EventSource.CLOSED;
    // A stream that the server refused stays closed, so it is opened again.
    if (isOver && !document.hidden) {
      streams.set(
        address,
        streamOf(address, () => planPart(id, renewEveryMs)),
      );
    }
  }
}

function streamOf(address: string, onEvent: () => void): EventSource {
  const stream = new EventSource(address);
  for (const name of eventNames) {
    stream.addEventListener(name, onEvent);
  }
  return stream;
}

function closeStreams(): void {
  for (const stream of streams.values()) {
    stream.close();
  }
  streams.clear();
}

function planTimed(): void {
  for (const part of document.querySelectorAll<HTMLElement>("[data-every-s]")) {
    planPart(part.id, Number(part.dataset.everyS) * 1000);
  }
}

function planPart(id: string, afterMs: number): void {
  dueMs.set(id, Math.min(dueMs.get(id) ?? Number.POSITIVE_INFINITY, performance.now() + afterMs));
  plan();
}

function plan(): void {
  clearTimeout(timer);
  if (dueMs.size > 0 && !document.hidden) {
    timer = setTimeout(refresh, Math.max(0, Math.min(...dueMs.values()) - performance.now()));
  }
}

async function refresh(): Promise<void> {
  const ids = [...dueMs].filter(([, atMs]) => atMs <= performance.now()).map(([id]) => id);
  // Before the request: changes during the request are fetched after it.
  for (const id of ids) {
    dueMs.delete(id);
  }
  try {
    await renew(ids);
    if (document.querySelector("#said")?.textContent === lost) {
      showStatus("");
    }
  } catch {
    showStatus(lost, true);
    for (const id of ids) {
      dueMs.set(id, performance.now() + retryEveryMs);
    }
  }
  planTimed();
  plan();
}
