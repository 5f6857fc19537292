/** Finds a device's owner: by the owner's name in the VPN; by e-mail address only where that is allowed. */
import type { Exclusion } from "./exclusion.ts";
import type { Mapping } from "./mapping.ts";
import { printable } from "./printable.ts";
import { readSubject, userHashOf } from "./subject.ts";
import type { VpnNode } from "./vpn-node.ts";

export interface JoinRules {
  /** Issuer of the VPN users' login tokens; null = the VPN has no identity provider. */
  readonly issuer: string | null;
  /** Whether to join by e-mail if the VPN has nothing better. This trusts everyone who can choose an address there. */
  readonly allowEmailJoin: boolean;
}

export class Owners {
  readonly #rules: JoinRules;
  /** Null if several users have the address. */
  readonly #byEmail = new Map<string, string | null>();

  constructor(rules: JoinRules, mappings: readonly Mapping[]) {
    this.#rules = rules;
    for (const { email, userHash } of mappings) {
      if (email !== null) {
        this.#byEmail.set(email, this.#byEmail.has(email) ? null : userHash);
      }
    }
  }

  of({ owner, id }: VpnNode): { readonly userHash: string } | Exclusion {
    const excluded = (reason: "otherIssuer" | "badSubject" | "ambiguousEmail"): Exclusion => ({
      userHash: null,
      reason,
      detail: `device ${printable(id, 20)}`,
    });
    if (owner.userHash !== null) {
      return { userHash: owner.userHash };
    }
    if (this.#rules.issuer !== null && owner.providerId !== null) {
      const read = readSubject(owner.providerId, this.#rules.issuer);
      return read.ok ? { userHash: userHashOf(read.subject) } : excluded(read.reason);
    }
    const userHash = this.#rules.allowEmailJoin ? this.#byEmail.get(owner.email ?? "") : undefined;
    return userHash ? { userHash } : excluded(userHash === null ? "ambiguousEmail" : "otherIssuer");
  }
}
