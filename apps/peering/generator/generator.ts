/**
 * The generator: keeps the known users and devices, makes the current policy, and applies it.
 *
 * Reading the sources and applying a policy are independent: a lease ends on time however long a source hangs. Only
 * one policy is applied at a time; changes in the meantime go into the next one.
 */
import { isFailure } from "../../../lib/base/failure/failure.ts";
import { systemReason } from "../../../lib/base/failure/system-reason.ts";
import type { Logger } from "../../../lib/engines/observe/log.ts";
import type { UnservedDevice } from "../../../lib/peering/policy/headscale-nodes.ts";
import type { Membership } from "../../../lib/peering/policy/join.ts";
import { anywhere, nextEndMs, type Policy, policyAt, rejectAll } from "../../../lib/peering/policy/policy.ts";
import { type PolicyText, policyText } from "../../../lib/peering/policy/policy-text.ts";
import type { PolicyFile } from "./daemon/policy-file.ts";
import type { FailureStep, GeneratorMetrics } from "./metrics.ts";
import type { PrefixWatch } from "./prefix-watch.ts";
import type { RouteAudit } from "./route-audit.ts";
import type { SessionWatch } from "./session-watch.ts";
import { type SourceCache, type SourceName, sourceNames } from "./source-cache.ts";
import type { Gateway } from "./sources/gateway.ts";
import type { Vpn } from "./sources/vpn.ts";

interface GeneratorParts {
  readonly gateway: Gateway;
  readonly vpn: Vpn;
  readonly file: PolicyFile;
  readonly watch: SessionWatch;
  readonly prefixes: PrefixWatch;
  readonly audit: RouteAudit;
  readonly knowledge: SourceCache;
  readonly staleMs: number;
  readonly nowMs: () => number;
  readonly log: Logger;
  readonly metrics: GeneratorMetrics;
}

export interface Applied {
  readonly policy: Policy;
  readonly text: PolicyText;
  readonly isRejectAll: boolean;
  readonly hasChanged: boolean;
  /** When the leases in it were read from the gateway; null = never. */
  readonly leasesAtMs: number | null;
}

export class Generator {
  readonly parts: GeneratorParts;
  /** The last policy applied; null before. */
  applied: Applied | null = null;
  /** Failure of the last attempt; empty when it succeeded. */
  failure = "";
  lastChangeMs: number | null = null;
  /** By the last list of devices. */
  unserved: readonly UnservedDevice[] = [];
  #queue: Promise<unknown> = Promise.resolve();
  #excluded = "";

  constructor(parts: GeneratorParts) {
    this.parts = parts;
  }

  /** Reads a source. On failure its last data stays. Returns whether it has answered. */
  async refresh(source: SourceName): Promise<boolean> {
    const { gateway, vpn, knowledge, log, metrics, nowMs } = this.parts;
    try {
      if (source === "gateway") {
        knowledge.learnMappings(await gateway.mappings(), nowMs());
      } else {
        const list = await vpn.nodes();
        knowledge.learnNodes(list, nowMs());
        this.unserved = list.unserved;
      }
    } catch (error) {
      metrics.failure(source);
      log.warn("Cannot refresh; the last known data stay in effect", { source, error });
      return false;
    }
    await this.#keep();
    return true;
  }

