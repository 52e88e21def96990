// Takes the screenshot for the guide "Traces": a run of two agents in Phoenix.
//
//   tsx --conditions=@smolts/source scripts/test-peers/phoenix-screenshot.ts <folder of the peers> <picture.png>

import { noChromium, startBrowser } from "../../packages/ui/test/browser/browser.ts";
import { startPhoenix, traceTo, waitForSpans } from "./phoenix.ts";

const [folder, picture] = process.argv.slice(2);
if (folder === undefined || picture === undefined) throw new Error("name the folder of the peers, and the picture");
if (noChromium) throw new Error(noChromium);

await using server = await startPhoenix(folder);
await traceTo(server.url, folder);
const [span] = await waitForSpans(server.url);
const { data } = (await (await fetch(`${server.url}/v1/projects`)).json()) as {
  readonly data: readonly { readonly id: string }[];
};
const browser = await startBrowser();
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 760 }, colorScheme: "light" });
  await page.goto(`${server.url}/projects/${data[0]?.id}/spans/${span?.context.trace_id}`);
  await page.waitForTimeout(8_000);
  await page.screenshot({ path: picture });
  console.log(page.url());
} finally {
  await browser.close();
}
