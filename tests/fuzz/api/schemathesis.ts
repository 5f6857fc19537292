/**
 * Schemathesis (PyPI): makes requests, right and wrong, from an OpenAPI document, and judges the answers by it. It is
 * installed once, into a folder that npm's own leave alone.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { pythonFolder } from "../../run/python-folder.ts";
import { runToEnd } from "../../run/said.ts";
import { inTier } from "../../run/tier.ts";

interface FuzzOrder {
  /** URL of the service; its document is at `openapi.json` below it. */
  readonly url: string;
  /** For the header Authorization. */
  readonly token: string;
  /** Paths that this run is about, as a regular expression. */
  readonly paths: string;
  /** Values that parameters of the path have where the service would else know nothing. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Random requests for each route; in the long tier more, beside all at the edges of parameters. */
  readonly examples: number;
  /** Something behind the service is away: a 5xx is not a failure where the document has it. */
  readonly isSomethingAway?: boolean;
}

const conformance = ["content_type_conformance", "status_code_conformance", "response_schema_conformance"];

/** What it said, and whether it found nothing. */
export async function fuzz(order: FuzzOrder): Promise<{ readonly passed: boolean; readonly said: string }> {
  const folder = await pythonFolder("schemathesis==4.32.5");
  const program = join(folder, "bin/schemathesis");
  const config = join(folder, `${crypto.randomUUID()}.toml`);
  await Bun.write(config, configOf(order));
  const checks = order.isSomethingAway === true ? conformance : ["not_a_server_error", ...conformance];
  const {
    stdout: said,
    stderr: complaint,
    exitCode: code,
  } = await runToEnd(
    // It leaves notes for its next run where it is started.
    [
      ...[program, "--config-file", config, "run", `${order.url}openapi.json`, "--url", order.url],
      ...["--header", `Authorization: Bearer ${order.token}`, "--include-path-regex", order.paths],
      ...[
        "--phases",
        inTier({ usual: "fuzzing", long: "coverage,fuzzing" }),
        "--max-examples",
        String(inTier({ usual: 1, long: 10 }) * order.examples),
        "--seed",
        "1",
      ],
      ...["--checks", checks.join(","), "--continue-on-failure", "--warnings", "off", "--no-color"],
    ],
    { cwd: folder },
  );
  rmSync(config);
  return { passed: code === 0, said: `${said}${complaint}` };
}

/** Bodies that it cannot make itself are tested elsewhere: tests/contract/probing-gateway. */
function configOf({ parameters = {} }: FuzzOrder): string {
  const values = Object.entries(parameters).map(
    ([name, value]) => `"path.${name}" = ${JSON.stringify(value)}`,
  );
  return values.length === 0 ? "" : `[parameters]\n${values.join("\n")}\n`;
}
