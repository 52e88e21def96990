// Writes durations, tokens, money and dates in the reader's language.

/** Functions that write figures as text. */
export interface Figures {
  /** A duration in ms as text: `12 ms`, `1.3 s`, `2 min 5 s`, `3 h 4 min`. */
  duration(durationMs: number): string;
  /** A duration in ms as a clock shows it: `0:14`, `1:02:09`. */
  clock(durationMs: number): string;
  count(value: number): string;
  cost(usd: number): string;
  bytes(size: number): string;
  percent(share: number): string;
  /** The age of `time` at `now`, in few characters: `now`, `2 m`, `3 h`, `Sat`, `21 Nov`. */
  age(time: number, now: number): string;
  date(time: number): string;
  timeOfDay(time: number): string;
}

/** Returns the functions for one language. */
export function figuresFor(locale: string, now: string): Figures {
  const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  const tenth = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const unit = (name: string) =>
    new Intl.NumberFormat(locale, { style: "unit", unit: name, unitDisplay: "narrow", maximumFractionDigits: 0 });
  const [minutes, hours] = [unit("minute"), unit("hour")];
  const money = (digits: number) =>
    new Intl.NumberFormat(locale, {
      style: "currency",
      currency: "USD",
      currencyDisplay: "narrowSymbol",
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  const [cents, fine] = [money(2), money(4)];
  const weekday = new Intl.DateTimeFormat(locale, { weekday: "short" });
  const day = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" });
  const full = new Intl.DateTimeFormat(locale, { dateStyle: "long" });
  const clockTime = new Intl.DateTimeFormat(locale, { timeStyle: "medium" });
  const share = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 0 });

  return {
    duration(durationMs) {
      const ms = Math.max(0, durationMs);
      if (ms < 100) return `${whole.format(ms)} ms`;
      if (ms < 59_950) return `${tenth.format(ms / 1_000)} s`;
      const seconds = Math.round(ms / 1_000);
      if (seconds < 3_600) return `${whole.format(Math.floor(seconds / 60))} min ${whole.format(seconds % 60)} s`;
      return `${whole.format(Math.floor(seconds / 3_600))} h ${whole.format(Math.floor((seconds % 3_600) / 60))} min`;
    },
    clock(durationMs) {
      const seconds = Math.max(0, Math.floor(durationMs / 1_000));
      const two = (value: number): string => String(value).padStart(2, "0");
      const [h, m, s] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
      return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
    },
    count: (value) => whole.format(value),
    cost: (usd) => (usd > 0 && usd < 0.1 ? fine : cents).format(usd),
    bytes(size) {
      if (size < 1_000) return `${whole.format(size)} B`;
      if (size < 1_000_000) return `${tenth.format(size / 1_000)} kB`;
      return `${tenth.format(size / 1_000_000)} MB`;
    },
    percent: (value) => share.format(value),
    age(time, at) {
      const ms = at - time;
      if (ms < 60_000) return now;
      if (ms < 3_600_000) return minutes.format(Math.floor(ms / 60_000));
      if (isSameDay(time, at)) return hours.format(Math.floor(ms / 3_600_000));
      return ms < 6 * 86_400_000 ? weekday.format(time) : day.format(time);
    },
    date: (time) => full.format(time),
    timeOfDay: (time) => clockTime.format(time),
  };
}

function isSameDay(left: number, right: number): boolean {
  return new Date(left).toDateString() === new Date(right).toDateString();
}
