// Parses a megabyte of JSON, transforms it by recursion, and writes it again.

function makeText() {
  const users = Array.from({ length: 2_600 }, (_, i) => ({
    user_id: i,
    full_name: `User Number ${i}`,
    email_address: `user${i}@example.com`,
    is_active: i % 3 !== 0,
    balance: i * 1.37,
    tags: ["a", "b", `c${i % 10}`],
    home_address: {
      street_name: `${i} Main Street`,
      zip_code: String(10_000 + i),
      geo: { lat: i / 100, lon: -i / 50 },
    },
    orders: [{ order_id: i * 2, line_items: [{ sku: `S${i % 99}`, qty: i % 4 }] }],
  }));
  return JSON.stringify({ users });
}

const camelCase = (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());

function camelCased(value) {
  if (Array.isArray(value)) return value.map(camelCased);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [camelCase(key), camelCased(each)]));
}

function flatten(object, prefix = "", result = {}) {
  for (const key in object) {
    const value = object[key];
    const path = prefix ? `${prefix}.${key}` : key;
    if (value && typeof value === "object") flatten(value, path, result);
    else result[path] = value;
  }
  return result;
}

const text = makeText();

function main() {
  const { users } = camelCased(JSON.parse(text));
  const active = users.filter(({ isActive, balance }) => isActive && balance > 100);
  const flat = active.slice(0, 600).map((user) => flatten(user));
  const copy = structuredCloneOf(active);
  copy.sort((a, b) => b.homeAddress.geo.lat - a.homeAddress.geo.lat);
  return JSON.stringify(users).length + JSON.stringify(flat, null, 2).length + copy.length;
}

const structuredCloneOf = (value) => JSON.parse(JSON.stringify(value));
