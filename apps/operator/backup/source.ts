/** What is backed up, whatever it was found by. */
import type { Contents } from "./manifest.ts";

interface DatabaseSource {
  readonly schema: "probing" | "peering";
  /** With its password. */
  readonly address: string;
}

export interface FolderSource {
  readonly path: string;
  /** Files of it, by name; null = all. */
  readonly only: readonly string[] | null;
  /** Relative to it. */
  readonly without: readonly string[];
}

export interface Sources {
  /** Folder of `vantage stack`; null = none. */
  readonly stack: string | null;
  readonly databases: readonly DatabaseSource[];
  /** Addresses, with their passwords. */
  readonly stores: readonly string[];
  /** Folders of embedded logs. */
  readonly brokers: readonly string[];
  readonly folders: readonly FolderSource[];
  /** State folders, for the mark that a backup was made. */
  readonly marked: readonly string[];
  readonly notIncluded: Contents["notIncluded"];
}

/** Parts of a machine. */
export type Found = Omit<Sources, "stack">;
