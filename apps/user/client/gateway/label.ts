/** `vantage label`: names a measurement, tags it, writes a note. */
import { wrongUsage } from "../../../../lib/command/command/command-error.ts";
import { exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import { newLabelOptions } from "../../../../lib/command/command/gateway/label-options.ts";
import { measurementSchema } from "../../../../lib/engines/gateway-client/answers.ts";
import { measurementColumns } from "./measurement-columns.ts";
import { measurementArgument, wholeId } from "./measurement-id.ts";

export const command = gatewayCommand({
  about: "What is not given stays as it is.",
  options: newLabelOptions,
  arguments: measurementArgument,
  examples: [
    'vantage label last --name "Before the fibre cut" --tag lab,eu',
    'vantage label 6f1cf7a0 --note ""',
  ],
  act: async (session, { id, name, tag, note }) => {
    const given = {
      ...(name === null ? {} : { name }),
      ...(tag.length === 0 ? {} : { tags: tagsOf(tag) }),
      ...(note === null ? {} : { note }),
    };
    if (Object.keys(given).length === 0) {
      throw wrongUsage("give --name, --tag or --note");
    }
    const gateway = await session.open();
    const { signal } = session;
    const path = `/api/measurements/${await wholeId(session, gateway, id)}`;
    const changed = await gateway.read(path, measurementSchema, {
      ...{ method: "PATCH", repeatable: true, signal, body: JSON.stringify(given) },
      headers: { "content-type": "application/json" },
    });
    session.printRecord(measurementColumns, changed);
    return exitCodes.ok;
  },
});

function tagsOf(given: readonly string[]): string[] {
  return given.flatMap((text) => text.split(",")).flatMap((tag) => tag.trim() || []);
}
