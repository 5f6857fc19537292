/** Prometheus and Alertmanager of Debian as child processes, on the configuration that we ship. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BunFile, Subprocess } from "bun";
import { ServerProcess } from "../../server/server-process.ts";

class Watcher extends ServerProcess {
  readonly #command: (folder: string) => readonly string[];
  readonly #url: string;

  constructor(name: string, url: string, command: (folder: string) => readonly string[]) {
    super(
      { name, stopSignal: "SIGTERM", killSignal: "SIGKILL" },
      mkdtempSync(join(tmpdir(), "vantage-drill-")),
    );
    this.#url = url;
    this.#command = command;
  }

  start(): Promise<this> {
    return this.started();
  }

  protected override spawn(output: BunFile): Subprocess {
    const command = [...this.#command(this.folder)];
    return Bun.spawn(command, { cwd: this.folder, stdin: "ignore", stdout: output, stderr: output });
  }

  protected override async answers(): Promise<boolean> {
    return await fetch(`${this.#url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  }
}

interface PrometheusOrder {
  readonly port: number;
  readonly config: unknown;
  /** What it remembers of before, in OpenMetrics. */
  readonly past: string | null;
}

export function startPrometheus({ port, config, past }: PrometheusOrder): Promise<AsyncDisposable> {
  const command = (folder: string) => {
    writeFileSync(join(folder, "prometheus.yaml"), JSON.stringify(config));
    if (past !== null) {
      remember(folder, past);
    }
    return [
      "prometheus",
      ...["--config.file=prometheus.yaml", "--storage.tsdb.path=data", "--log.level=warn"],
      ...["--rules.alert.for-grace-period=0s", `--web.listen-address=127.0.0.1:${port}`],
    ];
  };
  return new Watcher("Prometheus", `http://127.0.0.1:${port}`, command).start();
}

function remember(folder: string, past: string): void {
  writeFileSync(join(folder, "past"), past);
  const make = ["promtool", "tsdb", "create-blocks-from", "openmetrics", "past", "data"];
  const { exitCode, stdout, stderr } = Bun.spawnSync(make, { cwd: folder });
  if (exitCode !== 0) {
    throw new Error(`Cannot make the past: ${stdout}${stderr}`);
  }
}

export function startAlertmanager(port: number, config: unknown): Promise<AsyncDisposable> {
  const command = (folder: string) => {
    writeFileSync(join(folder, "alertmanager.yaml"), JSON.stringify(config));
    return [
      "prometheus-alertmanager",
      ...["--config.file=alertmanager.yaml", "--storage.path=data", "--cluster.listen-address="],
      ...["--log.level=warn", `--web.listen-address=127.0.0.1:${port}`],
    ];
  };
  return new Watcher("Alertmanager", `http://127.0.0.1:${port}`, command).start();
}
