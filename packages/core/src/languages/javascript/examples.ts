// Examples of tasks that are solved in JavaScript. Some models follow examples better than rules.

import type { WorkedExample } from "../code-language.ts";

/** The worked examples of programs. */
export const examples: readonly WorkedExample[] = [
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
