/** Runs tests on each engine of the tier, with a gateway of their own and agents of every kind. */
import { afterAll, beforeAll, describe } from "bun:test";
import { type EngineHome, engines, startEngine } from "../../postgres/engines.ts";
import { addAgent, addKnownUser, GatewayHome } from "./gateway-home.ts";

/** `west` and `east` can probe; `ill`, `gone` (offline) and `held` (paused) cannot; `silent` has no configuration. */
export function onBothEngines(tests: (gateway: () => GatewayHome) => void, databases = engines): void {
  describe.each(databases)("on %s", (engine) => {
    let database: EngineHome | null = null;
    let gateway: GatewayHome | null = null;

    beforeAll(async () => {
      database = await startEngine(engine);
      gateway = await GatewayHome.start({
        databaseAddress: await database.freshDatabase(),
        isLongUp: true,
      });
      await addKnownUser(gateway);
      await addAgent(gateway, "west");
      await addAgent(gateway, "east", { prefixes: ["2001:db8:5678::/64"] });
      await addAgent(gateway, "ill", { healthy: false });
      await addAgent(gateway, "gone", { isOnline: false });
      await addAgent(gateway, "held", { paused: true });
      await addAgent(gateway, "silent", { isSilent: true });
    });
    afterAll(async () => {
      await gateway?.[Symbol.asyncDispose]();
      await database?.[Symbol.asyncDispose]();
    });

    tests(() => {
      if (gateway === null) {
        throw new Error("The gateway has not been started");
      }
      return gateway;
    });
  });
}
