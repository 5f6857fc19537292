import { join } from "node:path";
import { SmallDisk } from "./broker/small-disk.ts";
import { brokerContract } from "./broker.contract.ts";

/** Room for what the suite publishes, and little to fill up. */
const diskMegabytes = 96;

brokerContract("the embedded log", {
  start: async () => {
    const disk = await SmallDisk.mount(diskMegabytes);
    return {
      address: `embedded:${join(disk.folder, "log")}`,
      goAway: () => disk.fill(),
      comeBack: async () => disk.empty(),
      [Symbol.asyncDispose]: () => disk[Symbol.asyncDispose](),
    };
  },
  secondMember: "isRefused",
  publishesWhole: true,
});
