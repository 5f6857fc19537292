/** Views with what is known of addresses beside the same without it: seconds, and the work of client and store. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { update } from "../../../apps/user/context/update.ts";
import { TestStore } from "../../contract/store/processes.ts";
import type { Figure } from "../report.ts";
import { campaigns, fill } from "../results/fill.ts";
import { askClient, type Measured } from "../results/measured.ts";

const asked = ["replies", "paths"] as const;
const forms = ["ndjson", "csv"] as const;
/** Networks of the routers that the replies are from (results/fill.ts). */
const networks = 4096;

interface ViewFigures {
  readonly subjects: readonly string[];
  readonly references: readonly string[];
  readonly figures: readonly Figure[];
}

/** In turns. The replies of the measurement that is shown are a ninth of all. */
export async function viewFigures(folder: string, replies: number, rounds: number): Promise<ViewFigures> {
  const sets = await makeSet(folder);
  await using store = await TestStore.start();
  await fill(store.store, replies);
  const { measurement } = campaigns(replies).large;
  const found = new Map<string, Measured[]>();
  for (let round = 0; round < rounds; round++) {
    for (const view of asked) {
      for (const form of forms) {
        const args = ["-v", view, "-o", form, "-n", "100000000"];
        const known = ["--with", "asn,ixp,geo,rpki", "--context", sets];
        const note = async (name: string, more: readonly string[]) =>
          found.set(name, [
            ...(found.get(name) ?? []),
            await askClient(store, measurement, [...args, ...more]),
          ]);
        await note(withoutName(view, form), []);
        await note(`${withoutName(view, form)} with context`, known);
      }
    }
    process.stderr.write(`views, round ${round + 1} of ${rounds}\n`);
  }
  return figuresOf(found);
}

function withoutName(view: string, form: string): string {
  return `${view}, ${form}`;
}

/** Each view is compared with itself alone, so it has figures of its own. */
function figuresOf(found: ReadonlyMap<string, readonly Measured[]>): ViewFigures {
  const references = asked.flatMap((view) => forms.map((form) => withoutName(view, form)));
  const figure = (reference: string, unit: string, value: (one: Measured) => number): Figure => {
    const subjects = [`${reference} with context`, reference];
    return {
      ...{ unit: `${unit} of ${reference}`, decimals: 2 },
      rounds: new Map(subjects.map((subject) => [subject, (found.get(subject) ?? []).map(value)])),
    };
  };
  return {
    subjects: [...found.keys()],
    references,
    figures: references.flatMap((reference) => [
      figure(reference, "s", ({ seconds }) => seconds),
      figure(reference, "CPU s", ({ cpuSeconds }) => cpuSeconds),
    ]),
  };
}

/** A set in which each router has an AS with a name, a place and an RPKI state. */
async function makeSet(folder: string): Promise<string> {
  const below = join(folder, "views");
  mkdirSync(below, { recursive: true });
  const routes = Array.from(
    { length: networks },
    (_, i) => `2001:db8:2:${i.toString(16)}::/64\t${64_500 + (i % 40)}`,
  );
  const net = { data: Array.from({ length: 40 }, (_, i) => ({ asn: 64_500 + i, name: `EXAMPLE-NET-${i}` })) };
  const files = Object.entries({
    "origins.dat": `${["2001:db8::/32\t64511", ...routes].join("\n")}\n`,
    "names.json": JSON.stringify({ net }),
    "places.csv": `network,country,country_code,continent,continent_code,asn,as_name,as_domain
2001:db8::/33,Germany,DE,Europe,EU,AS64511,,\n`,
    "vrps.json": '{"roas":[{"asn":"AS64511","prefix":"2001:db8::/32","maxLength":64,"ta":"t"}]}',
  }).map(([name, text]) => {
    writeFileSync(join(below, name), text);
    return join(below, name);
  });
  const dir = join(below, "sets");
  const date = new Date().toISOString().slice(0, 10);
  await update({ dir, date, keepPrivate: true, files, note: () => {} });
  return dir;
}
