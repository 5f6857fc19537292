import { expect, test } from "bun:test";
import { Hold } from "./hold.ts";

test("each reason has one owner, in whatever thread; anybody may look", () => {
  const hold = Hold.allocate();
  const platform = hold.own("killed", "paused");
  platform.set("killed", true);
  const elsewhere = new Hold(hold.buffer);
  expect([elsewhere.has("killed"), elsewhere.has("paused"), elsewhere.any()]).toEqual([true, false, true]);
  expect(() => elsewhere.own("killed")).toThrow("somebody sets it already");
  elsewhere.own("killSwitch").set("killSwitch", true);
  platform.set("killed", false);
  expect([hold.has("killed"), hold.has("killSwitch"), hold.any()]).toEqual([false, true, true]);
});
