/**
 * How large packets may be from one agent to the hops of its paths: rounds of probes with a size, in a measurement of
 * their own, once the paths are known. Each agent has its own, as each finds other sizes.
 */
import { measurementEvents } from "../../../../lib/answers/results/measurement-events.ts";
import { tellingRejected } from "../../../../lib/command/command/gateway/rejected.ts";
import type { GatewaySession } from "../../../../lib/command/command/gateway/session.ts";
import { cancelledSchema, submittedSchema } from "../../../../lib/engines/gateway-client/answers.ts";
import type { Gateway } from "../../../../lib/engines/gateway-client/gateway.ts";
import { formatTarget } from "../../../../lib/engines/submission/targets.ts";
import {
  type HopMtu,
  type MtuAnswer,
  type MtuProbe,
  MtuSearch,
} from "../../../../lib/measuring/paths/mtu-search.ts";
import { type Address, familyOf, sameAddress } from "../../../../lib/net/ip/address.ts";
import { sizeBytesMin } from "../../../../lib/net/packet/probe.ts";
import type { Reply } from "../../../../lib/net/packet/reply.ts";
import { answersLateMs, answersLateMsMax, remoteDelayMs, remoteDrawMs, remoteSendMsMax } from "../limits.ts";
import { answeringTtls, mtuAnswerOf, sizeBytesOf } from "../mtu-answers.ts";
import type { Options } from "../options.ts";
import { AgentProgress } from "./agent-progress.ts";
import { asProbes } from "./campaign.ts";
import { type PlannedProbe, plannedFor } from "./probe-plan.ts";
import type { RemotePath } from "./remote-path.ts";

interface SizeSearchOrder {
  readonly session: GatewaySession;
  readonly gateway: Gateway;
  readonly options: Options;
  /** Labels, and the shape besides the size. */
  readonly query: Readonly<Record<string, string>>;
  readonly source: Address | null;
  readonly srcPort: number;
  /** All of one agent. */
  readonly paths: readonly RemotePath[];
}

interface Asked {
  readonly probe: MtuProbe;
  answer: MtuAnswer | null;
}

/** The search on one path. */
interface PathSearch {
  readonly remote: RemotePath;
  readonly ttls: readonly number[];
  readonly search: MtuSearch;
  /** The current round. */
  asked: Asked[];
  /** The number of submitted probes after its last one. */
  lastPlace: number;
}

interface FoundSizes {
  readonly hops: ReadonlyMap<RemotePath, readonly HopMtu[]>;
  /** Probes that the agent could not send. */
  readonly failed: number;
  /** The measurement; empty = none was needed. */
  readonly measurement: string;
}

/** Resolves with what is known when all is, when the user interrupts, or when the agent falls silent. */
export async function searchSizes(order: SizeSearchOrder, agent: string): Promise<FoundSizes> {
  const search = new SizeSearch(order, agent);
  await search.run();
  return search.found();
}

class SizeSearch {
  readonly #order: SizeSearchOrder;
  readonly #agent: string;
  readonly #progress = new AgentProgress();
  readonly #searches: readonly PathSearch[];
  #measurement = "";
  #submitted = 0;
  /** When the agent last sent a probe, or one of its answers was read. */
  #newsAtMs = Date.now();
  #hasAnswered = false;
  /** Other agents receive answers, too, which take longer: they are assigned by what is stored. */
  readonly #isShared: boolean;

