/** What the lab tells its BGP speaker, and what that answers. */
import type { Announcement, Opening } from "./bgp-message.ts";

export type RogueOrder =
  | {
      readonly kind: "open";
      readonly session: number;
      readonly exchange: string;
      /** Address that the session comes from; one of the node. */
      readonly source: string;
      readonly opening: Opening;
    }
  | {
      readonly kind: "send";
      readonly session: number;
      readonly announce?: readonly Announcement[];
      readonly withdraw?: readonly string[];
      /** Whole messages, as numbers, after the others. */
      readonly raw?: readonly (readonly number[])[];
    }
  /** Says nothing any more, and keeps the connection. */
  | { readonly kind: "silence"; readonly session: number }
  | { readonly kind: "close"; readonly session: number };

export type RogueEvent =
  | { readonly session: number; readonly kind: "up" | "closed" }
  | { readonly session: number; readonly kind: "notified"; readonly code: number; readonly subcode: number };
