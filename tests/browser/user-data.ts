/** An operator exports what is kept about a user, and erases it, with the keyboard. */
import { expect } from "bun:test";
import { userHashOf } from "../../lib/engines/auth/token-verifier.ts";
import { until } from "../exchange/until.ts";
import { Keyboard } from "./keyboard.ts";
import { mustBeReadable } from "./readable.ts";
import type { Tab } from "./tab.ts";

export async function checkUserData(tab: Tab, consoleUrl: string, user: string): Promise<void> {
  const hash = userHashOf(user);
  const short = hash.slice(0, 8);
  const keyboard = new Keyboard(tab);
  await tab.go(`${consoleUrl}console/operators?view=users&who=${hash}`);
  const exported = await tab.eval<{ user: { user_hash: string } }>(
    `fetch(document.querySelector("#users a[download='user-${short}.json']").href).then((it) => it.json())`,
  );
  expect(exported.user.user_hash).toBe(hash);
  await keyboard.enter(`#erase-${short} > summary`);
  await mustBeReadable(tab);
  await keyboard.write(`#erase-${short} input`, "someone");
  await tab.press("Enter");
  expect(await tab.eval<boolean>(`document.querySelector('#erase-${short} form:invalid') !== null`)).toBe(
    true,
  );
  expect(await tab.text("#users")).toContain(short);
  await keyboard.write(`#erase-${short} input`, short);
  await tab.press("Enter");
  const said = await until("the outcome", async () => {
    const text = await tab.text("#said");
    return text.includes("Erased permanently") && text;
  });
  expect(said).toMatch(/what remains is database: removed rows .*; backups: all of it/);
  await until("no user", async () => (await tab.text("#users")).includes("Nothing matches"));
}
