// A calendar: working days, weeks, months and durations.

const dayMs = 24 * 60 * 60 * 1_000;

function isWorkday(date) {
  const day = date.getUTCDay();
  return day !== 0 && day !== 6;
}

function addDays(date, days) {
  return new Date(date.getTime() + days * dayMs);
}

function weekOf(date) {
  const thursday = addDays(date, 4 - (date.getUTCDay() || 7));
  const first = new Date(Date.UTC(thursday.getUTCFullYear(), 0, 1));
  return Math.ceil(((thursday - first) / dayMs + 1) / 7);
}

function main() {
  const perMonth = {};
  const perWeek = new Map();
  let day = new Date("2015-01-01T00:00:00Z");
  const end = new Date("2026-01-01T00:00:00Z");
  while (day < end) {
    if (isWorkday(day)) {
      const key = day.toISOString().slice(0, 7);
      perMonth[key] = (perMonth[key] ?? 0) + 1;
      const week = `${day.getUTCFullYear()}-W${String(weekOf(day)).padStart(2, "0")}`;
      perWeek.set(week, (perWeek.get(week) || 0) + 1);
    }
    day = addDays(day, 1);
  }
  const events = Array.from({ length: 1_500 }, (_, i) => {
    const start = new Date(Date.UTC(2025, i % 12, (i % 28) + 1, i % 24, (i * 7) % 60));
    return { start, end: new Date(start.getTime() + ((i % 9) + 1) * 30 * 60_000) };
  }).sort((a, b) => a.start - b.start);
  let overlaps = 0;
  for (let i = 1; i < events.length; i++) if (events[i].start < events[i - 1].end) overlaps++;
  const minutes = events.reduce((sum, { start, end }) => sum + (end - start) / 60_000, 0);
  return Object.values(perMonth).reduce((a, b) => a + b, 0) + perWeek.size + overlaps + minutes;
}
