// Dates as text. The time zone is always UTC, never that of the machine.

/** Returns the day, such as "Sat Nov 21 2026". */
export function dateText(time: number): string {
  const [weekday, day, month, year] = fields(time);
  return `${weekday} ${month} ${day} ${year}`;
}

/** Returns the time of day, such as "12:34:56 GMT+0000 (Coordinated Universal Time)". */
export function timeText(time: number): string {
  return `${fields(time)[4]} GMT+0000 (Coordinated Universal Time)`;
}

/** Returns the text of `toString`. */
export function dateTimeText(time: number): string {
  return Number.isNaN(time) ? invalidDate : `${dateText(time)} ${timeText(time)}`;
}

/** The text of every date that is not valid. */
export const invalidDate = "Invalid Date";

/**
 * Returns the parts of a text such as "Sat, 21 Nov 2026 12:34:56 GMT": weekday, day, month, year,
 * time of day.
 */
function fields(time: number): readonly string[] {
  return new Date(time).toUTCString().replace(",", "").split(" ");
}
