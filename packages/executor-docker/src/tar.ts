/** Creates a tar archive of a few small text files. */
export function tarOf(files: { readonly [name: string]: string }): Uint8Array {
  const blocks: Buffer[] = [];
  for (const [name, text] of Object.entries(files)) {
    const bytes = Buffer.from(text);
    blocks.push(
      header(name, bytes.length),
      bytes,
      Buffer.alloc((blockBytes - (bytes.length % blockBytes)) % blockBytes),
    );
  }
  return Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)]);
}

const blockBytes = 512;

/** Writes the header of one file in the format "ustar". Numbers are octal. */
function header(name: string, size: number): Buffer {
  const block = Buffer.alloc(blockBytes);
  const put = (text: string, offset: number): void => void block.write(text, offset, "latin1");
  const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, "0")}\0`;
  put(name, 0);
  put(octal(0o644, 8), 100);
  put(octal(0, 8), 108);
  put(octal(0, 8), 116);
  put(octal(size, 12), 124);
  put(octal(0, 12), 136);
  put(" ".repeat(8), 148);
  put("0", 156);
  put("ustar\x0000", 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  put(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}
