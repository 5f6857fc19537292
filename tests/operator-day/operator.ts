/** What an operator does at a platform, as docs/operate/from-the-archive.md and `vantage setup` say. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../deploy/compose-file.ts";
import { until } from "../exchange/until.ts";
import { run } from "../lab/namespaces.ts";
import type { Machine } from "./machine.ts";

export const domain = "example.net";
export const authority = "NODE_EXTRA_CA_CERTS=/etc/vantage/authority/authority.pem";

/** Everything in the play has addresses for documentation. */
export function allowDocumentation(machine: Machine, service: "probing-gateway" | "agent"): void {
  const section = service === "agent" ? "AGENT" : "SAFETY";
  machine.write(
    `/etc/systemd/system/vantage-${service}.service.d/override.conf`,
    `[Service]\nEnvironment=VANTAGE_${section}__BLOCK_RESERVED_RANGES=false\n`,
  );
}

async function confirmAtIssuer(url: string): Promise<void> {
  await run([process.execPath, join(projectRoot, "tests/lab/approve-login.ts"), url, "anna"]);
}

export class Operator {
  readonly #machine: Machine;
  readonly #gateway: string;
  #printed = "";

  constructor(machine: Machine, gateway = `https://probing.${domain}`) {
    [this.#machine, this.#gateway] = [machine, gateway];
  }

  /** Nothing runs yet, so the doctor at its end finds much. */
  async setUp(answers: string): Promise<void> {
    this.#machine.write("/etc/platform.yaml", answers);
    const command = ["vantage", "setup", "--answers", "/etc/platform.yaml"];
    this.#printed = await this.#machine.run(command, { exits: 3 });
    allowDocumentation(this.#machine, "probing-gateway");
  }

  /** After `vantage restore --only files`: from the answers that were in the backup. */
  async setUpRestored(): Promise<void> {
    this.#printed = await this.#machine.run(["vantage", "setup"], { exits: 3 });
    allowDocumentation(this.#machine, "probing-gateway");
  }

  /** By the commands that setup printed. */
  async start(): Promise<void> {
    await this.makeDatabases();
    const units = this.#printed.matchAll(/^ {2}systemctl restart (.+?)(?: {2}|$)/gm);
    const names = [...units].flatMap(([, line = ""]) => line.split(" "));
    for (const name of names.filter((one) => one !== "grafana-server")) {
      await this.#machine.start(name);
    }
    await this.#healthy("http://127.0.0.1:8093/ready");
    await this.#healthy("http://127.0.0.1:8090");
    await this.#healthy(`https://probing.${domain}/health`);
  }

  async makeDatabases(): Promise<void> {
    const line = this.#printed.split("\n").find((one) => one.startsWith("  PSQL="));
    if (line !== undefined) {
      await this.#machine.shell(line.trim());
    }
  }

  async #healthy(url: string): Promise<void> {
    await this.#machine.run(["vantage", "health", "--wait", "240", url], { variables: [authority] });
  }

  /** A second run changes nothing, finds nothing that fails, and does not repeat the steps. */
  async setUpAgain(): Promise<void> {
    const said = await this.#machine.run(["vantage", "setup"]);
    if (/^(new|updated|kept|removed|secrets) /m.test(said) || said.includes("systemctl")) {
      throw new Error(`A second run is not as it should be:\n${said}`);
    }
  }

  /** What changes is named, and how the services get it. */
  async changeContact(): Promise<void> {
    const file = this.#machine.path("etc/vantage/setup-platform.yaml");
    const answers = readFileSync(file, "utf8");
    writeFileSync(file, answers.replace("platform:\n", "platform:\n  contact: probes@example.net\n"));
    const said = await this.#machine.run(["vantage", "setup"]);
    if (
      !said.includes("updated  /etc/vantage/probing-gateway.yaml") ||
      !said.includes("  systemctl restart ")
    ) {
      throw new Error(`It does not say how the new answer gets to the gateway:\n${said}`);
    }
  }

  async invite(...args: string[]): Promise<string> {
    return await this.#machine.run(["vantage", "setup", "invite", ...args]);
  }

  /** `confirm` is what a person does in a browser. */
  async logIn(confirm = confirmAtIssuer): Promise<void> {
    const words = ["vantage", "login", `--gateway=${this.#gateway}`];
    const child = Bun.spawn(this.#machine.command(words, [authority]), {
      ...{ stdin: "ignore", stdout: "pipe", stderr: "pipe" },
    });
    let said = "";
    let isApproved = false;
    for await (const chunk of child.stderr) {
      said += new TextDecoder().decode(chunk);
      const [, url] = /or open +(\S+)\s/.exec(said) ?? [];
      if (url !== undefined && !isApproved) {
        isApproved = true;
        await confirm(url);
      }
    }
    if ((await child.exited) !== 0) {
      throw new Error(`Cannot log in: ${said}`);
    }
  }

  /** Three probes by the agent, and three answers. */
  async ping(agent: string, target: string): Promise<void> {
    await until("the agent is listed, and healthy", async () => {
      const listed = await this.#machine.run(["vantage", "agents", "-o", "json"], { variables: [authority] });
      return listed.includes(`"${agent}"`) && /"healthy"(?!:)|"healthy": ?true/.test(listed);
    });
    const words = ["vantage", "ping", "--from", agent, "-c", "3", target, "-o", "json"];
    const said = await this.#machine.run(words, { variables: [authority] });
    if ((said.match(/"outcome":\s*"answered"/g) ?? []).length !== 3) {
      throw new Error(`Not every probe was answered:\n${said}`);
    }
  }
}
