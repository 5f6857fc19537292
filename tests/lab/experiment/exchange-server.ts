/** An exchange server of the small Internet: BIRD with the files of `vantage exchange`, and its policy generator. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "../../../apps/peering/exchange/render.ts";
import { readSettings } from "../../../apps/peering/exchange/settings.ts";
import { debianBird } from "../../exchange/birds.ts";
import { Bird, Daemon } from "../../exchange/daemon.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import type { Exchange } from "./plan.ts";
import { platformAsn } from "./plan.ts";
import { exchangeSettings } from "./routers.ts";

interface ExchangePlace {
  readonly folder: string;
  readonly within: (command: readonly string[]) => string[];
  readonly gatewayUrl: string;
  readonly serviceKeyFile: string;
}

export class ExchangeServer implements AsyncDisposable {
  readonly #exchange: Exchange;
  readonly #place: ExchangePlace;
  #bird: Bird;
  #generator: Daemon | null = null;

  private constructor(exchange: Exchange, place: ExchangePlace, bird: Bird) {
    this.#exchange = exchange;
    this.#place = place;
    this.#bird = bird;
  }

  static async start(exchange: Exchange, place: ExchangePlace): Promise<ExchangeServer> {
    const { folder } = place;
    mkdirSync(folder, { recursive: true });
    const text = exchangeSettings(exchange, join(folder, "peering_generated.conf"));
    writeFiles(readSettings({ name: exchange.name, text }, {}), folder);
    writeFileSync(join(folder, "nodes"), "# nobody yet\n");
    const server = new ExchangeServer(exchange, place, await startBird(place));
    server.startGenerator();
    return server;
  }

  /** The one that runs now. */
  get bird(): Bird {
    return this.#bird;
  }

  /** As a crash does. */
  async killBird(): Promise<void> {
    await this.#bird[Symbol.asyncDispose]();
  }

  /** As its service manager does: with the files that lie there. */
  async startBird(): Promise<void> {
    this.#bird = await startBird(this.#place);
  }

  /** Whose device the VPN has here, from the next look of the generator on. */
  admit(userHash: string, addresses: readonly string[]): void {
    writeFileSync(join(this.#place.folder, "nodes"), `${userHash} ${addresses.join(" ")}\n`);
  }

  startGenerator(): void {
    const { folder, within } = this.#place;
    const file = join(folder, "generator.yaml");
    writeFileSync(file, JSON.stringify(this.#generatorConfig()));
    const command = [...vantageCommand, "policy-generator", "-c", file];
    this.#generator = new Daemon("generator", folder, within(command));
  }

  /** As a crash does. */
  async killGenerator(): Promise<void> {
    await this.#generator?.[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.killGenerator();
    await this.killBird();
  }

  #generatorConfig(): object {
    const { folder, gatewayUrl, serviceKeyFile } = this.#place;
    return {
      generator: {
        state_dir: join(folder, "state"),
        address: `${this.#exchange.v4}:8091`,
        interval_sec: 1,
        server: this.#exchange.name,
      },
      gateway: { url: gatewayUrl, key_file: serviceKeyFile },
      vpn: { nodes_file: join(folder, "nodes") },
      platform: { asn: platformAsn },
      budget: { announcements_per_hour: 1000, prefix_refill_sec: 0 },
      daemon: {
        policy_file: join(folder, "peering_generated.conf"),
        control_socket: join(folder, "bird.ctl"),
        sample_sec: 1,
      },
    };
  }
}

function startBird({ folder, within }: ExchangePlace): Promise<Bird> {
  return Bird.start("bird", {
    ...{ folder, file: join(folder, "bird.conf"), program: debianBird.program },
    within: (command) => within(command),
  });
}
