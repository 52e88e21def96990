// The classic prompts are the standard prompts plus long worked examples, for models that follow
// examples better than rules. The classic prompts need three times as many tokens.

import type { ExampleTurn, WorkedExample } from "../languages/code-language.ts";
import { workedExamples } from "../languages/worked-examples.ts";
import type { CodeTags } from "../parsing/code-tags.ts";
import type { ActionForm, Prompts, SystemPromptParts } from "./prompts-option.ts";

/**
 * Prompts with long worked examples, for models that follow examples better than rules.
 *
 * @example
 * ```ts
 * import { classicPrompts, CodeAgent, modelFromFunction } from "@smolts/core";
 *
 * const model = modelFromFunction((messages) => `<code>finalAnswer(${JSON.stringify(messages[0]).includes("Example 3")})</code>`);
 * console.log(await new CodeAgent({ model, prompts: classicPrompts }).run("Were you shown examples?")); // true
 * ```
 */
export const classicPrompts: Prompts = {
  system: (parts) => `${parts.standard}\n\n${examplesText(parts)}`,
  plan: ({ standard }) => `${planExample}\n\n${standard}`,
};

function examplesText({ actions, tags, language }: Pick<SystemPromptParts, "actions" | "tags" | "language">): string {
  const examples = actions === "tool-calls" ? callExamples : workedExamples[language];
  const texts = examples.map((example, index) => exampleText(example, { number: index + 1, actions, tags }));
  return `Here is how others solved their tasks. Their functions are not yours; what was shown to them stands after "Shown:".\n\n${texts.join("\n\n")}\n\nThese were examples. Now solve the task that you are given, with your own functions.`;
}

interface ExampleForm {
  readonly number: number;
  readonly actions: ActionForm;
  readonly tags: CodeTags;
}

function exampleText({ task, turns }: WorkedExample, form: ExampleForm): string {
  const steps = turns.map((turn) => `${messageText(turn, form)}${turn.shown ? `\nShown:\n${turn.shown}` : ""}`);
  return [`Example ${form.number}. Task: ${task}`, ...steps].join("\n\n");
}

function messageText({ thought, action }: ExampleTurn, { actions, tags: [open, close] }: ExampleForm): string {
  switch (actions) {
    case "code":
      return `${thought}\n${open}\n${action}\n${close}`;
    case "structured-code":
      return JSON.stringify({ thought, code: action });
    case "tool-calls":
      return `${thought}\nCalls:\n${action}`;
    default:
      return actions satisfies never;
  }
}

const callExamples: readonly WorkedExample[] = [
  {
    task: "Which is longest: the Loire, the Oder or the Tagus?",
    turns: [
      {
        thought: "Three lengths that do not depend on each other: I ask for them in one step.",
        action: `searchEncyclopedia {"query": "length of the river Loire"}
searchEncyclopedia {"query": "length of the river Oder"}
searchEncyclopedia {"query": "length of the river Tagus"}`,
        shown: `The Loire is 1,006 km long and drains a fifth of France.
With 840 km the Oder is among the longest rivers of the Baltic basin.
The Tagus flows for 1,007 km from Aragon to Lisbon.`,
      },
      {
        thought: "All three are there; the Tagus is longest.",
        action: 'finalAnswer {"answer": "The Tagus, with 1,007 km."}',
      },
    ],
  },
  {
    task: "Is the cheapest room at the Harbour Hotel on 3 May below 100 euros?",
    turns: [
      {
        thought: "I need the hotel's id before I can ask for its rooms.",
        action: 'findHotel {"name": "Harbour Hotel"}',
        shown: '{"id": "h-204", "city": "Bergen"}',
      },
      {
        thought: "Now its rooms on that day, with the id that I was shown.",
        action: 'listRooms {"hotelId": "h-204", "date": "3 May"}',
        shown: 'tool-input: "date" is "3 May"; expected a date such as "2026-05-03"',
      },
      {
        thought: "The date has another form; I correct that one argument.",
        action: 'listRooms {"hotelId": "h-204", "date": "2026-05-03"}',
        shown: '[{"type": "single", "price": 118}, {"type": "attic", "price": 94}]',
      },
      {
        thought: "The cheapest room costs 94 euros.",
        action: 'finalAnswer {"answer": "Yes: the attic room costs 94 euros."}',
      },
    ],
  },
  {
    task: "Send the notes of the last meeting to Ana.",
    turns: [
      {
        thought: "Notes and address do not depend on each other.",
        action: `lastMeetingNotes {}
findContact {"name": "Ana"}`,
        shown: `Budget agreed; next meeting on Monday.
there is no contact "Ana"; the nearest are "Anna Berg" and "Ana Sousa (left)"`,
      },
      {
        thought:
          "Nobody of that name works here now, and a wrong address would be worse than none. I say so instead of guessing.",
        action:
          'finalAnswer {"answer": "Not sent: there is no contact Ana. Anna Berg and Ana Sousa (who has left) come near; which one is meant?"}',
      },
    ],
  },
];

const planExample = `Here is a plan that another agent made for another task, "Which of our three suppliers delivers fastest?", with the tools listSuppliers and listDeliveries:
## Facts
Given: there are three suppliers. To look up: their names, and for each delivery when it was ordered and when it came. To compute: the mean number of days for each supplier.
## Plan
1. List the suppliers and, for the first, the deliveries; print one delivery to see its fields.
2. List the deliveries of all three at the same time and compute each mean; leave out deliveries that have not come yet.
3. Answer with the fastest supplier and the three means.
<end_plan>`;
