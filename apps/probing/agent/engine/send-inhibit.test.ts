import { expect, test } from "bun:test";
import { SendInhibit } from "./send-inhibit.ts";

test("each reason has one owner, in any thread; all threads may read it", () => {
  const sendInhibit = SendInhibit.allocate();
  const platform = sendInhibit.own("killed", "paused");
  platform.set("killed", true);
  const elsewhere = new SendInhibit(sendInhibit.buffer);
  expect([elsewhere.has("killed"), elsewhere.has("paused"), elsewhere.any()]).toEqual([true, false, true]);
  expect(() => elsewhere.own("killed")).toThrow("it is set already");
  elsewhere.own("killSwitch").set("killSwitch", true);
  platform.set("killed", false);
  expect([sendInhibit.has("killed"), sendInhibit.has("killSwitch"), sendInhibit.any()]).toEqual([
    false,
    true,
    true,
  ]);
});
