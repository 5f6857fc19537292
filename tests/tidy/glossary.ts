/** One word per idea, the field's: forbidden twins in what people read, and in names. Tests are free. */
import type { Problem, Tree } from "./tree.ts";

const read =
  /^(apps|lib|ffi|templates|deploy)\/.*\.(tsx?|md|eta|ya?ml)$|^(docs\/.*|(?!CHANGELOG)[A-Z]+)\.md$/;
const named = /^(apps|lib|ffi)\/.*\.tsx?$/;
/** Made from other files; tests beside the source. */
const unread = /\.test\.tsx?$|\/openapi\.ts$|^docs\/internals\/sql-attacks\.md$/;

type Twin = readonly [twin: RegExp, word: string];

const twins: readonly Twin[] = [
  [/\b(?:un)?heard\b(?!_)|\bhears?\b/i, "received"],
  [/\btold\b|\btells?\b/i, "reported, returned, distinguished"],
  [/\b(?:in|into) force\b/i, "active, in effect, applied"],
  [/\b(?:go|goes|went|going) on\b/i, "continues"],
  [/\bfor good\b|\bfor ever\b/i, "permanently"],
  [/\bunder way\b/i, "in progress"],
  [/\b(?:nobody|anybody|somebody|everybody)\b(?!["`'])/i, "no one, anyone, a user, the passive"],
  [/\b(?:is|are|was|were|be|stays?) away\b/i, "unavailable, unreachable"],
  [/\bpass(?:ed|es) over\b/i, "skipped"],
  [/\b(?:next|last|first|two) looks?\b|\blook(?:s|ed|ing)? (?:at|for|into)\b/i, "check, read, sample, round"],
  [/\bwish(?:es|ed)?\b/i, "(announcement) request"],
  [/\bcalled off\b|\b(?:taken|given) (?:back|away)\b/i, "cancelled, revoked, released, refunded"],
];

/** Parts of names; what stands in SQL and in answers of an API keeps its name. */
const nameTwins: readonly Twin[] = [
  [/\b#?(?:heard|\w+Heard|Heard)(?=[A-Z]|\b)(?!_)/, "received"],
  [/\b#?(?:\w*AddressB|\w*ExperimentB)ook\b|\bbook\b/, "journal, ledger, context"],
  [/\b#?\w*News\b/, "update"],
  [/\b#?(?:\w*Wish|wish)(?:es|ed)?(?=[A-Z]|\b)/, "request"],
];

/** Where a twin is what others call it, or a column of a table. */
const kept: Readonly<Record<string, readonly string[]>> = {
  heard: [
    "apps/probing/agent/gateway/recording-upload.ts",
    "apps/probing/agent/record/",
    "apps/probing/gateway/packets/",
    "apps/probing/gateway/submit/addition.ts",
    "apps/user/trace/remote/agent-packets.ts",
    "lib/answers/results/",
    // The engine of campaigns, and pages over the API.
    "apps/probing/campaigns/",
    "apps/console/",
  ],
  unheard: ["apps/probing/campaigns/"],
  book: ["apps/probing/campaigns/", "apps/user/client/campaign/"],
  follownews: ["apps/console/"],
  wish: ["apps/peering/gateway/announcements/"],
  wishes: ["apps/peering/bootstrap/state-file.ts"],
};

export function forbiddenTwins(tree: Tree): Problem[] {
  return [...tree]
    .filter(([path]) => !unread.test(path))
    .flatMap(([path, text]) => [
      ...(read.test(path) ? found(path, text, twins, proseOf) : []),
      ...(named.test(path) ? found(path, text, nameTwins, codeOf) : []),
    ]);
}

function found(
  path: string,
  text: string,
  list: readonly Twin[],
  part: (line: string, path: string) => string,
) {
  return text.split("\n").flatMap((line, index) =>
    list.flatMap(([twin, word]) => {
      const [hit] = twin.exec(part(line, path)) ?? [];
      return hit === undefined || isKept(path, hit) ? [] : [`${path}:${index + 1}: "${hit}"; write: ${word}`];
    }),
  );
}

function isKept(path: string, hit: string): boolean {
  return (kept[hit.toLowerCase().replace("#", "")] ?? []).some((start) => path.startsWith(start));
}

const comment = /^\s*(?:\/\*\*?|\*|\/\/).*|\/\/ .*$|\{\/\* .*$/;

/** The comment, the texts, or a line without code; of pages and templates all of it. */
function proseOf(line: string, path: string): string {
  if (!/\.tsx?$/.test(path)) {
    return line;
  }
  const [said = ""] = comment.exec(line) ?? [];
  const texts = line.replaceAll(/\$\{[^}]*\}/g, "").match(/"[^"]* [^"]*"|`[^`]* [^`]*`?|>[^<>{}]+</g) ?? [];
  const plain = /[{}();=]|^\s*[\w.]+,?$/.test(line) ? "" : line;
  return [said, ...texts, plain].join(" ");
}

function codeOf(line: string): string {
  return comment.test(line) ? "" : line;
}
