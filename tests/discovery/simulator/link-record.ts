/** Links that a discovery has shown: which router answered each flow at which TTL, and who followed whom. */
import { linkKey } from "./topology.ts";

/** More than any flow or TTL of a strategy: keys of answers stay whole numbers. */
const flowsMax = 8192;
const ttlsMax = 64;

export class LinkRecord {
  /** By subnet, flow and TTL; the first answer counts. */
  readonly #answers = new Map<number, number>();

  add(subnet: number, flow: number, ttl: number, node: number): void {
    const key = (subnet * flowsMax + flow) * ttlsMax + ttl;
    if (!this.#answers.has(key)) {
      this.#answers.set(key, node);
    }
  }

  /** Both ends have answered the same flow, at TTLs that follow each other. */
  links(): Set<number> {
    const links = new Set<number>();
    for (const [key, near] of this.#answers) {
      const far = this.#answers.get(key + 1);
      if (far !== undefined) {
        links.add(linkKey(near, far));
      }
    }
    return links;
  }
}
