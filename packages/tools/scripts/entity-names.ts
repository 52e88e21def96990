// Converts the named characters of HTML, such as `&amp;`, to a short text. Converts that text to
// the tree that the library `entities` reads.
//
// The library's own tree is hard to compress. It would be a third of the HTML parser in a bundle.

/**
 * Names with their characters. A name that needs its semicolon is listed only with it (`copysr;`).
 * Other names are listed with and without it (`amp` and `amp;`).
 */
export type EntityNames = ReadonlyMap<string, string>;

/**
 * Writes the names as a text. All names of one character form a group. Spaces separate the groups,
 * which are in the order of their code points. A group consists of:
 * - the difference between its code point and that of the group before it, unless it is 1
 * - if the names stand for two characters: `~` and the code point of the second one
 * - the names, separated by commas; a dot follows a name that may be written without its semicolon
 */
export function writeEntityNames(names: EntityNames): string {
  const groups = new Map<string, string[]>();
  for (const [name, value] of names) {
    if (!name.endsWith(";")) continue;
    const bare = name.slice(0, -1);
    const group = groups.get(value) ?? [];
    groups.set(value, [...group, names.has(bare) ? `${bare}.` : bare]);
  }
  let last = 0;
  const sorted = [...groups].map(([value, group]) => ({ points: codePoints(value), group })).sort(byPoints);
  return sorted
    .map(({ points: [first = 0, second], group }) => {
      const step = first - last;
      last = first;
      return `${step === 1 ? "" : step}${second === undefined ? "" : `~${second}`}${group.join(",")}`;
    })
    .join(" ");
}

/**
 * Builds the tree from the text of `writeEntityNames`, in the format of the library `entities` (see
 * its `decode.ts`).
 */
export function entityTree(text: string): Uint16Array {
  const values = new Map<string, string>();
  let point = 0;
  for (const [, step, second, group = ""] of text.matchAll(/(\d*)(?:~(\d+))?(\S+)/g)) {
    point += step === "" ? 1 : Number(step);
    const value = String.fromCodePoint(point, ...(second === undefined ? [] : [Number(second)]));
    for (const name of group.split(",")) {
      const bare = name.replace(".", "");
      values.set(`${bare};`, value);
      if (bare !== name) values.set(bare, value);
    }
  }
  const words: number[] = [];
  writeBranch({ names: [...values.keys()].sort(), values, words }, { from: 0, to: values.size, depth: 0 });
  return Uint16Array.from(words);
}

interface TreeWriting {
  /** The names in alphabetical order. */
  readonly names: readonly string[];
  readonly values: EntityNames;
  readonly words: number[];
}

/** The names that share their first `depth` characters. */
interface Branch {
  readonly from: number;
  readonly to: number;
  readonly depth: number;
}

/**
 * Writes one branch of the tree. It begins with a word that describes the branch, and with the
 * value if a name ends here. Then the children follow:
 * - A single child follows directly.
 * - Several children follow after two lists: their characters, two in each word, and their
 *   positions.
 */
function writeBranch(writing: TreeWriting, branch: Branch): void {
  const { names, values, words } = writing;
  const first = names[branch.from] ?? "";
  const value = first.length === branch.depth ? (values.get(first) ?? "") : "";
  const codes: number[] = [];
  const branches: Branch[] = [];
  for (let from = branch.from + (value === "" ? 0 : 1), to = from; from < branch.to; from = to) {
    const code = codeAt(names, from, branch.depth);
    while (to < branch.to && codeAt(names, to, branch.depth) === code) to++;
    codes.push(code);
    branches.push({ from, to, depth: branch.depth + 1 });
  }
  const valueLength = value === "" ? 0 : value.length + 1;
  words.push((valueLength << 14) | (codes.length > 1 ? codes.length << 7 : (codes[0] ?? 0)), ...codeUnits(value));
  if (codes.length < 2) {
    for (const only of branches) writeBranch(writing, only);
    return;
  }
  for (let at = 0; at < codes.length; at += 2) words.push((codes[at] ?? 0) | ((codes[at + 1] ?? 0) << 8));
  const places = words.length;
  words.push(...codes.map(() => 0));
  for (const [at, next] of branches.entries()) {
    words[places + at] = words.length;
    writeBranch(writing, next);
  }
}

const codeAt = (names: readonly string[], index: number, depth: number): number => names[index]?.charCodeAt(depth) ?? 0;

const codeUnits = (text: string): readonly number[] => text.split("").map((unit) => unit.charCodeAt(0));

const codePoints = (text: string): readonly number[] => [...text].map((character) => character.codePointAt(0) ?? 0);

const byPoints = (one: { readonly points: readonly number[] }, other: { readonly points: readonly number[] }): number =>
  (one.points[0] ?? 0) - (other.points[0] ?? 0) || (one.points[1] ?? 0) - (other.points[1] ?? 0);

/** Reads the names from the library's own tree. */
export function readEntityNames(tree: Uint16Array): EntityNames {
  const names = new Map<string, string>();
  const visit = (index: number, name: string): void => {
    const current = tree[index] ?? 0;
    const valueLength = current >> 14;
    const count = (current & 0x1f80) >> 7;
    const offset = current & 0x7f;
    const flag = (current & 0x2000) !== 0;
    if (valueLength === 0 && flag) {
      const codes = Array.from({ length: count - 1 }, (_, at) => byteAt(tree, index + 1, at));
      return visit(index + 1 + (count >> 1), name + String.fromCharCode(offset, ...codes));
    }
    if (valueLength === 1) {
      names.set(flag ? `${name};` : name, String.fromCharCode(current & 0x1fff));
      return;
    }
    if (valueLength > 1) {
      const value = String.fromCharCode(...tree.subarray(index + 1, index + valueLength));
      names.set(flag ? `${name};` : name, value);
    }
    const start = index + Math.max(1, valueLength);
    const keySlots = (count + 1) >> 1;
    if (count === 0) {
      if (offset !== 0) visit(start, name + String.fromCharCode(offset));
    } else if (offset !== 0) {
      for (let at = 0; at < count; at++) {
        const target = (tree[start + at] ?? 0) - 1;
        if (target >= 0) visit(target, name + String.fromCharCode(offset + at));
      }
    } else {
      for (let at = 0; at < count; at++)
        visit(tree[start + keySlots + at] ?? 0, name + String.fromCharCode(byteAt(tree, start, at)));
    }
  };
  visit(0, "");
  return names;
}

/** Returns one byte of the tree. Each word holds two bytes, the lower one first. */
const byteAt = (tree: Uint16Array, start: number, at: number): number =>
  ((tree[start + (at >> 1)] ?? 0) >> ((at & 1) * 8)) & 0xff;
