// Room on the host's stack. To run out of it is a breach like others (guest-throw.ts); but V8 ends the whole process when it happens while it
// compiles a regular expression. So whoever makes it do that deep inside a program asks for room before.

// With so few calls within calls no program comes near the end: how deep its text nests is bounded where it is parsed (nesting.ts).
const deepestHarmless = 2;
// More than V8 takes to compile a pattern that it is given here; in values of 8 bytes.
const room: readonly undefined[] = Array.from({ length: 768 }, () => undefined);

/** Throws the host's stack overflow when that is near. `depth` tells the calls within calls. Takes some 100 ns where they are many. */
export function requireStack(depth: number): void {
  if (depth > deepestHarmless) Reflect.apply(takeRoom, undefined, room);
}

function takeRoom(): void {}
