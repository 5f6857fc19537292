/**
 * A generator that dies: a second process sees to it that leases end all the same, and steps back when the first is
 * there again. Both are processes, killed as the kernel kills; BIRD is real.
 *
 * @alone: it waits for most of its time
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rejectAll } from "../../../lib/peering/policy/policy.ts";
import { policyText } from "../../../lib/peering/policy/policy-text.ts";
import { Daemon } from "../../exchange/daemon.ts";
import { grantsOf } from "../../exchange/granted.ts";
import { sampleUser } from "../../exchange/samples.ts";
import { until } from "../../exchange/until.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { GeneratorHome } from "./generator-home.ts";

const standbySec = 3;
/** Each renewed three times as often; room for the standby, on a busy machine. */
const endsSec = 9;
const lasting = sampleUser(2);
const nobody = policyText(rejectAll);
/** As BIRD says it when its timer takes the policy away. */
const ended = "Config timeout expired";
const endsAt = (instantMs: number) =>
  sampleUser(1, { leases: [{ prefix: "2001:db8:1::/48", end_time: new Date(instantMs).toISOString() }] });

let home: GeneratorHome;
let stack: AsyncDisposableStack;
beforeEach(async () => {
  stack = new AsyncDisposableStack();
  home = stack.use(await GeneratorHome.open([lasting]));
  writeFileSync(join(home.folder, "generator.yaml"), home.config(true, { standbySec, endsSec }));
});
afterEach(() => stack.disposeAsync());

function start(name: string, ...options: string[]): Daemon {
  const command = [...vantageCommand, "policy-generator", "-c", "generator.yaml", ...options];
  return stack.use(new Daemon(name, home.folder, command));
}

const granted = () =>
  grantsOf(home.text())
    .map(({ prefix }) => prefix)
    .sort();

const isInForce = async () => home.text().includes(await home.versionInForce());
const kept = (name: string) => {
  const path = join(home.folder, "state", name);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
};

test("kill -9 while a lease runs: it ends, and what the gateway says later is in force too", async () => {
  home.sources.users = [endsAt(Date.now() + 3_600_000), lasting];
  const generator = start("generator");
  await until("both leases", () => granted().length === 2);
  const standby = start("standby", "--standby");
  await until("the standby", () => standby.said().includes("Stands by"));
  await until("a sign of life", () => kept("heartbeat") !== "");
  const endMs = Date.now() + 2000;
  home.sources.change([endsAt(endMs), lasting]);
  await until("word of its end", () => kept("inputs.json").includes(String(endMs)));
  await generator[Symbol.asyncDispose]();
  expect(granted()).toHaveLength(2);
  await until("one lease in force", async () => granted().length === 1 && (await isInForce()));
  const lateMs = Date.now() - endMs;
  expect(granted()).toEqual(["2001:db8:2::/48"]);
  expect(lateMs).toBeGreaterThan(-10);
  home.sources.change([sampleUser(3)]);
  await until("word of the gateway", () => granted().join() === "2001:db8:3::/48");
});

test("the standby renews the policy before it ends in BIRD; when nobody does, it ends on time", async () => {
  const generator = start("generator");
  await until("a policy", async () => granted().length === 1 && (await isInForce()));
  const standby = start("standby", "--standby");
  await until("the standby", () => standby.said().includes("Stands by"));
  await until("a sign of life", () => kept("heartbeat") !== "");
  await generator[Symbol.asyncDispose]();
  // Longer than what a dead generator, or one renewal by the standby, leaves behind.
  await Bun.sleep(1500 * endsSec);
  expect(standby.said()).toContain("taking over");
  expect(home.bird.said()).not.toContain(ended);

  await standby[Symbol.asyncDispose]();
  const deadAtMs = performance.now();
  await until("the policy's end", () => home.bird.said().includes(ended));
  const lateMs = performance.now() - deadAtMs;
  expect(lateMs).toBeGreaterThan((1000 * endsSec) / 2);
  await until("that of nobody", async () => (await home.versionInForce()) === nobody.version);
});

test("who takes over renews what BIRD has before any source answers", async () => {
  // Else the policy, which names them, is another one without the gateway, and put into force as such.
  home.sources.users = [{ ...lasting, email: null }];
  const renewals = () => home.bird.said().match(/configure timeout/g)?.length ?? 0;
  {
    await using first = home.service().loop;
    await first.start();
  }
  const before = renewals();
  expect(before).toBeGreaterThan(0);
  const answer = Promise.withResolvers<Response>();
  home.sources.gatewayFailure = () => answer.promise;
  await using second = home.service().loop;
  const started = second.start();
  await until("a renewal", () => renewals() > before);
  answer.resolve(new Response("", { status: 503 }));
  await started;
});

test("a generator that hangs is one that is dead; when it goes on, the standby steps back", async () => {
  const generator = start("generator");
  await until("a policy", () => granted().length === 1);
  const standby = start("standby", "--standby");
  await until("a sign of life", () => kept("heartbeat") !== "");
  generator.signal("SIGSTOP");
  await until("the standby's work", () => standby.said().includes("taking over"));
  generator.signal("SIGCONT");
  await until("its end", () => standby.said().includes("standing by again"));
});
