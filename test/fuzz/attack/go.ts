// Hostile Go: shapes that grow, and small packages with pieces of each other, of Go and of what has hurt before.
import path from 'node:path';
import type { Range } from '../../../server/src/base/text.ts';
import type { Diagnostic, Fix } from '../../../server/src/rules/model/diagnostic.ts';
import { attackShapes, type Bounds, grow, isNotJudged, type Timed } from './bombs.ts';
import { randomGo } from './goPackages.ts';
import { type GoRequest, goRequests, type OpenGo, openedGo } from './goRequests.ts';
import { goShapes } from './goShapes.ts';
import type { Attack } from './part.ts';

/** Before the names of shapes of Go, where those of YAML are as well. */
const goPrefix = 'go: ';
/** What comes of the files may be ten times as long. */
const ofGo: Bounds = { characters: 250_000, mb: 400 };

export function isGoBomb(name: string): boolean {
  return name.startsWith(goPrefix);
}

export async function growGoBomb(named: string): Promise<void> {
  const shape = goShapes[named.slice(goPrefix.length)]!;
  const lengthOf = (size: number) => {
    const { text, others = {} } = shape(size);
    return text.length + Object.values(others).reduce((sum, other) => sum + other.length, 0);
  };
  await grow(ofGo, lengthOf, async (size, timed, failed) => {
    const { at, ...files } = shape(size);
    const open = await openedGo(files, timed);
    for (const one of goFailuresOf(open, files.text.indexOf(at, files.text.length / 3), goRequests, timed)) failed(one);
  });
}

/** What has gone wrong over a package: requests that throw, and answers outside of the text. */
export function goFailuresOf(
  { view, snapshot, result }: OpenGo,
  offset: number,
  asked: Readonly<Record<string, GoRequest>>,
  timed: Timed = (_, run) => run(),
): string[] {
  const found = result.crds.filter(({ fileName }) => !isFileName(fileName)).map(({ fileName }) => `a file ${fileName}`);
  if (!view) return found;
  for (const [name, request] of Object.entries(asked)) {
    try {
      const answer = timed(name, () => request(snapshot, view, offset));
      if (isNotJudged(answer)) found.push(`${name}: not judged`);
      const outside = rangesIn(answer).find((range) => !isWithin(range, view.file.go.text));
      if (outside) found.push(`${name}: ${outside.start} to ${outside.end} is outside of the text`);
    } catch (error) {
      found.push(`${name}: ${error instanceof Error ? error.stack : String(error)}`);
    }
  }
  return found;
}

/** Whether all systems take it for a file in the folder that it is written to. */
export function isFileName(name: string): boolean {
  return (
    /^[A-Za-z0-9._%~-]{1,255}$/.test(name) &&
    path.basename(name) === name &&
    !/^\.{1,2}$/.test(name) &&
    !/^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i.test(name)
  );
}

const isWithin = ({ start, end }: Range, text: string) => 0 <= start && start <= end && end <= text.length;

/** Those of diagnostics, and of the edits of fixes. */
function rangesIn(answer: unknown): Range[] {
  if (!Array.isArray(answer)) return [];
  return answer.flatMap((one: Partial<Diagnostic & Fix>) =>
    one.edits ? one.edits.map(({ range }) => range) : one.code !== undefined && one.range ? [one.range] : [],
  );
}

/** Microseconds of CPU that one small package may take. */
const longest = 1e6;

const names = Object.keys(goRequests);

/** All shapes, and small packages. */
export const attackGo: Attack = async (attacked) => {
  const { bombs } = attackShapes(attacked, Object.keys(goShapes), goPrefix, ofGo);
  return { bombs, ...(await attackGoPackages(attacked)) };
};

/** As many small packages as there are cases. */
export const attackGoPackages: Attack = async ({ cases, random, failed }) => {
  let [asked, crds] = [0, 0];
  for (let i = 0; i < cases; i++) {
    const files = randomGo(random);
    const chosen = Object.fromEntries(
      ['diagnose', random.pick(names), random.pick(names), random.pick(names)].map((name) => [name, goRequests[name]!]),
    );
    const start = process.cpuUsage();
    const found: string[] = [];
    try {
      const open = await openedGo(files);
      crds += open.result.crds.length;
      found.push(...goFailuresOf(open, random.below(files.text.length + 1), chosen));
    } catch (error) {
      found.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
    if (process.cpuUsage(start).user > longest) found.push(`more than ${longest / 1e6} s of CPU`);
    for (const one of found) failed(`${one}\n${JSON.stringify(files)}`);
    asked += Object.keys(chosen).length;
  }
  return { packages: cases, crds, requests: asked };
};
