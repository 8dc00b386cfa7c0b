/** What a line measures, and the number that tells: the ratio where it has one, else the first. */
function measured(line: string): { readonly what: string; readonly value: number } | undefined {
  const ratio = /([\d.]+) ×/.exec(line);
  const number = ratio ?? /(?<![\w.])([\d,]+(?:\.\d+)?)/.exec(line);
  if (!number) return undefined;
  return { what: line.replace(/[\d,.]*\d/g, '#').trim(), value: Number(number[1]!.replaceAll(',', '')) };
}

/** Rows of Markdown: what, newest, median, lowest, highest. `nights` has the newest last. */
export function nightsTable(nights: readonly string[]): string {
  const all = new Map<string, Map<number, number>>();
  for (const [night, text] of nights.entries())
    for (const one of text.split('\n').map(measured)) {
      if (!one) continue;
      const values = all.get(one.what) ?? new Map<number, number>();
      // A line that is printed more than once in a night counts once.
      if (!values.has(night)) values.set(night, one.value);
      all.set(one.what, values);
    }
  const rows = [...all].flatMap(([what, byNight]) => {
    const newest = byNight.get(nights.length - 1);
    const values = [...byNight.values()].sort((a, b) => a - b);
    const shown = [newest, values[Math.floor(values.length / 2)], values[0], values.at(-1)];
    return newest === undefined ? [] : [`| ${what.replaceAll('|', '\\|')} | ${shown.join(' | ')} |`];
  });
  return ['| what | newest | median | lowest | highest |', '|---|---|---|---|---|', ...rows].join('\n');
}
