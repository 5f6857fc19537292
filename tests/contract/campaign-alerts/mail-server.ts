/** A mail server of the tests: it speaks SMTP with STARTTLS and AUTH, and keeps what it takes. */
import { createServer, type Socket } from "node:net";
import { createSecureContext, TLSSocket } from "node:tls";

interface TakenMail {
  readonly from: string;
  readonly to: string;
  /** As it came, without the dot that ends it. */
  readonly text: string;
  readonly isEncrypted: boolean;
  readonly login: string;
}

interface MailServer extends Disposable {
  readonly port: number;
  readonly taken: readonly TakenMail[];
}

interface MailOptions {
  readonly key: string;
  readonly cert: string;
}

/** Without a key it offers no encryption. It refuses recipients that are called `nobody`. */
export async function startMailServer(tls: MailOptions | null): Promise<MailServer> {
  const taken: TakenMail[] = [];
  const server = createServer((socket) => {
    socket.write("220-mail.example\r\n220 ready\r\n");
    talk(socket, tls, taken);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    taken,
    [Symbol.dispose]: () => void server.close(),
  };
}

function talk(socket: Socket, tls: MailOptions | null, taken: TakenMail[], isEncrypted = false): void {
  let [heard, login, from, to, text, isData] = ["", "", "", "", "", false];
  const say = (line: string) => socket.write(`${line}\r\n`);
  const onLine = (line: string) => {
    if (isData) {
      if (line === ".") {
        taken.push({ from, to, text, isEncrypted, login });
        [isData, text] = [false, ""];
        say("250 2.0.0 taken");
      } else {
        text += `${line.replace(/^\.\./, ".")}\r\n`;
      }
      return;
    }
    const [verb = "", rest = ""] = line.split(/ (.*)/s);
    switch (verb) {
      case "EHLO":
        say("250-mail.example");
        say(tls !== null && !isEncrypted ? "250 STARTTLS" : "250 AUTH PLAIN");
        return;
      case "STARTTLS": {
        say("220 go on");
        socket.removeAllListeners("data");
        const secure = new TLSSocket(socket, {
          isServer: true,
          secureContext: createSecureContext({ ...tls }),
        });
        secure.on("error", () => undefined);
        talk(secure, null, taken, true);
        return;
      }
      case "AUTH":
        login = Buffer.from(rest.replace("PLAIN ", ""), "base64").toString();
        say("235 welcome");
        return;
      case "MAIL":
        from = rest;
        say("250 ok");
        return;
      case "RCPT":
        to = rest;
        say(rest.includes("nobody") ? "550 5.1.1 there is no such user" : "250 ok");
        return;
      case "DATA":
        isData = true;
        say("354 go on");
        return;
      default:
        say("221 bye");
        socket.end();
    }
  };
  socket.on("error", () => undefined);
  socket.on("data", (bytes) => {
    const lines = (heard + Buffer.from(bytes).toString("latin1")).split("\r\n");
    heard = lines.pop() ?? "";
    for (const line of lines) {
      onLine(line);
    }
  });
}
