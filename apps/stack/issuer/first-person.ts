/** Who logged in first: on a platform of one's own that is its operator. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Claim and role by which both gateways of a stack know their operator. */
export const rolesClaim = "roles";
export const operatorRole = "vantage-operator";

export class FirstPerson {
  readonly #path: string | null;
  #name: string | null;

  /** Null = it is forgotten with the process. */
  constructor(directory: string | null) {
    this.#path = directory === null ? null : join(directory, "first-person");
    const isKnown = this.#path !== null && existsSync(this.#path);
    this.#name = isKnown ? readFileSync(this.#path ?? "", "utf8").trim() : null;
  }

  /** Roles of a person who logs in; the first one to do so becomes the operator. */
  rolesOf(name: string): string[] {
    if (this.#name === null) {
      this.#name = name;
      if (this.#path !== null) {
        writeFileSync(this.#path, `${name}\n`, { mode: 0o600 });
      }
    }
    return name === this.#name ? [operatorRole] : [];
  }
}
