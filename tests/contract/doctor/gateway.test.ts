/** `vantage doctor gateway` at both gateways on a real PostgreSQL: all is well, then faults made on purpose. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { examineGateway } from "../../../apps/operator/doctor/gateway.ts";
import type { Finding } from "../../../lib/command/checkup/finding.ts";
import { clock } from "../../../lib/command/checkup/net/web.ts";
import { startTestIssuer, type TestIssuer } from "../../issuer/issuer.ts";
import { PgBouncer } from "../../postgres/pgbouncer.ts";
import { sharedPostgres } from "../../postgres/shared-postgres.ts";
import { runToEnd } from "../../run/said.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { adminKey, subjectKey } from "../peering-gateway/peering-home.ts";
import { GatewayProcess } from "../probing-gateway/gateway-process.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-doctor-"));
const stack = new AsyncDisposableStack();
const files = {
  probing: join(folder, "probing-gateway.yaml"),
  peering: join(folder, "peering-gateway.yaml"),
};
let sections: Record<keyof typeof files, { readonly gateway: object }>;
let postgres: Awaited<ReturnType<typeof sharedPostgres>>;
let issuer: TestIssuer;
/** Asked while other tests run: a broker that is away is waited for. */
let silent: Promise<string[]>;

beforeAll(async () => {
  [postgres, issuer] = await Promise.all([sharedPostgres(), startTestIssuer()]);
  const oidc = { issuer: issuer.url, audiences: [issuer.audience] };
  const probing = {
    gateway: { address: "127.0.0.1:0", state_dir: join(folder, "probing") },
    database: { address: await postgres.createDatabase() },
    kafka: { brokers: `embedded:${folder}/broker` },
    oidc,
  };
  const peering = {
    gateway: { address: "127.0.0.1:0", state_dir: join(folder, "peering"), admin_key: adminKey },
    database: { address: await postgres.createDatabase() },
    leases: { pool: ["2001:db8:1::/48"] },
    subjects: { keys: [subjectKey] },
    oidc,
  };
  sections = { probing: await serve("probing", probing), peering: await serve("peering", peering) };
  silent = wrong("probing", nobodyThere, "silent");
});
afterAll(async () => {
  await stack.disposeAsync();
  await issuer?.[Symbol.asyncDispose]();
  await postgres?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const nobodyThere = {
  database: { address: "postgres://vantage:secret@127.0.0.1:9/none" },
  oidc: { issuer: "http://127.0.0.1:9", audiences: ["a"] },
  kafka: { brokers: "127.0.0.1:9" },
  store: { address: "http://127.0.0.1:9" },
};

/** Starts the gateway, and writes its configuration with the port that it was given. */
async function serve<Given extends { gateway: object }>(
  kind: keyof typeof files,
  given: Given,
): Promise<Given> {
  writeFileSync(files[kind], JSON.stringify(given));
  const gateway = await GatewayProcess.start(files[kind], [], `${kind}-gateway`);
  stack.defer(async () => void (await gateway.stop()));
  const known = { ...given, gateway: { ...given.gateway, address: new URL(gateway.url).host } };
  writeFileSync(files[kind], JSON.stringify(known));
  return known;
}

const shown = ({ level, what, found }: Finding) => `${level} ${what}: ${found}`;

/** Lines of what is not well, with other sections over those of the gateway that runs. */
async function wrong(kind: keyof typeof files, others: object = {}, name = "other"): Promise<string[]> {
  const file = join(folder, `${kind}-${name}.yaml`);
  writeFileSync(file, JSON.stringify({ ...sections[kind], ...others }));
  const findings = await examineGateway(file, {});
  return findings.filter(({ level }) => level !== "ok").map(shown);
}

const noStore = "warn column store: none is configured: no results are served";

test("nothing is wrong with either, but that nobody stores results", async () => {
  expect(await wrong("probing")).toEqual([noStore]);
  expect(await wrong("peering")).toEqual([]);
  const lines = (await examineGateway(files.probing, {})).map(shown);
  expect(lines).toContainEqual(
    expect.stringMatching(/^ok database: postgres:.* answers: PostgreSQL 1[5-9]$/),
  );
  expect(lines).toContainEqual(
    expect.stringMatching(/^ok broker: embedded:\S+ answers; topic measure-probes is made/),
  );
  expect(lines).toContainEqual(expect.stringMatching(/^ok clock: 0\.\d s /));
});

test("a pooler before the database: in transaction mode, and one that drops time limits", async () => {
  const database = async (mode: "transaction" | "session") => {
    const server = new URL(await postgres.createDatabase());
    const pooler = stack.use(await PgBouncer.before({ port: Number(server.port) }, mode));
    return { database: { address: pooler.address(server.pathname.slice(1)) } };
  };
  expect(await wrong("peering", await database("transaction"))).toEqual([
    expect.stringMatching(
      /^fail database: Cannot use the database .*another session \(pool_mode transaction/,
    ),
  ]);
  expect(await wrong("peering", await database("session"))).toEqual([
    expect.stringMatching(
      /^warn database: .* PostgreSQL 1[5-9], through a pooler that drops the time limits/,
    ),
  ]);
});

test("an embedded log that has no room", async () => {
  expect(await wrong("probing", { kafka: { brokers: "embedded:/proc/none" } })).toEqual([
    "fail log's folder: /proc/none: 0 MiB free",
    noStore,
  ]);
});

test("a gateway that does not run, and one that lets everybody in", async () => {
  const [address, state_dir] = ["127.0.0.1:9", join(folder, "probing")];
  expect(await wrong("probing", { gateway: { address, state_dir } })).toEqual([
    noStore,
    "fail probing gateway: http://127.0.0.1:9/health does not answer: nothing listens there",
  ]);
  const bypassed = { gateway: { ...sections.peering.gateway, bypass_authentication: true } };
  expect(await wrong("peering", bypassed)).toEqual([
    "fail authentication: it is bypassed: all requests have the same user",
  ]);
});

test("an admin key that others may read, and a configuration with mistakes", async () => {
  const key = join(folder, "probing/admin.key");
  chmodSync(key, 0o644);
  expect(await wrong("probing")).toEqual([
    noStore,
    `fail admin key: ${key} may be read by others: who has it may do everything`,
  ]);
  chmodSync(key, 0o600);
  expect(await wrong("peering", { leases: { pool: ["2001:db8:1::/48"], perhaps: 1 } })).toEqual([
    expect.stringMatching(/^fail configuration: .*leases\.perhaps: unknown key/),
  ]);
});

test.each([
  [0, "ok"],
  [-10, "warn"],
  [10, "warn"],
  [-600, "fail"],
] as const)("a clock that is %d s beside the gateway's is %s", async (offsetSec, level) => {
  const date = () => new Date(Date.now() - 1000 * offsetSec).toUTCString();
  const fetch = () => new Response("", { headers: { date: date() } });
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch });
  expect((await clock(server.url.href)).level).toBe(level);
  await server.stop(true);
});

test("without a name, everything that is configured here is looked at; a host with little room is found", async () => {
  // A disk of 32 MiB and 100 open files: only in this process's own view of the machine.
  const view = `mount -t tmpfs -o size=32m none '${folder}/probing' && ulimit -n 100 && exec "$@"`;
  const command = [
    "unshare",
    "-m",
    "sh",
    "-c",
    view,
    "sh",
    ...vantageCommand,
    "doctor",
    "--dir",
    folder,
    "-o",
    "json",
  ];
  const child = Bun.spawn(command, { stdout: "pipe", stderr: "pipe" });
  const findings = JSON.parse(await new Response(child.stdout).text()) as (Finding & { part: string })[];
  expect(await child.exited).toBe(1);
  expect(findings.filter(({ level }) => level !== "ok").map((one) => `${one.part} ${shown(one)}`)).toEqual([
    `gateway ${noStore}`,
    `gateway fail state folder: ${folder}/probing: 32 MiB free`,
    "gateway warn open files: at most 100, and 4096 may be needed",
    "gateway warn open files: at most 100, and 4096 may be needed",
  ]);
});

test("a gateway that only variables configure, as in a container, is examined", async () => {
  const empty = join(folder, "empty");
  mkdirSync(empty);
  const doctor = async (variables: Readonly<Record<string, string>>) => {
    const { stdout } = await runToEnd([...vantageCommand, "doctor", "--dir", empty, "-o", "json"], {
      env: { ...process.env, VANTAGE_GATEWAY__STATE_DIR: empty, ...variables },
    });
    return (JSON.parse(stdout) as Finding[]).map(shown);
  };
  const keys = `${issuer.url}/jwks`;
  // As in compose.yaml: the public name is not reached from inside, the keys are.
  const probing = await doctor({
    ...{ VANTAGE_OIDC__ISSUER: "https://login.invalid", VANTAGE_OIDC__AUDIENCES: "vantage" },
    ...{ VANTAGE_OIDC__JWKS_URI: keys, VANTAGE_OIDC__ALLOW_HTTP: "true" },
  });
  expect(probing[0]).toBe("ok configuration: variables: a probing gateway");
  expect(probing).toContain(`ok issuer: ${keys} answers`);
  const [first] = await doctor({ VANTAGE_LEASES__POOL: "2001:db8:1000::/40" });
  expect(first).toStartWith("fail configuration: variables: subjects.keys: is missing");
});

test("a part whose file has only comments, as the package brings it, is not configured and does not fail", async () => {
  const examples = join(folder, "examples");
  mkdirSync(examples);
  const names = ["bootstrap", "exchange", "agent", "probing-gateway", "peering-gateway"];
  for (const name of names) {
    writeFileSync(join(examples, `${name}.yaml`), "# An example\n# key: value\n");
  }
  const doctor = (...args: string[]) =>
    runToEnd([...vantageCommand, "doctor", ...args, "--dir", examples, "-o", "json"]);
  const nothing = await doctor();
  expect([nothing.exitCode, nothing.stdout]).toEqual([2, ""]);
  expect(nothing.stderr).toContain("what is there has only comments");
  copyFileSync(files.peering, join(examples, "peering-gateway.yaml"));
  const one = await doctor();
  expect(one.exitCode).toBe(0);
  const findings = JSON.parse(one.stdout) as (Finding & { part: string })[];
  expect(
    findings.filter(({ found }) => found.endsWith("only comments: this part is not configured")),
  ).toHaveLength(4);
});

test("--check refuses a configuration that sets nothing, and warns of one by which nobody can log in", async () => {
  const file = join(folder, "check.yaml");
  const check = (text: string) => {
    writeFileSync(file, text);
    return runToEnd([...vantageCommand, "probing-gateway", "--check", "-c", file]);
  };
  for (const text of ["", "# gateway:\n", "{}\n"]) {
    const { exitCode, stdout, stderr } = await check(text);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toContain(`${file}: sets nothing`);
  }
  const { exitCode, stderr } = await check("gateway: {contact: noc@example.net}\n");
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: "warning: oidc.issuer is missing: no user can log in\n",
  });
});

test.each([
  [["nonsense"], 'doctor: There is no command "nonsense": give one of client, exchange, agent, gateway'],
  [["-c", "x.yaml"], 'doctor: There is no option "-c"'],
  [["client", "-c", "x.yaml", "--dir", "/etc"], "doctor client: --dir does not go with --config"],
  [["--dir", "/proc/none"], "doctor: Nothing is configured in /proc/none"],
])("%p is not a valid command line", async (args, complaint) => {
  const child = Bun.spawn([...vantageCommand, "doctor", ...args], { stdout: "ignore", stderr: "pipe" });
  expect(await new Response(child.stderr).text()).toStartWith(`vantage ${complaint}`);
  expect(await child.exited).toBe(2);
});

test("a database, an issuer, a broker and a store that do not answer", async () => {
  const lines = await silent;
  expect(lines.map((line) => line.split(":")[0])).toEqual([
    ...["fail database", "fail broker", "fail column store", "fail issuer"],
  ]);
  expect(lines.join()).not.toContain("secret");
});
