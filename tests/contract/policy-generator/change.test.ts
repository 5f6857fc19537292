/** What a change at the gateway makes the generator do, between its looks by the clock. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { sampleUser } from "../../exchange/samples.ts";
import { until } from "../../exchange/until.ts";
import { GeneratorHome } from "./generator-home.ts";

let home: GeneratorHome;
beforeEach(async () => {
  home = await GeneratorHome.open([sampleUser(1)]);
});
afterEach(() => home[Symbol.asyncDispose]());

test("who has joined the VPN and leased a moment later is in the policy at once", async () => {
  const { loop } = home.service(true);
  await loop.start();
  try {
    await until(
      "the approver's first look, which asks for devices too",
      () => home.sources.asked.approvals > 0,
    );
    expect(home.text()).not.toContain("100.64.0.2");
    home.sources.change([sampleUser(1), sampleUser(2)]);
    await until("the new user's block", () => home.text().includes("100.64.0.2"));
  } finally {
    await home.sources[Symbol.asyncDispose]();
    await loop[Symbol.asyncDispose]();
  }
});
