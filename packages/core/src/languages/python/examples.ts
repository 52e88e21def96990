// Examples of tasks that are solved in Python. Some models follow examples better than rules.

import type { WorkedExample } from "../code-language.ts";

/** The worked examples of programs. */
export const examples: readonly WorkedExample[] = [
  {
    task: "Three notebooks at 4.20 and two pens at 1.15: what do they cost with 8 % tax, rounded to cents?",
    turns: [
      {
        thought: "This needs no function, only arithmetic. I compute it and answer at once.",
        action: `net = 3 * 4.2 + 2 * 1.15
final_answer(round(net * 1.08, 2))`,
      },
    ],
  },
  {
    task: "Which is longest: the Loire, the Oder or the Tagus?",
    turns: [
      {
        thought:
          "I need three lengths that do not depend on each other, so I ask for them together and look at what comes.",
        action: `import asyncio

rivers = ["Loire", "Oder", "Tagus"]
pages = await asyncio.gather(*[search_encyclopedia.aio(query=f"length of the river {river}") for river in rivers])
for river, page in zip(rivers, pages):
    print(river, page)`,
        shown: `Loire The Loire is 1,006 km long and drains a fifth of France.
Oder With 840 km the Oder is among the longest rivers of the Baltic basin.
Tagus The Tagus flows for 1,007 km from Aragon to Lisbon.`,
      },
      {
        thought: "All three lengths are there: 1,006, 840 and 1,007 km. The Tagus is longest, by one kilometre.",
        action: 'final_answer("The Tagus, with 1,007 km.")',
      },
    ],
  },
  {
    task: "How much has customer C-17 paid in all this year?",
    turns: [
      {
        thought: "list_orders returns Any, so I look at one order before I rely on any field.",
        action: `orders = list_orders(customer="C-17", year=2026)
print(type(orders), len(orders), orders[0])`,
        shown: "<class 'list'> 214 {'id': 'O-9001', 'state': 'paid', 'total': {'amount': '19.90', 'currency': 'EUR'}}",
      },
      {
        thought: "Amounts are texts, and not every order need be paid. I check the states and currencies before I add.",
        action: `print({order["state"] for order in orders}, {order["total"]["currency"] for order in orders})
paid = [order for order in orders if order["state"] == "paid"]
cents = sum(round(float(order["total"]["amount"]) * 100) for order in paid)
print(len(paid), cents / 100)`,
        shown: "{'paid', 'cancelled'} {'EUR'}\n198 8412.35",
      },
      { thought: "One currency, and cancelled orders are left out.", action: "final_answer(8412.35)" },
    ],
  },
  {
    task: "On which date does the conference begin?",
    turns: [
      {
        thought: "The conference's page should say it.",
        action: `import re

page = read_page(url="https://conference.example/")
print(page["title"], re.search(r"begins on ([^.]+)", page["text"]).group(1))`,
        shown: "AttributeError: 'NoneType' object has no attribute 'group', on line 4",
      },
      {
        thought:
          "My pattern does not occur in the page. The variable page is still there: I look at its text instead of guessing again.",
        action: 'print(page["text"][:1500])',
        shown: "Doors open Tuesday 9 June 2026 at 08:30. Talks go on until Thursday.",
      },
      { thought: "It begins on the day the doors open.", action: 'final_answer("9 June 2026")' },
    ],
  },
];
