import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { noChromium, startBrowser } from "../../../packages/ui/test/browser/browser.ts";
import { absent, type Peer } from "../peer.ts";
import { gradioKind, ourKind } from "./chat-page.ts";
import { compareWithGradio, gradioPython } from "./compare.ts";
import { faults } from "./faults.ts";

/**
 * Runs eleven tests that GradioUI fails and our page passes, and measures the cost of both with the
 * same run.
 */
export const gradioUI: Peer = {
  name: "GradioUI (smolagents[gradio] of PyPI), and the page of smolts beside it",
  install: (folder) => [
    ["python3", "-m", "venv", `${folder}/gradio`],
    [`${folder}/gradio/bin/pip`, "install", "--quiet", "smolagents[gradio]==1.26.0", "gradio==6.31.0"],
  ],
  async drive(folder) {
    const python = gradioPython(folder);
    if (!existsSync(python)) return absent("it is not installed");
    if (noChromium) return absent(noChromium);
    const seen: string[] = [];
    const wrong: string[] = [];
    const browser = await startBrowser();
    try {
      for (const { id, title, look } of faults) {
        const [theirs, ours] = [await look(gradioKind(python), browser), await look(ourKind, browser)];
        seen.push(`${id.padEnd(4)}${title}. GradioUI: ${theirs ?? "not so"}. smolts: ${ours ?? "not so"}`);
        if (theirs === null) wrong.push(`${id}: GradioUI passes a test that it was expected to fail`);
        if (ours !== null) wrong.push(`${id}: ${ours}`);
      }
    } finally {
      await browser.close();
    }
    for (const [name, cost] of Object.entries(await compareWithGradio(python)))
      seen.push(`${name}: ${JSON.stringify(cost)}`);
    if (wrong.length > 0) throw new Error([...wrong, ...seen].join("\n"));
    return { type: "driven", version: versions(python), seen };
  },
};

function versions(python: string): string {
  const program =
    "from importlib.metadata import version; print(version('smolagents'), 'on gradio', version('gradio'))";
  return execFileSync(python, ["-c", program], { encoding: "utf8" }).trim();
}
