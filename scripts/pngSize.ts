/** Width and height, as the head of a PNG has them. */
export function pngSize(bytes: Buffer): { readonly width: number; readonly height: number } {
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}
