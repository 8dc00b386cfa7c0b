/** A fenced block: what is after the backticks, its text without the fence's lines, and the line of its first text. */
export interface Fence {
  readonly info: string;
  readonly text: string;
  readonly line: number;
}

/** A heading with what follows it up to the next one. The part before any heading has level 0. */
export interface Section {
  readonly level: number;
  readonly title: string;
  readonly line: number;
  readonly prose: string;
  readonly fences: readonly Fence[];
}

const heading = /^(#{1,6})\s+(.*)$/;
const fenceStart = /^(`{3,}|~{3,})(.*)$/;

/** The sections of a Markdown file. Lines count from 1. */
export function parseMarkdown(text: string): Section[] {
  const lines = text.split('\n');
  const sections: Section[] = [];
  let current = { level: 0, title: '', line: 1, prose: '', fences: [] as Fence[] };
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const head = heading.exec(line);
    const fence = fenceStart.exec(line);
    if (head) {
      sections.push(current);
      current = { level: head[1]!.length, title: head[2]!.trim(), line: i + 1, prose: '', fences: [] };
    } else if (fence) {
      const end = fenceEnd(lines, i + 1, fence[1]!);
      const body = lines.slice(i + 1, end);
      current.fences.push({ info: fence[2]!.trim(), text: body.map((l) => `${l}\n`).join(''), line: i + 2 });
      i = end;
    } else current.prose += `${line}\n`;
  }
  sections.push(current);
  return sections.filter((section) => section.level > 0 || section.prose.trim() !== '' || section.fences.length > 0);
}

function fenceEnd(lines: readonly string[], from: number, mark: string): number {
  const end = lines.findIndex((line, i) => i >= from && line.startsWith(mark) && line.trim() === mark);
  return end === -1 ? lines.length : end;
}

/** The settings of all `<!-- key: value, key: value -->` comments in a section's prose. */
export function settings(prose: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const comment of prose.matchAll(/<!--\s*([\s\S]*?)\s*-->/g)) {
    // A comma inside of a value is no end of it.
    for (const pair of comment[1]!.split(/,\s*(?=[\w-]+:\s)/)) {
      const colon = pair.indexOf(':');
      if (colon > 0) found[pair.slice(0, colon).trim()] = pair.slice(colon + 1).trim();
    }
  }
  return found;
}
