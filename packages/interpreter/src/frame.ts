// Frames: where the variables of a function live while it runs.

/** The variables of one call. Slot 0 is the frame of the enclosing scope. */
export type Frame = unknown[];

/**
 * Creates a frame of `size` slots; slot 0 is the enclosing frame. Small frames are array literals
 * of a fixed length, because V8 creates those fastest.
 */
export function newFrame(parent: Frame | null, size: number): Frame {
  switch (size) {
    case 1:
      return [parent];
    case 2:
      return [parent, undefined];
    case 3:
      return [parent, undefined, undefined];
    case 4:
      return [parent, undefined, undefined, undefined];
    case 5:
      return [parent, undefined, undefined, undefined, undefined];
    case 6:
      return [parent, undefined, undefined, undefined, undefined, undefined];
    case 7:
      return [parent, undefined, undefined, undefined, undefined, undefined, undefined];
    case 8:
      return [parent, undefined, undefined, undefined, undefined, undefined, undefined, undefined];
    default:
      return largeFrame(parent, size);
  }
}

function largeFrame(parent: Frame | null, size: number): Frame {
  const frame: Frame = [parent, undefined, undefined, undefined, undefined, undefined, undefined, undefined, undefined];
  for (let slot = 9; slot < size; slot++) frame.push(undefined);
  return frame;
}
