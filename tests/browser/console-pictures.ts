/** Pictures of the console for docs/images: `npm run screenshots`. */
import { type ConsoleHome, operator } from "../contract/console/console-home.ts";
import { until } from "../exchange/until.ts";
import type { Browser } from "./browser.ts";
import { logInWith } from "./console-scenes.ts";
import { type Look, looks } from "./tab.ts";

const small: Look = { scheme: "dark", widthPx: 320 };

/** Names of files, the page, and how it is looked at. */
const pictures: readonly { readonly name: string; readonly path: string; readonly look: Look }[] = [
  { name: "console-start", path: "console?from=west&to=192.0.2.1&protocol=udp", look: looks.light },
  { name: "console-start-phone", path: "console", look: small },
  { name: "console-measurements", path: "console/measurements", look: looks.dark },
  { name: "console-peering", path: "console/peering", look: looks.light },
  { name: "console-agents", path: "console/operators", look: looks.light },
  { name: "console-users", path: "console/operators?view=users", look: looks.dark },
  { name: "console-safety", path: "console/operators?view=safety", look: looks.light },
  { name: "console-audit", path: "console/operators?view=audit", look: looks.light },
];

/** Calls `keep` with each picture as PNG. */
export async function consolePictures(
  home: ConsoleHome,
  browser: Browser,
  keep: (name: string, png: Uint8Array) => void,
): Promise<void> {
  const { url } = home.serve();
  const tab = await browser.open(`${url}console`);
  await logInWith(tab, url, operator);
  await tab.go(`${url}console/peering`);
  for (const [what, button] of [
    ["an AS number", "main .card button"],
    ["a lease", "main form.row button"],
  ] as const) {
    const before = await tab.text("#peering");
    await tab.eval(`document.querySelector("${button}").click()`);
    await until(what, async () => (await tab.text("#peering")) !== before);
  }
  for (const { name, path, look } of pictures) {
    await tab.go(`${url}${path}`);
    await tab.look(look);
    keep(name, await tab.picture());
  }
}
