/** A gateway, and an issuer for its users, as processes of their own for as long as a file of tests runs. */
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GatewayProcess } from "../../contract/probing-gateway/gateway-process.ts";
import { startTestIssuer, type TestIssuer } from "../../issuer/issuer.ts";

export const adminKey = "the admin key of the fuzzed gateway";

export class FuzzedGateway implements AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  readonly issuer: TestIssuer;
  readonly #owned: AsyncDisposableStack;

  private constructor({ url, pid }: GatewayProcess, issuer: TestIssuer, owned: AsyncDisposableStack) {
    this.url = url;
    this.pid = pid;
    this.issuer = issuer;
    this.#owned = owned;
  }

  /** `settings` are sections of the configuration, besides `gateway`; of `oidc` what goes with the issuer. */
  static async start(
    command: "probing-gateway" | "peering-gateway",
    { oidc = {}, ...settings }: Readonly<Record<string, object>>,
  ): Promise<FuzzedGateway> {
    await using undo = new AsyncDisposableStack();
    const folder = mkdtempSync(join(tmpdir(), "vantage-fuzz-"));
    undo.defer(() => rm(folder, { recursive: true, force: true }));
    const issuer = undo.use(await startTestIssuer());
    const config = join(folder, "gateway.yaml");
    const own = {
      gateway: { address: "127.0.0.1:0", state_dir: join(folder, "state"), admin_key: adminKey },
      oidc: { issuer: issuer.url, audiences: [issuer.audience], ...oidc },
    };
    // JSON is YAML.
    await Bun.write(config, JSON.stringify({ ...own, ...settings }));
    const gateway = await GatewayProcess.start(config, [], command);
    undo.defer(async () => void (await gateway.stop()));
    return new FuzzedGateway(gateway, issuer, undo.move());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#owned.disposeAsync();
  }
}
