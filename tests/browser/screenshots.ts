/**
 * Makes the pictures of docs/images from the pages as they are: `npm run screenshots`; with a folder as argument every
 * page of the console, for its user, newcomers and strangers, at 1,280 and 390 px in both themes, into that. What
 * they show is in status-scenes.ts and demo-scene.ts. They are not compared by a test: each Chromium draws letters in
 * its own way.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { serve } from "../../lib/engines/http/serve.ts";
import { ClientHome } from "../contract/bootstrap/client-home.ts";
import { StoreProcess } from "../contract/client/store-with-paths.ts";
import { ConsoleHome } from "../contract/console/console-home.ts";
import { Browser } from "./browser.ts";
import { serveExchange } from "./console-exchange.ts";
import { consolePictures } from "./console-pictures.ts";
import { serveCollector } from "./console-routes.ts";
import { DemoSet } from "./demo-network.ts";
import { fillDemo, fillMore } from "./demo-scene.ts";
import { prefixes, scenes } from "./status-scenes.ts";
import { type Look, looks } from "./tab.ts";

const [, , given = null] = process.argv;
const folder = given ?? join(import.meta.dirname, "../../docs/images");

const pictures: readonly { readonly name: string; readonly scene: string; readonly look: Look }[] = [
  { name: "status-page", scene: "all is well", look: { scheme: "light", widthPx: 900 } },
  {
    name: "status-page-refused",
    scene: "one session down, one prefix refused",
    look: { scheme: "dark", widthPx: 900 },
  },
  { name: "status-page-phone", scene: "one session down, one prefix refused", look: looks.phone },
];

/** They are carried around with the sources. */
const pictureBytesMax = 150_000;

/** False = it is too large. */
function keep(name: string, png: Uint8Array): boolean {
  const file = join(folder, `${name}.png`);
  const isKept = given !== null || png.byteLength <= pictureBytesMax;
  if (isKept) {
    writeFileSync(file, png);
    console.log(file);
  }
  return isKept;
}

mkdirSync(folder, { recursive: true });
await using home = new ClientHome();
const { client, app } = home.service({ prefixes: prefixes.join() });
await using server = serve((request, connection) => app.fetch(request, connection), {
  host: "127.0.0.1",
  port: 0,
});
await using browser = await Browser.start();
for (const { name, scene, look } of given === null ? pictures : []) {
  client.snapshot = scenes[scene] ?? client.snapshot;
  const tab = await browser.open(server.url);
  await tab.look(look);
  keep(name, await tab.picture());
}
using set = await DemoSet.make();
await using store = await StoreProcess.start();
const settings = `store: { address: "${store.address}" }\ncontext: { dir: "${set.path}" }`;
await using gateway = await ConsoleHome.start(settings);
const ids = await fillDemo(gateway, store);
if (given === null) {
  await consolePictures(gateway, browser, { ids, keep, more: null });
} else {
  await using exchange = serveExchange("renamed by its user");
  await using collector = serveCollector("not leased");
  const elsewhere = { exchanges: [exchange.url], collectors: [collector.url] };
  Object.assign(gateway.gateway.services.config.console, elsewhere);
  await consolePictures(gateway, browser, { ids, keep, more: await fillMore(gateway, store) });
}
