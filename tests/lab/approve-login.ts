/** At a node, what a person does in a browser: `bun approve-login.ts URL NAME`. */
import { approveDevice } from "../issuer/device-login.ts";

const [, , url = "", name = ""] = process.argv;
await approveDevice(url, name);
