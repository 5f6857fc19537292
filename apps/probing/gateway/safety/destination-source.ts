/**
 * Keeps the rules on destinations up to date with the list files and the database.
 *
 * Needs no timer: a read after more than a second reloads them, and other reads wait for it.
 */
import type { Logger } from "../../../../lib/engines/observe/log.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { rowOf } from "../../../../lib/engines/store/postgres/row-of.ts";
import { type Prefix, parsePrefix } from "../../../../lib/net/ip/prefix.ts";
import type { SafetyConfig } from "../config.ts";
import { destinationsAgeMsMax } from "../limits.ts";
import { Destinations } from "./destinations.ts";
import { ListFile } from "./list-file.ts";

interface DestinationSourceParts {
  readonly database: Database;
  readonly config: SafetyConfig;
  readonly log: Logger;
  /** Called for each list file that has become invalid. */
  readonly onBadList: (list: ListName) => void;
  readonly nowMs: () => number;
}

export type ListName = "blocklist" | "allowlist";

export class DestinationSource {
  readonly #parts: DestinationSourceParts;
  readonly #files: ReadonlyMap<ListName, ListFile>;
  #admin: { readonly version: number; readonly prefixes: readonly Prefix[] } = { version: -1, prefixes: [] };
  #current: Destinations;
  #goodUntilMs = 0;
  #refreshing: Promise<Destinations> | null = null;

  private constructor(parts: DestinationSourceParts, files: ReadonlyMap<ListName, ListFile>) {
    this.#parts = parts;
    this.#files = files;
    this.#current = this.#build();
  }

  /** Rejects with an Error that names file, line and reason: a gateway does not start without its lists. */
  static async open(parts: DestinationSourceParts): Promise<DestinationSource> {
    const { blocklistFile, allowlistFile } = parts.config;
    const files = new Map<ListName, ListFile>();
    if (blocklistFile !== null) {
      files.set("blocklist", await ListFile.open(blocklistFile));
    }
    if (allowlistFile !== null) {
      files.set("allowlist", await ListFile.open(allowlistFile));
    }
    const source = new DestinationSource(parts, files);
    await source.read();
    return source;
  }

  /** The rules of the last `read`. */
  get current(): Destinations {
    return this.#current;
  }

  /** At most a second old. */
  async read(): Promise<Destinations> {
    if (this.#parts.nowMs() < this.#goodUntilMs) {
      return this.#current;
    }
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = null;
    });
    return this.#refreshing;
  }

  /** Makes the next `read` check again. */
  changed(): void {
    this.#goodUntilMs = 0;
  }

  /** Reads everything again, including files that were invalid before. */
  async reload(): Promise<void> {
    for (const file of this.#files.values()) {
      file.forget();
    }
    this.changed();
    await this.read();
  }

  async #refresh(): Promise<Destinations> {
    const askedAtMs = this.#parts.nowMs();
    const [hasNewFiles, hasNewPrefixes] = [await this.#readFiles(), await this.#readDatabase()];
    if (hasNewFiles || hasNewPrefixes) {
      this.#current = this.#build();
    }
    this.#goodUntilMs = askedAtMs + destinationsAgeMsMax;
    return this.#current;
  }

  async #readFiles(): Promise<boolean> {
    let isAnyNew = false;
    for (const [name, file] of this.#files) {
      try {
        isAnyNew = (await file.readIfChanged()) || isAnyNew;
      } catch (error) {
        this.#parts.onBadList(name);
        this.#parts.log.error(`Keeping the last good ${name}`, { error });
      }
    }
    return isAnyNew;
  }

  /** The version is read before the prefixes: a change in between is found in the next round. */
  async #readDatabase(): Promise<boolean> {
    const { sql, timed } = this.#parts.database;
    const platform = await timed(
      "blocklist_version",
      () => sql<{ version: number }[]>`SELECT blocklist_version AS version FROM platform`,
    );
    const { version } = rowOf(platform);
    if (version === this.#admin.version) {
      return false;
    }
    const rows = await timed(
      "blocklist_read",
      () => sql<{ prefix: string }[]>`SELECT prefix::text FROM blocked_prefixes`,
    );
    this.#admin = { version, prefixes: rows.flatMap(({ prefix }) => parsePrefix(prefix) ?? []) };
    return true;
  }

  #build(): Destinations {
    return new Destinations({
      blockReservedRanges: this.#parts.config.blockReservedRanges,
      blocked: [...(this.#files.get("blocklist")?.prefixes ?? []), ...this.#admin.prefixes],
      allowed: this.#files.get("allowlist")?.prefixes ?? null,
    });
  }
}
