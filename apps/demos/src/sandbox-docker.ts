// Runs Python in a Docker container. The model writes readings to a database file in the container
// and queries it with SQL. The tool that reads the stations runs on this machine. The container has
// no network, and a person must approve the warning before it is sent.
//
//   pnpm --filter @smolts/demos sandbox-docker
//
// The demo needs Docker or Podman. The image is python:3.12-slim, or the one that SMOLTS_DEMO_IMAGE
// names.

import { docker } from "@smolts/executor-docker";
import { tool } from "@smolts/tools";
import { CodeAgent, type ExecutorFactory, type Model } from "smolts";
import { type PrintLevel, printRun } from "smolts/terminal";
import { runDemo } from "./demo-model.ts";

/** Options of the demo. */
export interface SandboxDockerOptions {
  readonly model: Model;
  /**
   * The executor that runs the code. Default: a container of the image in `SMOLTS_DEMO_IMAGE`, or
   * else of python:3.12-slim.
   */
  readonly executor?: ExecutorFactory;
  readonly level?: PrintLevel;
}

/** The water levels that each station measured, in centimetres, one for each hour. */
const levelsCm: { readonly [station: string]: readonly number[] } = {
  bern: [212, 215, 221, 240, 263, 281],
  thun: [180, 181, 183, 182, 184, 186],
};

const readStation = tool({
  name: "readStation",
  description: "Returns the water levels of a station in centimetres, one for each hour.",
  input: { station: "string — bern or thun" },
  execute: ({ station }) => [...(levelsCm[station] ?? [])],
});

const sendWarning = tool({
  name: "sendWarning",
  description: "Warns the fire brigade of a place.",
  input: { station: "string", text: "string" },
  needsApproval: true,
  execute: ({ station }) => `the fire brigade of ${station} is warned`,
});

/**
 * Asks the agent to find the station where the river rises fastest, and to warn that station.
 * Returns the station and the rise.
 */
export async function sandboxDocker({ model, executor, level = "info" }: SandboxDockerOptions): Promise<unknown> {
  if (!executor) {
    const image = process.env["SMOLTS_DEMO_IMAGE"];
    await using chosen = docker({
      language: "python",
      memoryMb: 256,
      ...(image !== undefined && { image }),
      onProgress: (line) => console.log(line),
    });
    return await sandboxDocker({ model, executor: chosen, level });
  }
  const agent = new CodeAgent({
    model,
    tools: [readStation, sendWarning],
    executor,
    additionalAuthorizedImports: ["sqlite3", "pathlib", "socket"],
    approve: async ({ name }) => (name === "sendWarning" ? { type: "approve" } : { type: "deny", reason: "not now" }),
  });
  const task =
    "Put the levels of bern and thun into a database, find the largest rise from one hour to the next, and warn that place.";
  return printRun(agent.run(task), { level });
}

/** The replies of the scripted model. */
export const script: readonly string[] = [
  `I fetch both stations and put them into a database file.
<code>
import sqlite3
from pathlib import Path

folder = Path("/work")
database = sqlite3.connect(folder / "levels.db")
database.execute("CREATE TABLE levels (station TEXT, hour INTEGER, cm REAL)")
for station in ["bern", "thun"]:
    rows = [(station, hour, cm) for hour, cm in enumerate(read_station(station=station))]
    database.executemany("INSERT INTO levels VALUES (?, ?, ?)", rows)
database.commit()
print((folder / "levels.db").stat().st_size > 0)
</code>`,
  `Is there another source on the internet to compare with?
<code>
import socket

try:
    socket.create_connection(("1.1.1.1", 443), timeout=2)
    print("there is a network")
except OSError as error:
    print("there is no network:", error)
</code>`,
  `There is none, so the database has to do.
<code>
query = """
    SELECT later.station, later.cm - earlier.cm AS rise
    FROM levels later JOIN levels earlier ON earlier.station = later.station AND earlier.hour = later.hour - 1
    ORDER BY rise DESC LIMIT 1
"""
place, rise = database.execute(query).fetchone()
print(send_warning(station=place, text=f"The river rose {rise:.0f} cm in one hour."))
final_answer([place, rise])
</code>`,
];

await runDemo(import.meta.url, script, (model) => sandboxDocker({ model }));
