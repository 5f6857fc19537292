/** Who only asks BIRD cannot change anything by it: on each BIRD of this machine. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askBird, orderBird } from "../../../lib/peering/bird/control.ts";
import { birds } from "../../exchange/birds.ts";
import { Bird } from "../../exchange/daemon.ts";
import { until } from "../../run/until.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-control-"));
const file = join(folder, "bird.conf");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const configuration = (kept: string) =>
  `router id 192.0.2.1; define KEPT = "${kept}"; protocol device {} protocol static kept { ipv6; }`;

/** Commands by which the state of a BIRD changes, on both lines. */
const orders = [
  ...["configure", "configure soft", "configure timeout 5", "configure undo", "configure check"],
  ...["disable kept", "enable kept", "restart kept", "debug all all", "graceful restart", "down"],
];

for (const { version, program } of birds) {
  test(`BIRD ${version} refuses each order from who only asks, and takes it from who orders`, async () => {
    writeFileSync(file, configuration("before"));
    await using bird = await Bird.start(`bird-${version}`, {
      ...{ folder, file, program, within: (command: string[]) => command },
    });
    const kept = async () => (await askBird(bird.socket, "eval KEPT")).map(({ text }) => text);
    const stateOfKept = async () => (await askBird(bird.socket, "show protocols kept")).at(-2)?.text ?? "";
    writeFileSync(file, configuration("after"));
    for (const order of orders) {
      const refused = await askBird(bird.socket, order).catch((error: Error) => error.message);
      expect([order, refused]).toEqual([order, `BIRD refuses "${order}": Access denied`]);
    }
    expect(await kept()).toEqual(["before"]);
    expect(await stateOfKept()).toMatch(/^kept +Static +\S+ +up /);
    await orderBird(bird.socket, "disable kept");
    await until(async () => /^kept +Static +\S+ +down /.test(await stateOfKept()));
    await orderBird(bird.socket, "configure");
    expect(await kept()).toEqual(["after"]);
  });
}
