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

/** Weekday, day, month, year, time of day: the parts of "Sat, 21 Nov 2026 12:34:56 GMT". */
function fields(time: number): readonly string[] {
  return new Date(time).toUTCString().replace(",", "").split(" ");
}
