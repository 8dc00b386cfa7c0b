/** A packed file that the bundler puts into the script. */
declare module '*.gz' {
  const bytes: Uint8Array;
  // biome-ignore lint/style/noDefaultExport: the bundler gives it so
  export default bytes;
}
