// Defines a thousand tools like those of a large company, and questions about them. Most questions
// use other words than the descriptions of the tools.

import type { Tool } from "@smolts/protocol";

interface Verb {
  readonly name: string;
  readonly description: (noun: string) => string;
  readonly questions: readonly ((noun: string) => string)[];
}

const verbs: readonly Verb[] = [
  ["create", "Creates a new X.", "add another X", "how do I set up a new X?"],
  ["get", "Gets one X by its id.", "look up a single X", "fetch the X with the id 17"],
  ["list", "Lists all Xs, a page at a time.", "show me all of our Xs", "enumerate every X, page after page"],
  ["search", "Finds Xs that match a text.", "find Xs in which Berlin is mentioned", "look for Xs matching some words"],
  ["update", "Changes fields of one X.", "edit one X", "I want to modify two fields of one X"],
  ["delete", "Deletes one X for good.", "remove one X for ever", "erase the wrong X"],
  ["archive", "Moves one X to the archive.", "put an old X into the archive", "archiving of Xs"],
  ["restore", "Brings an archived X back.", "bring back an archived X", "restoring one X from the archive"],
  ["share", "Shares one X with other people.", "let a colleague see one X by sharing it", "share Xs with people"],
  ["export", "Exports Xs as a file.", "download the Xs as a CSV file", "exporting Xs"],
  ["import", "Imports Xs from a file.", "upload Xs from a spreadsheet", "importing of Xs out of a file"],
  ["approve", "Approves one X that waits for review.", "accept one X", "one X waits for review and should be approved"],
  ["reject", "Rejects one X that waits for review.", "decline one X", "refuse the X that is under review"],
  [
    "assign",
    "Assigns one X to somebody.",
    "make Anna responsible: assign the X to her",
    "assignment of Xs to somebody",
  ],
  ["comment", "Adds a comment to one X.", "write a comment on one X", "leave comments under Xs"],
  ["count", "Counts Xs by state.", "how many Xs are in which state? count them", "counting Xs"],
  ["copy", "Makes a copy of one X.", "duplicate one X", "clone the X"],
  ["schedule", "Schedules one X for a later time.", "scheduling one X for next Monday", "schedule the X for later"],
  ["watch", "Notifies you when one X changes.", "notify me whenever one X changes", "watch one X for changes"],
  ["print", "Prints one X on paper.", "print one X on paper", "printing Xs"],
].map(([name = "", description = "", ...questions]) => ({
  name,
  description: filledIn(description),
  questions: questions.map(filledIn),
}));

const nouns =
  `invoice shipment customer supplier contract ticket project task meeting employee vehicle warehouse product payment refund campaign newsletter
survey document folder photo video playlist recipe reservation flight hotel-room patient prescription appointment laboratory-test student course exam
library-card sensor alarm device firmware backup server database certificate domain repository pipeline release incident feature-flag budget`.split(
    /\s+/,
  );

/** One tool for each pair of a verb and a noun. */
export const manyTools: readonly Tool[] = nouns.flatMap((noun) => verbs.map((verb) => toolOf(verb, noun)));

/** A question, and the name of the tool that a search for the question must find. */
export interface ToolQuestion {
  readonly question: string;
  readonly name: string;
}

/**
 * Returns questions for `count` tools, which are spread over the whole list. The questions are the
 * same each time.
 */
export function toolQuestions(count: number): readonly ToolQuestion[] {
  return Array.from({ length: count }, (_, index) => {
    const place = (index * 37) % manyTools.length;
    const noun = nouns[Math.floor(place / verbs.length)] ?? "";
    const questions = verbs[place % verbs.length]?.questions ?? [];
    return { question: questions[index % questions.length]?.(noun) ?? "", name: manyTools[place]?.name ?? "" };
  });
}

function filledIn(template: string): (noun: string) => string {
  return (noun) =>
    template.replaceAll(/\bXs\b/g, `${noun.replace("-", " ")}s`).replaceAll(/\bX\b/g, noun.replace("-", " "));
}

function toolOf({ name, description }: Verb, noun: string): Tool {
  const words = noun.split("-").map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`);
  return {
    name: `${name}${words.join("")}`,
    description: description(noun),
    inputSchema: {
      type: "object",
      properties: { id: { type: "string", description: `of the ${noun.replace("-", " ")}` } },
      required: ["id"],
    },
    outputSchema: { type: "string" },
    effects: "none",
    parseInput: (input) => input,
    execute: () => `${name} ${noun}`,
  };
}