  constructor(order: SizeSearchOrder, agent: string) {
    this.#order = order;
    this.#agent = agent;
    const { options, paths } = order;
    this.#isShared = paths.some(({ isShared }) => isShared);
    this.#searches = paths.flatMap((remote) => {
      const ttls = answeringTtls(remote.path, options.firstTtl);
      const least = sizeBytesMin[familyOf(remote.target.address)];
      const search = new MtuSearch(ttls, least, options.mtuBytesMax ?? agentsMtuBytes);
      return ttls.length === 0 ? [] : [{ remote, ttls, search, asked: [], lastPlace: 0 }];
    });
  }

  found(): FoundSizes {
    const part = this.#progress.status?.agents.find(({ agent_id }) => agent_id === this.#agent);
    return {
      hops: new Map(this.#searches.map(({ remote, search }) => [remote, search.hops()])),
      failed: part?.failed_probes ?? 0,
      measurement: this.#measurement,
    };
  }

  /** Rejects with GatewayError. */
  async run(): Promise<void> {
    if (this.#searches.length === 0) {
      return;
    }
    const { session } = this.#order;
    await this.#submit();
    const over = new AbortController();
    const signal = AbortSignal.any([session.signal, over.signal]);
    const reading = this.#read(signal);
    try {
      while (!signal.aborted && !this.#progress.hasEnded(this.#agent) && (await this.#step())) {
        await Bun.sleep(remoteDrawMs);
      }
    } finally {
      over.abort();
      await reading;
    }
    await this.#callOff();
  }

  /** An open measurement takes more probes to the targets of its first ones. */
  async #submit(): Promise<void> {
    const { session, gateway, query, source } = this.#order;
    const first = this.#searches.flatMap((one) =>
      this.#planned(one, { ttl: one.ttls[0] ?? 1, sizeBytes: null }),
    );
    const agents = formatTarget({ agent: this.#agent, source });
    const ask = {
      ...asProbes(first),
      query: { agents, open: "true", ...query, df: "true" },
      signal: session.signal,
    };
    const submit = () => gateway.read("/api/probes", submittedSchema, ask);
    this.#measurement = (await tellingRejected(session, gateway, submit)).id;
    this.#submitted = first.length;
  }

  /** Sends the rounds that are due; false when all is known, or the agent does nothing any more. */
  async #step(): Promise<boolean> {
    const due = new Map<number | null, PlannedProbe[]>();
    const begun: PathSearch[] = [];
    for (const one of this.#searches.filter((each) => this.#isRoundOver(each))) {
      if (one.asked.length > 0) {
        one.search.take(one.asked.map(({ probe, answer }) => [probe, answer ?? { kind: "lost" }] as const));
      }
      one.asked = one.search.round().map((probe) => ({ probe, answer: null }));
      begun.push(one);
      for (const { probe } of one.asked) {
        due.set(probe.sizeBytes, [...(due.get(probe.sizeBytes) ?? []), ...this.#planned(one, probe)]);
      }
    }
    for (const [sizeBytes, probes] of due) {
      await this.#add(probes, sizeBytes);
    }
    for (const one of begun) {
      one.lastPlace = this.#submitted;
    }
    const isLeft = this.#searches.some(({ asked }) => asked.length > 0);
    return isLeft && Date.now() - this.#newsAtMs < remoteSendMsMax;
  }

  async #add(probes: readonly PlannedProbe[], sizeBytes: number | null): Promise<void> {
    const { session, gateway } = this.#order;
    const query = sizeBytes === null ? {} : { size: String(sizeBytes) };
    const ask = { ...asProbes(probes), query, signal: session.signal };
    await gateway.read(`/api/measurements/${this.#measurement}/probes`, submittedSchema, ask);
    this.#submitted += probes.length;
    this.#newsAtMs = Date.now();
  }

  /** Each is answered, or has been missing for long enough after all were sent, and no answer is on its way here. */
  #isRoundOver({ asked, lastPlace }: PathSearch): boolean {
    if (asked.every(({ answer }) => answer !== null)) {
      return true;
    }
    const { waitMs } = this.#order.options;
    const { delayMs, isBehind } = this.#progress;
    const least = this.#hasAnswered && !this.#isShared ? answersLateMs : remoteDelayMs;
    const lateMs = isBehind ? answersLateMsMax : Math.max(least, Math.min(2 * delayMs, answersLateMsMax));
    const isSent = this.#progress.sentBy(this.#agent) >= lastPlace;
    return isSent && Date.now() - this.#newsAtMs > waitMs + lateMs;
  }

  async #read(signal: AbortSignal): Promise<void> {
    const { session, gateway } = this.#order;
    const onBreak = (reason: string) => session.note(`${reason}; trying again`);
    try {
      for await (const event of measurementEvents(gateway, this.#measurement, { signal, onBreak })) {
        if (event.kind === "reply") {
          this.#take(event.reply.reply);
          continue;
        }
        this.#progress.status = event.status;
        const part = event.status.agents.find(({ agent_id }) => agent_id === this.#agent);
        const sent = part?.sent_probes ?? 0;
        this.#newsAtMs = this.#progress.noteSent(this.#agent, sent) < sent ? Date.now() : this.#newsAtMs;
        this.#progress.noteReport(this.#agent, sent, Date.now());
      }
    } catch (error) {
      if (!signal.aborted) {
        throw error;
      }
    }
  }

  /** Answers to earlier rounds, and copies, have no probe that waits for them. */
  #take(reply: Reply): void {
    this.#progress.noteRead(this.#agent);
    this.#newsAtMs = Date.now();
    this.#hasAnswered = true;
    const sizeBytes = sizeBytesOf(reply);
    const search = this.#searches.find(({ remote }) =>
      sameAddress(remote.target.address, reply.probeDstAddr),
    );
    const asked = search?.asked.find(({ probe, answer }) => {
      return answer === null && probe.ttl === reply.probeTtl && probe.sizeBytes === sizeBytes;
    });
    if (asked !== undefined) {
      asked.answer = mtuAnswerOf(reply);
    }
  }

  #planned({ remote }: PathSearch, { ttl }: MtuProbe): PlannedProbe[] {
    const { options, srcPort } = this.#order;
    return plannedFor([remote.target], 0, { flow: 0, ttl, srcPort, shape: options });
  }

  async #callOff(): Promise<void> {
    const ask = { method: "POST", repeatable: true, query: { reason: "finished" } } as const;
    await this.#order.gateway.read(`/api/measurement/${this.#measurement}/cancel`, cancelledSchema, ask);
  }
}

/** What is tried first: what an agent's interface takes is unknown here. */
const agentsMtuBytes = 1500;
