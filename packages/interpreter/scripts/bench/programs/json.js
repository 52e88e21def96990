// A hand-written JSON parser: reads one character after another, and creates objects of small
// classes.

class Parser {
  index = -1;
  line = 1;
  current = null;
  captured = "";
  captureFrom = -1;
  constructor(text) {
    this.text = text;
  }
  parse() {
    this.read();
    this.skipSpace();
    const value = this.value();
    this.skipSpace();
    if (this.current !== null) this.expected("the end");
    return value;
  }
  value() {
    switch (this.current) {
      case "n":
        return this.word("null", null);
      case "t":
        return this.word("true", true);
      case "f":
        return this.word("false", false);
      case '"':
        return this.string();
      case "[":
        return this.array();
      case "{":
        return this.object();
      default:
        return this.number();
    }
  }
  word(text, value) {
    for (const character of text) {
      if (!this.readIf(character)) this.expected(character);
    }
    return value;
  }
  array() {
    this.read();
    const list = [];
    this.skipSpace();
    if (this.readIf("]")) return list;
    do {
      this.skipSpace();
      list.push(this.value());
      this.skipSpace();
    } while (this.readIf(","));
    if (!this.readIf("]")) this.expected("',' or ']'");
    return list;
  }
  object() {
    this.read();
    const object = new Map();
    this.skipSpace();
    if (this.readIf("}")) return object;
    do {
      this.skipSpace();
      if (this.current !== '"') this.expected("a name");
      const name = this.string();
      this.skipSpace();
      if (!this.readIf(":")) this.expected("':'");
      this.skipSpace();
      object.set(name, this.value());
      this.skipSpace();
    } while (this.readIf(","));
    if (!this.readIf("}")) this.expected("',' or '}'");
    return object;
  }
  string() {
    this.read();
    this.startCapture();
    while (this.current !== '"') {
      if (this.current === null) this.expected("'\"'");
      if (this.current === "\\") {
        this.pauseCapture();
        this.escape();
        this.startCapture();
      } else this.read();
    }
    const text = this.endCapture();
    this.read();
    return text;
  }
  escape() {
    this.read();
    const escapes = { '"': '"', "/": "/", "\\": "\\", n: "\n", t: "\t" };
    const meant = escapes[this.current];
    if (meant === undefined) this.expected("an escape");
    this.captured += meant;
    this.read();
  }
  number() {
    this.startCapture();
    this.readIf("-");
    if (!this.digit()) this.expected("a value");
    while (this.digit());
    if (this.readIf(".")) while (this.digit());
    if (this.readIf("e") || this.readIf("E")) {
      if (!this.readIf("+")) this.readIf("-");
      while (this.digit());
    }
    return Number(this.endCapture());
  }
  digit() {
    if (this.current === null || this.current < "0" || this.current > "9") return false;
    this.read();
    return true;
  }
  readIf(character) {
    if (this.current !== character) return false;
    this.read();
    return true;
  }
  read() {
    if (this.current === "\n") this.line++;
    this.index++;
    this.current = this.index < this.text.length ? this.text.charAt(this.index) : null;
  }
  skipSpace() {
    while (this.current === " " || this.current === "\n" || this.current === "\t" || this.current === "\r") this.read();
  }
  startCapture() {
    this.captureFrom = this.index;
  }
  pauseCapture() {
    this.captured += this.text.substring(this.captureFrom, this.index);
    this.captureFrom = -1;
  }
  endCapture() {
    const text = this.captured + this.text.substring(this.captureFrom, this.index);
    this.captured = "";
    this.captureFrom = -1;
    return text;
  }
  expected(what) {
    throw new Error(`expected ${what} in line ${this.line}, got ${this.current ?? "the end"}`);
  }
}

function sample() {
  const operations = Array.from({ length: 156 }, (_, i) => [
    i % 3 === 0 ? "create" : "set",
    `w${i}`,
    { parent: i === 0 ? null : `w${i >> 1}`, style: ["BORDER", `a "quoted" \\ word\n`], bounds: [i, -i, i * 1.5, 1e3] },
    i % 2 === 0,
  ]);
  return JSON.stringify({ head: { requestCounter: 4 }, operations }, null, 1);
}

function main() {
  const text = sample();
  let sum = 0;
  for (let i = 0; i < 4; i++) {
    const value = new Parser(text).parse();
    sum += value.get("operations").length + value.get("head").get("requestCounter");
  }
  return sum;
}
