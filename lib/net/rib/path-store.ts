/** Paths by prefix and source: the trie, the chain of rows at each of its nodes, and the attributes that rows share. */
import type { PathAttributes } from "../bgp/path-attributes.ts";
import type { RouteEvent } from "../bgp/route-event.ts";
import { AttributePool } from "./attribute-pool.ts";
import { type PathRow, PathRows } from "./path-rows.ts";
import { PrefixTrie } from "./prefix-trie.ts";

type Route = NonNullable<RouteEvent["route"]>;

interface Announced {
  readonly route: Route;
  readonly attributes: PathAttributes;
  readonly source: number;
  readonly timeUs: number;
}

/** A path that may be removed. */
interface HeldPath {
  readonly source: number;
  readonly isStale: boolean;
  readonly route: () => Route;
}

export class PathStore {
  readonly trie = new PrefixTrie();
  readonly #rows = new PathRows();
  readonly #pool = new AttributePool();
  #prefixes = 0;
  #paths = 0;

  get counts() {
    return { prefixes: this.#prefixes, paths: this.#paths, attributes: this.#pool.size };
  }

  /** `again`: the path was stale; when re-announced unchanged it keeps its `changedUs`. */
  put({ route, attributes, source, timeUs: changedUs }: Announced): "new" | "again" | "changed" {
    const node = this.trie.insert(route.prefix);
    const first = this.trie.valueOf(node);
    const row = this.#rows.find(first, source, route.pathId);
    const held = this.#pool.hold(attributes);
    const path = { source, pathId: route.pathId, changedUs, isStale: false, attributes: held };
    if (row === 0) {
      this.trie.setValue(node, this.#rows.add(first, path));
      this.#prefixes += first === 0 ? 1 : 0;
      this.#paths++;
      return "new";
    }
    const before = this.#rows.at(row);
    const isSame = before.isStale && before.attributes === held;
    this.#rows.change(row, isSame ? { ...path, changedUs: before.changedUs } : path);
    this.#pool.release(before.attributes);
    return before.isStale ? "again" : "changed";
  }

  /** Whether the source had it. */
  take({ prefix, pathId }: Route, source: number): boolean {
    const node = this.trie.find(prefix);
    const row = this.#rows.find(this.trie.valueOf(node), source, pathId);
    if (row !== 0) {
      this.#remove(node, row);
    }
    return row !== 0;
  }

  makeStale(sources: ReadonlySet<number>): void {
    for (const [, row] of this.#all()) {
      if (sources.has(this.#rows.sourceOf(row))) {
        this.#rows.setStale(row);
      }
    }
  }

  /** Removes the paths that `is` selects, and reports each. */
  drop(is: (path: HeldPath) => boolean, dropped: (source: number, route: Route) => void): void {
    for (const [node, row] of this.#all()) {
      const route = () => ({ prefix: this.trie.prefixAt(node), pathId: this.#rows.at(row).pathId });
      const [source, isStale] = [this.#rows.sourceOf(row), this.#rows.isStale(row)];
      if (is({ source, isStale, route })) {
        const gone = route();
        this.#remove(node, row);
        dropped(source, gone);
      }
    }
  }

  /** The paths at a node, in the order in which their sources first had them. */
  pathsAt(node: number): PathRow[] {
    const paths: PathRow[] = [];
    for (let row = this.trie.valueOf(node); row !== 0; row = this.#rows.next(row)) {
      paths.push(this.#rows.at(row));
    }
    return paths.reverse();
  }

  /** Returns the same object for equal attributes, within a few lookups. */
  attributesOf(path: PathRow): PathAttributes {
    return this.#pool.at(path.attributes);
  }

  /** Every row, with its node; the current one may be removed. */
  *#all(): Generator<readonly [node: number, row: number]> {
    for (let node = 1; node <= this.trie.last; node++) {
      for (let row = this.trie.valueOf(node); row !== 0; ) {
        const next = this.#rows.next(row);
        yield [node, row];
        row = next;
      }
    }
  }

  #remove(node: number, row: number): void {
    this.#pool.release(this.#rows.at(row).attributes);
    const first = this.#rows.remove(this.trie.valueOf(node), row);
    this.trie.setValue(node, first);
    this.#prefixes -= first === 0 ? 1 : 0;
    this.#paths--;
  }
}
