/** @jsxImportSource hono/jsx */
/** Licence, contact and citation of shared results; empty when none is given. */
import type * as v from "valibot";
import type { sharedItemAnswer } from "../../../lib/base/api/sharing.ts";
import { Foreign } from "./foreign.tsx";

type Given = Pick<v.InferOutput<typeof sharedItemAnswer>, "licence" | "contact" | "citation">;

export function Terms({ of: { licence, contact, citation } }: { readonly of: Given }) {
  const terms = [
    ["Licence", licence],
    ["contact", contact],
    ["to cite", citation],
  ].flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]));
  return <Foreign text={terms.join("; ")} />;
}
