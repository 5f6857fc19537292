/** With the keyboard: a token is created, shown once, used, and revoked. */
import { expect } from "bun:test";
import { until } from "../exchange/until.ts";
import { Keyboard } from "./keyboard.ts";
import { mustBeReadable } from "./readable.ts";
import type { Tab } from "./tab.ts";

export async function checkTokens(tab: Tab, consoleUrl: string, hostile: string): Promise<void> {
  const keyboard = new Keyboard(tab);
  await tab.go(`${consoleUrl}console`);
  await keyboard.follow(".account a", /^\/console\/account$/);
  await keyboard.enter("#new-token > summary");
  await keyboard.to("#new-token [value='measurements:read']");
  await tab.press(" ");
  await keyboard.to("#new-token [value='campaigns:read']");
  await tab.press(" ");
  const name = hostile.replace("\u202E", "");
  await keyboard.write("#new-token [name=name]", name);
  await tab.press("Enter");
  await until("the token", () => tab.eval<boolean>("document.querySelector('#once')?.open ?? false"));
  expect(await tab.violations()).toEqual([]);
  const token = await tab.eval<string>("document.querySelector('#once input').value");
  const ask = async () =>
    (await fetch(`${consoleUrl}api/measurements`, { headers: { authorization: `Bearer ${token}` } })).status;
  expect(await ask()).toBe(200);
  await tab.press("Escape");
  await until("no dialog", () => tab.eval<boolean>("document.querySelector('#once') === null"));
  expect(await tab.eval<string>("document.documentElement.outerHTML")).not.toContain(token);
  expect(await tab.text("#tokens tbody")).toContain(name);
  expect(await tab.text("#tokens tbody")).toContain("measurements:read, campaigns:read");
  await mustBeReadable(tab);
  await keyboard.follow("#tokens tbody a[href*='token=']", /\?token=/);
  expect(await tab.text("#tokens h3")).toContain("Uses of");
  await keyboard.enter("#tokens tbody button.danger");
  await until("its end", async () => (await tab.text("#tokens tbody")).includes("revoked"));
  expect(await ask()).toBe(401);
}
