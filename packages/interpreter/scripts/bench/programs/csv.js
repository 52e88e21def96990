// A table of orders as CSV: parses quoted fields, turns lines into records, and adds them up by
// region.

const regions = ["North", "South", "East", "West, far"];

function makeCsv(rows) {
  const lines = ["id,region,product,quantity,price,note"];
  for (let i = 0; i < rows; i++) {
    const region = regions[i % regions.length];
    const quoted = region.includes(",") ? `"${region}"` : region;
    lines.push(`${i},${quoted},product-${i % 37},${(i * 7) % 20},${((i * 13) % 1000) / 4},"said ""ok"" ${i}"`);
  }
  return lines.join("\n");
}

function parseLine(line) {
  const cells = [];
  let cell = "";
  let isQuoted = false;
  for (let i = 0; i < line.length; i++) {
    const character = line[i];
    if (isQuoted) {
      if (character === '"' && line[i + 1] === '"') {
        cell += '"';
        i++;
      } else if (character === '"') isQuoted = false;
      else cell += character;
    } else if (character === '"') isQuoted = true;
    else if (character === ",") {
      cells.push(cell);
      cell = "";
    } else cell += character;
  }
  cells.push(cell);
  return cells;
}

function parseCsv(text) {
  const [head, ...lines] = text.trim().split("\n");
  const names = parseLine(head);
  return lines.map((line) => {
    const cells = parseLine(line);
    return Object.fromEntries(names.map((name, i) => [name, cells[i]]));
  });
}

function main() {
  const rows = parseCsv(makeCsv(3_000)).map((row) => ({
    ...row,
    quantity: parseInt(row.quantity, 10),
    price: parseFloat(row.price),
  }));
  const totals = {};
  for (const { region, quantity, price } of rows) {
    totals[region] ??= { count: 0, revenue: 0 };
    totals[region].count += quantity;
    totals[region].revenue += quantity * price;
  }
  const report = Object.entries(totals)
    .sort(([, a], [, b]) => b.revenue - a.revenue)
    .map(([region, { count, revenue }]) => `${region}: ${count} for ${revenue.toFixed(2)}`);
  return report.join("; ").length + Math.round(totals.North.revenue);
}
