/** A gateway with its console and a real issuer, and people who log in to it as a browser does. */
import { gatewayApp as peeringApp } from "../../../apps/peering/gateway/app.ts";
import { gatewayApp } from "../../../apps/probing/gateway/app.ts";
import { type RunningServer, serve } from "../../../lib/engines/http/serve.ts";
import { openDatabase } from "../../../lib/engines/store/postgres/open.ts";
import type { Browser } from "../../issuer/browser.ts";
import { startTestIssuer, type TestIssuer } from "../../issuer/issuer.ts";
import { startEngine } from "../../postgres/engines.ts";
import { PeeringHome } from "../peering-gateway/peering-home.ts";
import { GatewayHome } from "../probing-gateway/gateway-home.ts";

/** Subject of the user who is an operator. */
export const operator = "operator";

export class ConsoleHome implements AsyncDisposable {
  readonly gateway: GatewayHome;
  readonly peering: PeeringHome;
  readonly issuer: TestIssuer;
  readonly #owned: AsyncDisposableStack;

  private constructor(
    { gateway, peering, issuer }: Pick<ConsoleHome, "gateway" | "peering" | "issuer">,
    owned: AsyncDisposableStack,
  ) {
    this.gateway = gateway;
    this.peering = peering;
    this.issuer = issuer;
    this.#owned = owned;
  }

  /** With a peering gateway that takes the same logins; `more` are further lines of the gateway's configuration. */
  static async start(more = ""): Promise<ConsoleHome> {
    await using undo = new AsyncDisposableStack();
    const engine = undo.use(await startEngine());
    const issuer = undo.use(await startTestIssuer());
    const oidc = `oidc: { issuer: "${issuer.url}", audiences: ["${issuer.audience}"], operators: [${operator}] }`;
    const gateway = undo.use(
      await GatewayHome.start({ databaseAddress: await engine.freshDatabase(), yaml: `${oidc}\n${more}` }),
    );
    const peers = `${oidc}\nannouncements: { neighbors: [{ name: transit, asn: 64496 }] }`;
    const database = await openDatabase(await engine.freshDatabase(), { applicationName: "test" });
    const peering = undo.use(await PeeringHome.start({ database: undo.use(database), yaml: peers }));
    const peeringServer = undo.use(serve(peeringApp(peering.services).fetch, { host: "127.0.0.1", port: 0 }));
    Object.assign(gateway.services.config, { peeringGateway: peeringServer.url });
    return new ConsoleHome({ gateway, peering, issuer }, undo.move());
  }

  /** Another process of the gateway would share no more with the first one than the database. */
  serve(): RunningServer {
    return this.#owned.use(serve(gatewayApp(this.gateway.services).fetch, { host: "127.0.0.1", port: 0 }));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#owned.disposeAsync();
  }
}

/** Goes from "Log in" to the page that leads back to the console. */
export async function logIn(browser: Browser, consoleUrl: string, name: string, to = "/console") {
  const query = new URLSearchParams({ to });
  const form = await browser.open(new URL(`/console/login?${query}`, consoleUrl).href);
  return form.text.includes('name="name"') ? browser.submit(form, { name }) : form;
}
