import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  ask,
  noChromium,
  serve,
  startBrowser,
  untilEnded,
  type Visitor,
  visitor,
} from "../../packages/ui/test/browser/browser.ts";
import { receiptsAgent } from "../../packages/ui/test/browser/example-agents.ts";
import { absent, npmInstall, npmVersion, type Peer } from "./peer.ts";
import { startProgram } from "./program.ts";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Tests our web component in a page of React and Vite, from the packed packages. */
export const reactPage: Peer = {
  name: "a page of React and Vite (react and vite of npm)",
  install: (folder) => [
    npmInstall(makeFolder(projectIn(folder)), [
      "react@19.3.1",
      "react-dom@19.3.1",
      "vite@8.3.8",
      "@vitejs/plugin-react@6.3.0",
    ]),
  ],
  async drive(folder) {
    const project = projectIn(folder);
    const versions = ["react", "vite"].map((name) => npmVersion(project, name));
    if (versions.includes(null)) return absent("it is not installed");
    if (noChromium) return absent(noChromium);
    if (!existsSync(join(root, "packages/ui/dist/react.js")))
      return absent('there is no build; run "pnpm build" first');
    // Vite caches the code of packages by their version. Our version is always the same here, so
    // the cache is removed.
    rmSync(join(project, "node_modules/.vite"), { recursive: true, force: true });
    for (const name of ["protocol", "memory", "ui"]) putPacked(name, project);
    await using agent = await serve(() => receiptsAgent(), { title: "the receipts" });
    writeProject(project, agent.url);
    await using vite = await startProgram(
      (port) => [process.execPath, join(project, "node_modules/vite/bin/vite.js"), project, "--port", String(port)],
      "/",
      { NO_COLOR: "1" },
    );
    const seen = [await usePage(`${vite.url}/${new URL(agent.url).hash}`, "its server for development")];
    execFileSync(process.execPath, [join(project, "node_modules/vite/bin/vite.js"), "build", project], {
      stdio: "ignore",
    });
    await using built = await startProgram(
      (port) => [
        process.execPath,
        join(project, "node_modules/vite/bin/vite.js"),
        "preview",
        project,
        "--port",
        String(port),
      ],
      "/",
      { NO_COLOR: "1" },
    );
    seen.push(await usePage(`${built.url}/${new URL(agent.newUrl()).hash}`, "the page as built"));
    return { type: "driven", version: versions.join(" and "), seen };
  },
};

const projectIn = (folder: string): string => join(folder, "react-page");

function makeFolder(folder: string): string {
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Unpacks one of our packages as npm would. */
function putPacked(name: string, project: string): void {
  const target = join(project, "node_modules/@smolts", name);
  const work = mkdtempSync(join(tmpdir(), "smolts-packed-"));
  try {
    execFileSync("pnpm", ["pack", "--pack-destination", work], { cwd: join(root, "packages", name), stdio: "ignore" });
    rmSync(target, { recursive: true, force: true });
    mkdirSync(target, { recursive: true });
    const [tarball = ""] = readdirSync(work);
    execFileSync("tar", ["-xzf", join(work, tarball), "-C", target, "--strip-components=1"]);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function writeProject(project: string, agentUrl: string): void {
  const files: Readonly<Record<string, string>> = {
    "package.json": JSON.stringify({ name: "react-page", private: true, type: "module" }),
    "index.html":
      '<!doctype html><title>Mine</title><link rel="icon" href="data:,"><div id="root"></div><script type="module" src="/main.jsx"></script>',
    "vite.config.js": `import react from "@vitejs/plugin-react";
const proxy = { "/agent": { target: ${JSON.stringify(new URL(agentUrl).origin)}, rewrite: (path) => path.replace("/agent", "") } };
export default { plugins: [react()], server: { proxy, host: "127.0.0.1" }, preview: { proxy, host: "127.0.0.1" } };
`,
    "main.jsx": `import { AgentUI } from "@smolts/ui/react";
import { StrictMode, useCallback, useState } from "react";
import { createRoot } from "react-dom/client";

function Page() {
  const [theme, setTheme] = useState("light");
  const [ended, setEnded] = useState(0);
  const [shown, setShown] = useState(true);
  const hear = useCallback((event) => event.type === "run-end" && setEnded((count) => count + 1), []);
  return <>
    <h1>My page</h1>
    <button id="theme" onClick={() => setTheme("dark")}>dark</button>
    <button id="toggle" onClick={() => setShown(!shown)}>toggle</button>
    <output id="ended">{ended}</output>
    {shown ? <AgentUI src="/agent/" theme={theme} style={{ height: 700 }} onEvent={hear} /> : null}
  </>;
}

createRoot(document.getElementById("root")).render(<StrictMode><Page /></StrictMode>);
`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text);
}

/**
 * Asks the agent in the page, checks the element's events, changes a property, removes the element
 * and adds it again.
 */
async function usePage(url: string, what: string): Promise<string> {
  const browser = await startBrowser();
  try {
    const { page, problems, foreignRequests } = await visitor(browser);
    await page.goto(url);
    await ask(page, "Which client got the most expensive receipt?");
    await untilEnded(page);
    await page.locator("#ended", { hasText: "1" }).waitFor();
    await page.locator("#theme").click();
    await page.locator("agent-ui[data-theme=dark]").waitFor();
    await page.locator("#toggle").click();
    await page.locator("agent-ui").waitFor({ state: "detached" });
    await page.locator("#toggle").click();
    await untilEnded(page);
    await pressElsewhere(page);
    const wrong = [...problems, ...foreignRequests];
    if (wrong.length > 0) throw new Error(`in ${what}: ${wrong.join("\n")}`);
    return `${what}: a run started and shown, its events received, properties changed, the element removed and added again`;
  } finally {
    await browser.close();
  }
}

/** Presses a key outside the element, and checks that the element does not react. */
async function pressElsewhere(page: Visitor["page"]): Promise<void> {
  await page.locator("#toggle").evaluate((button) => (button as HTMLElement).blur());
  await page.keyboard.press("n");
  if ((await page.locator(".account").count()) !== 1)
    throw new Error("the element handled a key of the page around it");
}
