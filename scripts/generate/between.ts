/** The text of a page with a table between its two marks. */
export function between(text: string, what: string, table: string): string {
  const start = `<!-- ${what}: npm run gen -->\n`;
  const [from, to] = [text.indexOf(start), text.indexOf(`<!-- end of ${what} -->`)];
  if (from === -1 || to < from) throw new Error(`the page has lost the marks around the table of ${what}`);
  return `${text.slice(0, from + start.length)}${table}${text.slice(to)}`;
}
