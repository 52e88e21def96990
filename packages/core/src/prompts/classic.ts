// The classic prompts: the short ones with long worked examples, for models that follow examples better than rules. They cost three times the tokens.

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

interface Example {
  readonly task: string;
  readonly turns: readonly Turn[];
}

interface Turn {
  readonly thought: string;
  readonly action: string;
  /** What the next message shows; absent after an answer. */
  readonly shown?: string;
}

function examplesText({ actions, tags }: Pick<SystemPromptParts, "actions" | "tags">): string {
  const examples = actions === "tool-calls" ? callExamples : codeExamples;
  const texts = examples.map((example, index) => exampleText(example, { number: index + 1, actions, tags }));
  return `Here is how others solved their tasks. Their functions are not yours; what was shown to them stands after "Shown:".\n\n${texts.join("\n\n")}\n\nThese were examples. Now solve the task that you are given, with your own functions.`;
}

interface ExampleForm {
  readonly number: number;
  readonly actions: ActionForm;
  readonly tags: CodeTags;
}

function exampleText({ task, turns }: Example, form: ExampleForm): string {
  const steps = turns.map((turn) => `${messageText(turn, form)}${turn.shown ? `\nShown:\n${turn.shown}` : ""}`);
  return [`Example ${form.number}. Task: ${task}`, ...steps].join("\n\n");
}

function messageText({ thought, action }: Turn, { actions, tags: [open, close] }: ExampleForm): string {
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

const codeExamples: readonly Example[] = [
  {
    task: "Three notebooks at 4.20 and two pens at 1.15: what do they cost with 8 % tax, rounded to cents?",
    turns: [
      {
        thought: "This needs no function, only arithmetic. I compute it and answer at once.",
        action: `const net = 3 * 4.2 + 2 * 1.15;
finalAnswer(Math.round(net * 1.08 * 100) / 100);`,
      },
    ],
  },
  {
    task: "Which is longest: the Loire, the Oder or the Tagus?",
    turns: [
      {
        thought:
          "I need three lengths that do not depend on each other, so I ask for them together and look at what comes.",
        action: `const rivers = ["Loire", "Oder", "Tagus"];
const pages = await Promise.all(rivers.map((river) => searchEncyclopedia({ query: \`length of the river \${river}\` })));
rivers.forEach((river, index) => print(river, pages[index]));`,
        shown: `Loire The Loire is 1,006 km long and drains a fifth of France.
Oder With 840 km the Oder is among the longest rivers of the Baltic basin.
Tagus The Tagus flows for 1,007 km from Aragon to Lisbon.`,
      },
      {
        thought: "All three lengths are there: 1,006, 840 and 1,007 km. The Tagus is longest, by one kilometre.",
        action: 'finalAnswer("The Tagus, with 1,007 km.");',
      },
    ],
  },
  {
    task: "How much has customer C-17 paid in all this year?",
    turns: [
      {
        thought: "listOrders gives unknown, so I look at one order before I rely on any field.",
        action: `const orders = await listOrders({ customer: "C-17", year: 2026 });
print(Array.isArray(orders), orders.length, orders[0]);`,
        shown: 'true 214 { id: "O-9001", state: "paid", total: { amount: "19.90", currency: "EUR" } }',
      },
      {
        thought: "Amounts are texts, and not every order need be paid. I check the states and currencies before I add.",
        action: `print(new Set(orders.map((order) => order.state)), new Set(orders.map((order) => order.total.currency)));
const paid = orders.filter((order) => order.state === "paid");
const cents = paid.reduce((sum, order) => sum + Math.round(Number(order.total.amount) * 100), 0);
print(paid.length, cents / 100);`,
        shown: 'Set { "paid", "cancelled" } Set { "EUR" }\n198 8412.35',
      },
      { thought: "One currency, and cancelled orders are left out.", action: "finalAnswer(8412.35);" },
    ],
  },
  {
    task: "On which date does the conference begin?",
    turns: [
      {
        thought: "The conference's page should say it.",
        action: `const page = await readPage({ url: "https://conference.example/" });
print(page.title, page.text.match(/begins on ([^.]+)/)[1]);`,
        shown: "TypeError: cannot read property 1 of null, at: page.text.match(/begins on ([^.]+)/)[1]",
      },
      {
        thought:
          "My pattern does not occur in the page. The variable page is still there: I look at its text instead of guessing again.",
        action: "print(page.text.slice(0, 1500));",
        shown: "Doors open Tuesday 9 June 2026 at 08:30. Talks go on until Thursday.",
      },
      { thought: "It begins on the day the doors open.", action: 'finalAnswer("9 June 2026");' },
    ],
  },
];

const callExamples: readonly Example[] = [
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