  async #keep(): Promise<void> {
    try {
      await this.parts.knowledge.save();
    } catch (error) {
      this.parts.metrics.failure("state");
      this.parts.log.error("Cannot keep what is known; a restart without sources would refuse every user", {
        error,
      });
    }
  }

  /** The policy at this moment. */
  current(): { policy: Policy; isRejectAll: boolean } {
    const { knowledge, watch, prefixes, nowMs } = this.parts;
    const now = nowMs();
    const membership = knowledge.membership();
    if (membership === null || this.isStale()) {
      return { policy: rejectAll, isRejectAll: true };
    }
    const held = prefixes.held(now);
    const moment = { nowMs: now, suspended: watch.reasons(now), held, emails: knowledge.emails };
    return { policy: policyAt(membership, moment), isRejectAll: false };
  }

  /**
   * Current leases, including those of suspended users, those held back, and those that only other exchange servers
   * may take: the routes that the VPN may carry. Null = nothing is known yet.
   */
  leases(): Policy | null {
    const membership = this.parts.knowledge.membership();
    const moment = { nowMs: this.parts.nowMs(), suspended: new Map(), held: new Map(), emails: new Map() };
    return (
      membership && (this.isStale() ? rejectAll : policyAt({ members: anywhere(membership.members) }, moment))
    );
  }

  /** Whether a source has not answered for so long that its data cannot be used. */
  isStale(): boolean {
    const { knowledge, staleMs, nowMs } = this.parts;
    return sourceNames.some((source) => (knowledge.ageMs(source, nowMs()) ?? staleMs) >= staleMs);
  }

  /** Applies the current policy. Returns whether that succeeded; a failure is counted and logged. */
  apply(): Promise<boolean> {
    const next = this.#queue.then(() => this.#apply());
    this.#queue = next;
    return next;
  }

  /** Sees to it that BIRD keeps the policy for another while, where it ends by itself. Throws Failure `daemon`. */
  async keepAlive(): Promise<void> {
    const next = this.#queue.then(() => (this.failure === "" ? this.parts.file.keepAlive() : undefined));
    this.#queue = next.then(
      () => true,
      () => false,
    );
    await next;
  }

  /** Resolves when no policy is being applied. */
  async settled(): Promise<void> {
    await this.#queue;
  }

  async #apply(): Promise<boolean> {
    const { log, metrics, watch, knowledge } = this.parts;
    // Announcements up to now count; those that the daemon counts while it re-evaluates every route do not.
    await watch.look();
    try {
      const leasesAtMs = knowledge.answeredAtMs("gateway");
      const { policy, isRejectAll } = this.current();
      this.#logExclusions();
      const text = policyText(policy);
      const hasChanged = await this.#put(text);
      this.applied = { policy, text, isRejectAll, hasChanged, leasesAtMs };
      this.failure = "";
      metrics.applied(hasChanged ? "changed" : "unchanged");
      if (hasChanged) {
        this.lastChangeMs = this.parts.nowMs();
        const users = policy.users.length;
        log.info("New policy active", { version: text.version, users, reject_all: isRejectAll });
      }
      return true;
    } catch (error) {
      metrics.applied("failed");
      this.failed(isFailure(error, "daemon") ? "daemon" : "policy", error);
      return false;
    }
  }

  /** Records that the active policy is wrong: health shows it until a policy is active again. */
  failed(step: FailureStep, error: unknown): void {
    const { log, metrics } = this.parts;
    this.failure = systemReason(error);
    metrics.failure(step);
    log.error("Cannot apply the policy; the previous one stays", { error });
  }

  async #put(text: PolicyText): Promise<boolean> {
    const { file, watch } = this.parts;
    const hasChanged = await file.put(text);
    if (hasChanged) {
      await watch.rebase();
    }
    return hasChanged;
  }

  #logExclusions(): void {
    const { knowledge, log, metrics } = this.parts;
    const excluded = knowledge.membership()?.excluded ?? [];
    const now = JSON.stringify(excluded);
    if (now !== this.#excluded) {
      this.#excluded = now;
      metrics.exclusions(excluded, log);
    }
  }

  /** The next change by time: the end of a lease, of a suspension, of holding back, of data's age. Null = none. */
  nextChangeMs(): number | null {
    const { knowledge, watch, prefixes, staleMs, nowMs } = this.parts;
    const now = nowMs();
    const membership: Membership | null = knowledge.membership();
    const stale = sourceNames.map((source) => now + staleMs - (knowledge.ageMs(source, now) ?? staleMs));
    const instants = [
      ...(membership === null ? [] : [nextEndMs(membership, now)]),
      ...watch.suspended(now).values(),
      ...[...prefixes.held(now).values()].flatMap((ends) => [...ends.values()]),
      ...(this.isStale() ? [] : stale),
    ];
    const coming = instants.filter((instant) => instant !== null);
    return coming.length === 0 ? null : Math.min(...coming);
  }
}
