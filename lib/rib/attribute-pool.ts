/** Path attributes, each set of them held once: of a full table, some ten prefixes share one. */
import type { PathAttributes } from "../bgp/path-attributes.ts";
import { noAttributes } from "../bgp/path-attributes.ts";

export class AttributePool {
  readonly #numbers = new Map<string, number>();
  readonly #all: (PathAttributes | null)[] = [null];
  readonly #keys: string[] = [""];
  readonly #uses: number[] = [0];
  readonly #free: number[] = [];
  /** The prefixes of an UPDATE have one object. */
  #last: { readonly attributes: PathAttributes; readonly id: number } | null = null;

  /** Different sets that are held. */
  get size(): number {
    return this.#numbers.size;
  }

  /** The number of these attributes, with one use more: each is given back by `release`. */
  hold(attributes: PathAttributes): number {
    const id = this.#last?.attributes === attributes ? this.#last.id : this.#intern(attributes);
    this.#uses[id] = (this.#uses[id] ?? 0) + 1;
    return id;
  }

  release(id: number): void {
    const uses = (this.#uses[id] ?? 0) - 1;
    this.#uses[id] = uses;
    if (uses === 0) {
      this.#numbers.delete(this.#keys[id] ?? "");
      this.#all[id] = null;
      this.#keys[id] = "";
      this.#free.push(id);
      this.#last = null;
    }
  }

  /** The same object for equal attributes. */
  at(id: number): PathAttributes {
    return this.#all[id] ?? noAttributes();
  }

  #intern(attributes: PathAttributes): number {
    const key = keyOf(attributes);
    let id = this.#numbers.get(key);
    if (id === undefined) {
      id = this.#free.pop() ?? this.#all.length;
      this.#numbers.set(key, id);
      this.#all[id] = attributes;
      this.#keys[id] = key;
      this.#uses[id] = 0;
    }
    this.#last = { attributes, id };
    return id;
  }
}

/** Sets of ASes are in brackets of their own: `1 [2,3]` is another path than `1 2 3`. */
function keyOf(one: PathAttributes): string {
  const path = one.asPath.map((part) => (typeof part === "number" ? part : `[${part.join()}]`)).join(" ");
  const rest = one.aggregator === null ? "" : `${one.aggregator.asn} ${one.aggregator.address.toHex()}`;
  const router = `${one.originatorId?.toHex() ?? ""}|${one.clusterList.map((id) => id.toHex()).join()}`;
  const numbers = `${one.med}|${one.localPreference}|${one.onlyToCustomer}|${one.isAtomicAggregate}`;
  const marks = `${one.communities.join(";")}|${one.largeCommunities.join(";")}|${one.extendedCommunities.join()}`;
  return `${path}|${one.nextHop?.toHex() ?? ""}|${one.origin}|${numbers}|${marks}|${rest}|${router}`;
}
