import { nearestName } from "@smolts/protocol";
import { expect, test } from "vitest";

const known = ["location", "celsius", "maxResults", "getWeather", "q"];

const meant: [name: string, nearest: string | undefined][] = [
  ["locaton", "location"],
  ["loaction", "location"],
  ["Location", "location"],
  ["max_results", "maxResults"],
  ["getWhether", "getWeather"],
  ["get_weather", "getWeather"],
  ["zzz", undefined],
  ["x", undefined],
  ["", undefined],
  ["l".repeat(1_000_000), undefined],
];

test.each(meant)("for %o the nearest name is %o", (name, nearest) => {
  expect(nearestName(name, known)).toBe(nearest);
});
