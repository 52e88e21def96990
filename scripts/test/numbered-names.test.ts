import { expect, test } from "vitest";
import { numberedNames } from "../numbered-names.ts";

const exported = new Set(["Agent", "image", "zod", "zod3"]);

test.each([
  ["a function", "function image2(source) {}\nexport { image2 as image };", ["image2"]],
  ["a class", "class Agent2 {}", ["Agent2"]],
  ["a class without a name of its own", "var Agent12 = class extends core.Agent {};", ["Agent12"]],
  ["a function expression", 'var image = explained(function image2() {}, "image");', ["image2"]],
  ["an unnumbered name", "function image() {}\nclass Agent {}", []],
  ["an export whose name ends with a number", "function zod3() {}", []],
  ["a function that is not exported", "function readText2() {}", []],
  ["an import", 'import { image as image2 } from "images";', []],
])("%s", (_title, code, names) => {
  expect(numberedNames(code, exported)).toEqual(names);
});
