// Eleven faults that the page of an agent can have. GradioUI has all of them. Each fault has one
// test, which looks for it on GradioUI's page and on ours.

import { readFileSync } from "node:fs";
import type { startBrowser } from "../../../packages/ui/test/browser/browser.ts";
import type { ChatKind, ChatPage, ChatServer, Scene } from "./chat-page.ts";

type Browser = Awaited<ReturnType<typeof startBrowser>>;

/**
 * A fault, and the function that looks for it. The function returns a description of the fault, or
 * null if the page does not have it.
 */
export interface Fault {
  readonly id: string;
  readonly title: string;
  look(kind: ChatKind, browser: Browser): Promise<string | null>;
}

/** The eleven faults. */
export const faults: readonly Fault[] = [
  {
    id: "G1",
    title: "Thoughts and the plan vanish when a step ends",
    look: on("team", async (server, browser) => {
      const text = await answered(await server.enter(browser), "How high is Elbrus?", "5642 metres");
      const lost = [
        text.includes("thought-of-orchard") ? [] : ["the thought"],
        text.includes("planned-harbour") ? [] : ["the plan"],
      ].flat();
      return lost.length > 0 ? `${lost.join(" and ")} cannot be seen any more` : null;
    }),
  },
  {
    id: "G2",
    title: "One memory for all visitors",
    look: on("code", async (server, browser) => {
      const [first, second] = [await server.enter(browser), await server.enter(browser)];
      await answered(first, "Remember 4711", "It is noted.");
      const text = await answered(second, "Which numbers do you know?", "Known to me");
      return text.includes("4711") ? "the second visitor sees what the first one said" : null;
    }),
  },
  {
    id: "G3",
    title: "A new chat keeps the old memory",
    look: on("code", async (server, browser) => {
      const chat = await server.enter(browser);
      await answered(chat, "Remember 5822", "It is noted.");
      await chat.newChat();
      const text = await answered(chat, "Which numbers do you know?", "Known to me");
      return text.includes("Known to me: 5822") ? "the agent still knows what was said before" : null;
    }),
  },
  {
    id: "G4",
    title: "Stop does not reach the agent",
    look: on("code", async (server, browser) => {
      const chat = await server.enter(browser);
      await chat.ask("Tick, please");
      while (server.ticks() < 5) await chat.page.waitForTimeout(20);
      await chat.stop();
      await chat.page.waitForTimeout(1_000);
      const oneSecondLater = server.ticks();
      await chat.page.waitForTimeout(2_000);
      const more = server.ticks() - oneSecondLater;
      return more > 0 ? `${more} more calls from one to three seconds after Stop` : null;
    }),
  },
  {
    id: "G5",
    title: "Any file is accepted",
    look: on("code", async (server, browser) => {
      const chat = await server.enter(browser);
      await chat.upload("program.exe", Buffer.from("MZ\u0090\u0000\u0003 a program"));
      const text = await answered(chat, "Which files are there?", "Given to me");
      return text.includes("Given to me: program.exe") ? "a program is accepted where only texts are allowed" : null;
    }),
  },
  {
    id: "G6",
    title: "A public address by default",
    look: async (kind) => {
      const address = await kind.publicAddress();
      return address === null ? null : `launch() asks for ${address}`;
    },
  },
  {
    id: "G7",
    title: "Only the first of several calls is shown",
    look: on("calls", async (server, browser) => {
      const text = await answered(await server.enter(browser), "How high are they?", "Both are known.");
      const shown = ["Elbrus-one", "Kazbek-two"].filter((name) => text.includes(name));
      return shown.length < 2 ? `${shown.length} of 2 calls ${shown.length === 1 ? "is" : "are"} shown` : null;
    }),
  },
  {
    id: "G8",
    title: "The work of managed agents is hidden",
    look: on("team", async (server, browser) => {
      const text = await answered(await server.enter(browser), "How high is Elbrus?", "5642 metres");
      return text.includes("Elbrus-of-the-surveyor") ? null : "the calls of the managed agent are not shown";
    }),
  },
  {
    id: "G9",
    // Measure the CPU time, because the number of bytes does not show this fault: gradio 6 sends
    // only differences. But the work for each piece still grows with the text.
    title: "Each piece of text is joined and rendered with all earlier text",
    look: on("code", async (server, browser) => {
      const chat = await server.enter(browser);
      await cpuOfWriting(server, chat, browser, 100);
      await chat.newChat();
      const words = 800;
      const msPerWord = ((await cpuOfWriting(server, chat, browser, words)) * 1_000) / words;
      return msPerWord > 3 ? `each word takes ${msPerWord.toFixed(1)} ms of the processor` : null;
    }),
  },
  {
    id: "G10",
    title: "A reload loses the run; no timeline, no variables, no file of a run",
    look: on("code", async (server, browser) => {
      const chat = await server.enter(browser);
      await chat.ask("Write 100 words, one every 50 ms");
      await chat.see("word5");
      await chat.page.reload();
      const isShown = (what: ReturnType<ChatPage["page"]["locator"]>): Promise<boolean> =>
        what
          .first()
          .waitFor({ timeout: 20_000 })
          .then(() => true)
          .catch(() => false);
      const offers = (name: RegExp): Promise<boolean> => isShown(chat.page.getByRole("button", { name }));
      const isBack = await isShown(chat.page.locator("body").getByText("All is written."));
      const missing = [
        isBack ? [] : ["the run after a reload"],
        (await offers(/inspector|timeline/i)) ? [] : ["a timeline"],
        (await offers(/save run/i)) ? [] : ["a run as a file"],
      ].flat();
      return missing.length > 0 ? `there is not: ${missing.join(", ")}` : null;
    }),
  },
  {
    id: "G11",
    title: '"$5 and $10" becomes a formula',
    look: on("code", async (server, browser) => {
      const chat = await server.enter(browser);
      await answered(chat, "What is the price?", "in all.");
      return (await chat.readAnswer()).includes("One costs $5 and two cost $10 in all.")
        ? null
        : "the answer's words are rendered as a formula";
    }),
  },
];

/** Serves the agent of a scene, and looks for one fault on its page. */
function on(scene: Scene, look: (server: ChatServer, browser: Browser) => Promise<string | null>): Fault["look"] {
  return async (kind, browser) => {
    await using server = await kind.serve(scene);
    const open = browser.contexts().length;
    try {
      return await look(server, browser);
    } finally {
      for (const context of browser.contexts().slice(open)) await context.close();
    }
  };
}

async function answered(chat: ChatPage, question: string, answer: string): Promise<string> {
  await chat.ask(question);
  await chat.see(answer);
  return chat.readAll();
}

/**
 * Returns the processor time for writing this number of words, in the server and in the page, in
 * seconds.
 */
async function cpuOfWriting(server: ChatServer, chat: ChatPage, browser: Browser, words: number): Promise<number> {
  const used = async (): Promise<number> => cpuSeconds(server.processId) + (await cpuSecondsOfPages(browser));
  const before = await used();
  await chat.ask(`Write ${words} words`);
  await chat.see("All is written.");
  return (await used()) - before;
}

/** Returns the processor time of Chromium's page processes, in seconds. */
export async function cpuSecondsOfPages(browser: Browser): Promise<number> {
  const devtools = await browser.newBrowserCDPSession();
  const { processInfo } = await devtools.send("SystemInfo.getProcessInfo");
  await devtools.detach();
  return processInfo.filter(({ type }) => type === "renderer").reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

/**
 * Returns the processor time of a process, in seconds. Linux counts it in hundredths of a second.
 */
export function cpuSeconds(processId: number): number {
  const fields = readFileSync(`/proc/${processId}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
