/** Known holes in the packages of bun.lock, as the registry has them: what `bun audit` says, or why it says nothing. */
import { join } from "node:path";
import { runToEnd } from "../run/said.ts";

const root = join(import.meta.dirname, "../..");
const waitMs = 60_000;

type Audit =
  | { readonly kind: "answered"; readonly holes: readonly string[] }
  /** No registry, or one that knows of no holes: mirrors often do not. */
  | { readonly kind: "unanswered"; readonly reason: string };

interface Advisory {
  readonly severity: string;
  readonly title: string;
  readonly url: string;
}

/** Audits the shipped packages, from `moderate` on. */
export async function audit(): Promise<Audit> {
  const { stdout: said, stderr: complaint } = await runToEnd(
    [process.execPath, "audit", "--json", "--production", "--audit-level=moderate"],
    { cwd: root, timeout: waitMs },
  );
  const found = advisoriesIn(said);
  return found === null
    ? { kind: "unanswered", reason: reasonOf(complaint) }
    : { kind: "answered", holes: found };
}

/** Null for an invalid answer. */
export function advisoriesIn(text: string): string[] | null {
  let answer: Readonly<Record<string, readonly Advisory[]>>;
  try {
    answer = JSON.parse(text);
  } catch {
    return null;
  }
  return Object.entries(answer).flatMap(([name, all]) =>
    all.map(({ severity, title, url }) => `${name}: ${severity}: ${title} (${url})`),
  );
}

/** Without the address: which registry it is, is the reader's own setting. */
function reasonOf(complaint: string): string {
  const [, status] = / - (\d{3})\s*$/m.exec(complaint) ?? [];
  return status === undefined ? "the registry cannot be reached" : `the registry answers ${status}`;
}
