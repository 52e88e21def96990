// Dates as text. The time zone is UTC, whatever that of the machine is.

/** "Sat Nov 21 2026". */
export function dateText(time: number): string {
  const [weekday, day, month, year] = fields(time);
  return `${weekday} ${month} ${day} ${year}`;
}

/** "12:34:56 GMT+0000 (Coordinated Universal Time)". */
export function timeText(time: number): string {
  return `${fields(time)[4]} GMT+0000 (Coordinated Universal Time)`;
}

/** What `toString` gives. */
export function dateTimeText(time: number): string {
  return Number.isNaN(time) ? invalidDate : `${dateText(time)} ${timeText(time)}`;
}

/** How every text of a date that is none reads. */
export const invalidDate = "Invalid Date";

/** The time that a text names, in ms since 1970; NaN when it names none. Without a zone it is UTC. */
export function parseDate(text: string): number {
  const trimmed = text.trim();
  if (trimmed.length > 100) return Number.NaN;
  if (isoShape.test(trimmed)) return Date.parse(isoWithoutZone.test(trimmed) ? `${trimmed}Z` : trimmed);
  return Date.parse(zoneAtEnd.test(trimmed) ? trimmed : `${trimmed} UTC`);
}

const isoShape = /^(?:\d{4}|[+-]\d{6})(?:-\d\d(?:-\d\d)?)?(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/;
const isoWithoutZone = /T[\d:.]+$/;
const zoneAtEnd = /(?:Z|GMT|UTC|UT|[ECMP][SD]T|[+-]\d\d:?\d\d)\s*(?:\([^)]*\))?$/i;

/** Weekday, day, month, year, time of day: the parts of "Sat, 21 Nov 2026 12:34:56 GMT". */
function fields(time: number): readonly string[] {
  return new Date(time).toUTCString().replace(",", "").split(" ");
}
