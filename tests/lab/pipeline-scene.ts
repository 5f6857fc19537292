import { until } from "../exchange/until.ts";
import { vantageCommand } from "../run/vantage-command.ts";
import type { Internet } from "./internet.ts";
import { logIn } from "./login.ts";
import { Pipeline } from "./pipeline.ts";
import { targetAddress } from "./responder/scenario.ts";

/** As the command line takes them: a source of east alone, then one that both sites announce. */
const unicast = "east:10.101.0.9";
const anycast = "east:10.110.0.9";
const kernelTarget = "203.0.113.10";
const anycastTargetIds = [10, 11, 12, 13, 14, 20, 21, 22, 23, 24];
const measurementId = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/;

type Say = (text: string) => void;

/** True when every command did what it should; `number` is the scene's, of all. */
export async function playPipeline(net: Internet, number: string, say: Say): Promise<boolean> {
  say(`\n── ${number}  The pipeline: user, gateway, broker, agents, column store  (east and west)`);
  say(
    "   One platform at the target's host (vantage stack), an agent at east (unicast and anycast) and one at west.\n",
  );
  await using pipeline = await Pipeline.start(net, { hasGateway: true });
  const user = new User(pipeline, say);
  say(`   $ vantage login --gateway=${pipeline.gatewayUrl}\n`);
  await logIn(pipeline, "anna", say);
  say("   The demo has confirmed the code, as a person does in a browser.\n");
  await user.types("vantage agents");

  const paths = await user.sends(
    `vantage probes --ttl 1-9 --flows 8 ${kernelTarget} | vantage send -a ${unicast}`,
  );
  await user.types(`vantage follow --count=64 ${paths}`);
  await user.types(`vantage replies -v paths ${paths}`);
  await user.types(`vantage replies -v loss ${paths}`);

  const everyone = anycastTargetIds.map((id) => targetAddress(id).v4).join(" ");
  say("   Without the gateway: lines straight to the broker, and what came of them from the column store.\n");
  const catchment = await user.sends(
    `vantage probes --ttl 30 --flows 1 ${everyone} | vantage client --config=client.yaml --wait ${anycast}`,
  );
  await user.types(`vantage catchment --config=client.yaml ${catchment}`);
  say("   East asked all of them; whose answer came to west lies in the catchment of west.\n");

  const long = await user.sends(
    `vantage probes --ttl 1-9 --flows 900 ${kernelTarget} | vantage send -a ${unicast}`,
  );
  await user.types(`vantage follow --count=500 -o csv ${long} | tail -n 1`);
  await user.types(`vantage cancel ${long}`);
  // Its agent says in a report, of which there is one each second, that it sends no more.
  const charged = 72 + 8100;
  await until("the refund of what was not sent", async () => (await user.usedProbes()) < charged);
  await user.types(`vantage show ${long}`);
  await user.types("vantage whoami");
  say("   Of the cancelled campaign only what was sent is charged.");
  return user.hasSucceeded;
}

/** Types command lines where the platform is, and shows them. */
class User {
  hasSucceeded = true;
  readonly #pipeline: Pipeline;
  readonly #say: Say;

  constructor(pipeline: Pipeline, say: Say) {
    this.#pipeline = pipeline;
    this.#say = say;
  }

  /** What it says on both outputs is one story; but a client's progress is drawn where there is a terminal. */
  async types(line: string): Promise<string> {
    this.#say(`   $ ${line}\n`);
    const child = this.#start(line);
    let said = "";
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) {
      const text = decoder.decode(chunk, { stream: true });
      said += text;
      process.stdout.write(text);
    }
    this.hasSucceeded &&= (await child.exited) === 0;
    this.#say("");
    return said;
  }

  /** As the gateway says it; nothing of it is shown. */
  async usedProbes(): Promise<number> {
    const said = await new Response(this.#start("vantage whoami -o json").stdout).text();
    return JSON.parse(said).used;
  }

  /** The id of the measurement. */
  async sends(line: string): Promise<string> {
    return measurementId.exec(await this.types(line))?.[0] ?? "none";
  }

  #start(line: string) {
    const vantage = vantageCommand.map((word) => `"${word}"`).join(" ");
    const outputs = line.includes("vantage client") ? "" : "exec 2>&1; ";
    const command = ["sh", "-c", `${outputs}${line.replaceAll("vantage ", `${vantage} `)}`];
    const { environment: env, folder: cwd } = this.#pipeline;
    return Bun.spawn(this.#pipeline.command(command), {
      ...{ env, cwd, stdin: "ignore", stdout: "pipe", stderr: "inherit" },
    });
  }
}
