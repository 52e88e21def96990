// Parses the lines of a server's log with regular expressions.

const levels = ["INFO", "WARN", "ERROR", "DEBUG"];

function makeLog(count) {
  const lines = [];
  for (let i = 0; i < count; i++) {
    const time = new Date(1_700_000_000_000 + i * 977).toISOString();
    const ip = `10.${i % 7}.${i % 13}.${i % 251}`;
    const path = i % 5 === 0 ? `/api/users/${i}?page=${i % 9}&sort=name` : `/static/js/app.${i % 17}.js`;
    lines.push(
      `[${time}] ${levels[i % 4]} ${ip} - "GET ${path} HTTP/1.1" ${i % 11 === 0 ? 500 : 200} ${i * 3} ${i % 400}ms`,
    );
  }
  return lines.join("\n");
}

function main() {
  const log = makeLog(4_000);
  const pattern =
    /^\[(?<time>[^\]]+)\] (?<level>[A-Z]+) (\d+\.\d+\.\d+\.\d+) - "(\w+) (\S+) HTTP\/[\d.]+" (\d{3}) (\d+) (\d+)ms$/;
  const counts = {};
  const ips = new Set();
  let slow = 0;
  let bytes = 0;
  for (const line of log.split("\n")) {
    const match = line.match(pattern);
    if (!match) continue;
    const { level } = match.groups;
    counts[level] = (counts[level] || 0) + 1;
    ips.add(match[3]);
    bytes += Number(match[7]);
    if (Number(match[8]) > 300) slow++;
  }
  const errors = [...log.matchAll(/ERROR .*? (5\d\d) /g)].length;
  const users = new Set([...log.matchAll(/\/api\/users\/(\d+)/g)].map(([, id]) => id)).size;
  const hidden = log
    .replace(/\b\d+\.\d+\.\d+\.(\d+)\b/g, "x.x.x.$1")
    .replace(/page=(\d+)/g, (_, page) => `p${page * 2}`);
  const words = hidden.split(/[\s"/?&=]+/).filter((word) => /^[a-z]+$/i.test(word)).length;
  return counts.ERROR + ips.size + slow + bytes + errors + users + hidden.length + words;
}
