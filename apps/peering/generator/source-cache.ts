/**
 * The last good answer of each source with its time, and each user's last e-mail address. It is stored on disk too, so
 * that leases end on time even when this process starts while every source is unreachable.
 */
import type { Exclusion } from "../../../lib/peering/policy/exclusion.ts";
import type { NodeList } from "../../../lib/peering/policy/headscale-nodes.ts";
import { joinDevices, type Membership } from "../../../lib/peering/policy/join.ts";
import type { Mapping, Mappings } from "../../../lib/peering/policy/mapping.ts";
import { type JoinRules, Owners } from "../../../lib/peering/policy/owners.ts";
import { readInputs, type Timestamped, writeInputs } from "../../../lib/peering/policy/stored-inputs.ts";
import type { VpnNode } from "../../../lib/peering/policy/vpn-node.ts";
import type { PersistentFile } from "./persistent-file.ts";

export const sourceNames = ["gateway", "vpn"] as const;
export type SourceName = (typeof sourceNames)[number];

interface CachedAnswer<Entry> {
  readonly entries: readonly Entry[];
  readonly excluded: readonly Exclusion[];
}

export class SourceCache {
  /** Each user's last known address; in memory only. */
  readonly emails = new Map<string, string>();
  readonly #file: PersistentFile;
  readonly #rules: JoinRules;
  #mappings: Timestamped<CachedAnswer<Mapping>> | null = null;
  #nodes: Timestamped<CachedAnswer<VpnNode>> | null = null;
  #membership: Membership | null = null;

  constructor(file: PersistentFile, rules: JoinRules) {
    this.#file = file;
    this.#rules = rules;
  }

  /** Loads the file of the last run; false when there is nothing usable. */
  async load(): Promise<boolean> {
    const inputs = readInputs(await this.#file.read());
    if (inputs === null) {
      return false;
    }
    const { mappings, nodes } = inputs;
    this.#mappings = { atMs: mappings.atMs, value: { entries: mappings.value, excluded: [] } };
    this.#nodes = { atMs: nodes.atMs, value: { entries: nodes.value, excluded: [] } };
    return true;
  }

  /** Throws a system error when there is no room or no permission to write. */
  async save(): Promise<void> {
    if (this.#mappings === null || this.#nodes === null) {
      return;
    }
    const mappings = { atMs: this.#mappings.atMs, value: this.#mappings.value.entries };
    const nodes = { atMs: this.#nodes.atMs, value: this.#nodes.value.entries };
    await this.#file.write(writeInputs({ mappings, nodes }, this.#rules));
  }

  learnMappings({ mappings, excluded }: Mappings, atMs: number): void {
    this.#mappings = { atMs, value: { entries: mappings, excluded } };
    this.#membership = null;
    const present = new Set(mappings.map(({ userHash }) => userHash));
    for (const userHash of this.emails.keys()) {
      if (!present.has(userHash)) {
        this.emails.delete(userHash);
      }
    }
    for (const { userHash, email } of mappings) {
      if (email !== null) {
        this.emails.set(userHash, email);
      }
    }
  }

  learnNodes({ nodes, excluded }: NodeList, atMs: number): void {
    this.#nodes = { atMs, value: { entries: nodes, excluded } };
    this.#membership = null;
  }

  /** Null until each source has answered once. */
  membership(): Membership | null {
    if (this.#mappings === null || this.#nodes === null) {
      return null;
    }
    this.#membership ??= joinDevices(
      {
        mappings: this.#mappings.value.entries,
        nodes: this.#nodes.value.entries,
        excluded: [...this.#mappings.value.excluded, ...this.#nodes.value.excluded],
      },
      this.#rules,
    );
    return this.#membership;
  }

  /** Devices of people with an account here, whether or not they are in the policy. */
  ownedNodes(): { readonly node: VpnNode; readonly userHash: string }[] {
    const owners = new Owners(this.#rules, this.#mappings?.value.entries ?? []);
    return (this.#nodes?.value.entries ?? []).flatMap((node) => {
      const owner = owners.of(node);
      return "reason" in owner ? [] : [{ node, userHash: owner.userHash }];
    });
  }

  /** When a source last answered, milliseconds since the epoch; null = never. */
  answeredAtMs(source: SourceName): number | null {
    return (source === "gateway" ? this.#mappings : this.#nodes)?.atMs ?? null;
  }

  /** Milliseconds since a source's last answer; null = never. Never negative, even when the clock was set back. */
  ageMs(source: SourceName, nowMs: number): number | null {
    const atMs = this.answeredAtMs(source);
    return atMs === null ? null : Math.max(0, nowMs - atMs);
  }
}
