/**
 * `vantage stack ingest`: fills the store from the broker until it is stopped.
 *
 * Each topic has a group of its own, so that none waits for another.
 */
import { join } from "node:path";
import { withoutPassword } from "../../lib/base/failure/without-password.ts";
import { type FeedName, feedNames, feedPlace } from "../../lib/engines/broker/ingest-feeds.ts";
import { openBroker } from "../../lib/engines/broker/open.ts";
import { environmentLogin } from "../../lib/engines/config/environment-login.ts";
import { topicPartitions, topicRetentionMs } from "../../lib/net/wire/target-header.ts";
import { type Feed, ProbeFeed, ReplyFeed, UpdateFeed } from "../probing/ingester/feed.ts";
import { HistoryKeeper } from "../probing/ingester/history-keeper.ts";
import { Ingester } from "../probing/ingester/ingester.ts";
import { Journal } from "../probing/ingester/journal.ts";
import { lagOf } from "../probing/ingester/lag.ts";
import { StoreLink } from "../probing/ingester/store-link.ts";
import { reportEveryMs } from "./limits.ts";
import type { Listen } from "./listen.ts";
import { startObserver } from "./observer.ts";
import { StopRequest, tellParent } from "./parent.ts";
import type { Health } from "./stack.ts";

interface IngestOrder {
  readonly broker: string;
  readonly store: string;
  readonly repliesTopic: string;
  /** Whether measurements are counted into the history: at a shard their rows may be incomplete. */
  readonly hasHistory: boolean;
  /** For the journals. */
  readonly directory: string;
  readonly hasParent: boolean;
  /** For `/health` and `/metrics`; null = a parent has them. */
  readonly listen: Listen | null;
}

interface IngestStream {
  readonly name: FeedName;
  readonly topic: string;
  readonly group: string;
  readonly feed: Feed;
}

/** Rejects when the broker or the store refuses; then, too, nothing is lost. */
export async function runIngest({
  broker: address,
  store,
  repliesTopic,
  hasHistory,
  directory,
  hasParent,
  listen,
}: IngestOrder): Promise<void> {
  const stopping = new AbortController();
  using request = new StopRequest(hasParent);
  const stop = request.came.then(() => stopping.abort());
  const log = (text: string) => tellParent({ kind: "trouble", text });
  await using broker = await openBroker(address, { login: environmentLogin(process.env), log });
  await using links = new AsyncDisposableStack();
  const health = new IngestHealth();
  const ingesters = ingestStreams(repliesTopic).map((stream) => {
    const link = links.use(new StoreLink(store, stopping.signal, (text) => health.hear(text)));
    const journal = new Journal(join(directory, `${stream.name}.journal`));
    const topic = { name: stream.topic, partitions: topicPartitions, retentionMs: topicRetentionMs };
    const { group, feed } = stream;
    const job = { broker, topic, group, feed, journal, store: link, signal: stopping.signal };
    return { stream, link, ingester: new Ingester(job) };
  });
  const tell = (text: string | null) => health.hear(text);
  const historyLink = links.use(new StoreLink(store, stopping.signal, tell));
  const history = new HistoryKeeper({ store: historyLink, signal: stopping.signal, tell });
  const feeds = ingesters.map(({ stream }) => stream.name);
  const part = { name: "ingester", isUp: true, restarts: 0, counters: () => countersOf(ingesters, history) };
  if (listen !== null) {
    const lag = () => lagOf(broker, feeds, repliesTopic);
    const measured = { directory, children: [part], lag, health: () => health.now() };
    links.use(startObserver(measured, listen));
  }
  const report = () => tellParent({ kind: "counters", counters: countersOf(ingesters, history) });
  const reports = setInterval(report, reportEveryMs);
  try {
    const running = Promise.all([
      ...ingesters.map(({ ingester }) => ingester.run()),
      ...(hasHistory ? [history.run()] : []),
    ]);
    tellParent({ kind: "ready", text: `${withoutPassword(address)} to ${withoutPassword(store)}` });
    await Promise.race([running, stop]);
    await running;
  } catch (error) {
    // The stop itself is not a failure.
    if (!stopping.signal.aborted) {
      throw error;
    }
  } finally {
    clearInterval(reports);
    stopping.abort();
    report();
  }
}

/** Troubles with the store, reported to the parent and on request. */
class IngestHealth {
  #trouble: string | null = null;

  hear(text: string | null): void {
    this.#trouble = text;
    tellParent(text === null ? { kind: "well" } : { kind: "trouble", text });
  }

  now(): Health {
    const reasons = this.#trouble === null ? [] : [this.#trouble];
    return { status: reasons.length === 0 ? "ok" : "degraded", reasons };
  }
}

function ingestStreams(repliesTopic: string): IngestStream[] {
  const feeds = { replies: new ReplyFeed(), probes: new ProbeFeed(), updates: new UpdateFeed() };
  return feedNames.map((name) => ({ name, feed: feeds[name], ...feedPlace(name, repliesTopic) }));
}

function countersOf(
  ingesters: readonly {
    readonly stream: IngestStream;
    readonly link: StoreLink;
    readonly ingester: Ingester;
  }[],
  history: HistoryKeeper,
): Record<string, number> {
  const counters: Record<string, number> = { "history.measurements": history.counted };
  for (const { stream, link, ingester } of ingesters) {
    counters[`${stream.name}.storeFailures`] = link.failures;
    const { records, rows, batches, insertMs } = ingester.counters;
    counters[`${stream.name}.records`] = records;
    counters[`${stream.name}.rows`] = rows;
    counters[`${stream.name}.batches`] = batches;
    counters[`${stream.name}.insertMs`] = insertMs;
    counters[`${stream.name}.repeated`] = stream.feed.repeated;
    for (const [reason, count] of stream.feed.rejected) {
      counters[`${stream.name}.rejected.${reason}`] = count;
    }
  }
  return counters;
}
