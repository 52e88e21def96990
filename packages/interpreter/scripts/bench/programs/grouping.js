// Sales grouped, joined and ranked, with the methods of arrays.

function groupBy(list, keyOf) {
  const groups = {};
  for (const each of list) {
    const key = keyOf(each);
    if (!groups[key]) groups[key] = [];
    groups[key].push(each);
  }
  return groups;
}

function main() {
  const customers = Array.from({ length: 200 }, (_, id) => ({
    id,
    name: `Customer ${id}`,
    tier: ["gold", "silver", "bronze"][id % 3],
  }));
  const sales = Array.from({ length: 12_000 }, (_, i) => ({
    customerId: (i * 31) % 200,
    month: `2026-${String((i % 12) + 1).padStart(2, "0")}`,
    amount: ((i * 17) % 997) / 10,
    items: [i % 5, (i + 1) % 5],
  }));
  const byId = new Map(customers.map((customer) => [customer.id, customer]));
  const joined = sales.map((sale) => ({ ...sale, customer: byId.get(sale.customerId) }));
  const byTier = joined.reduce((groups, sale) => {
    const { tier } = sale.customer;
    (groups[tier] ||= []).push(sale);
    return groups;
  }, {});
  const summary = Object.entries(byTier).map(([tier, list]) => {
    const amounts = list.map((sale) => sale.amount).sort((a, b) => a - b);
    const total = amounts.reduce((a, b) => a + b, 0);
    const mean = total / amounts.length;
    const variance = amounts.reduce((sum, amount) => sum + (amount - mean) ** 2, 0) / amounts.length;
    return { tier, total, mean, median: amounts[Math.floor(amounts.length / 2)], deviation: Math.sqrt(variance) };
  });
  const months = groupBy(joined, ({ month }) => month);
  const best = Object.keys(months)
    .map((month) => [month, months[month].filter(({ items }) => items.includes(3)).length])
    .sort(([, a], [, b]) => b - a)[0];
  const top = customers
    .slice(0, 10)
    .map(({ id, name }) => ({ name, spent: sales.filter((sale) => sale.customerId === id).length }))
    .toSorted((a, b) => b.spent - a.spent || a.name.localeCompare(b.name));
  return Math.round(summary.reduce((sum, { total, deviation }) => sum + total + deviation, 0)) + best[1] + top[0].spent;
}
