/** Values that no template reads, and what they may have been meant to be. */
import type { Range } from '../../base/text.ts';
import { isMap, type Value, valueAt as valueIn } from '../../base/value.ts';
import { yamlOf } from '../../helm/chart.ts';
import type { Dependency } from '../../helm/metadata.ts';
import { nearestNames } from '../../rules/fixing/nearest.ts';
import type { Diagnostic, Fix } from '../../rules/model/diagnostic.ts';
import { fileOfText } from '../../workspace/delivery/texts.ts';
import { settingsFor } from '../../workspace/snapshot.ts';
import { quoteIfNeeded } from '../../yaml/quoting.ts';
import { valueOf } from '../../yaml/value.ts';
import { codeShownAs } from '../problems/diagnose.ts';
import { type ChartPart, isLibrary, partsOf, rangeInValues, type Seen, templatesOf } from './seen.ts';
import { absolute, declarationsOf, startsWith, usesOf, type ValuePath } from './uses.ts';

const code = 'chart/unused-value';

interface Unused {
  readonly path: ValuePath;
  readonly meant: readonly string[];
}

export function unusedValues(seen: Seen): Diagnostic[] {
  const { snapshot, file } = seen;
  const severity = codeShownAs(code, settingsFor(snapshot, fileOfText(file.id)));
  if (severity === 'off') return [];
  return unusedIn(seen).flatMap(({ path, meant }) => {
    const range = rangeOfUnused(seen, path);
    if (!range) return [];
    const hint =
      meant.length === 0 ? '' : `; did you mean ${meant.map((name) => `\`${name}\``).join(' or ')}, which they read?`;
    const message = `No template reads \`${path.join('.')}\`${hint}`;
    return [
      {
        code,
        severity,
        message,
        range,
        related: [],
        unnecessary: meant.length === 0,
        says: {},
        key: { of: 'file' } as const,
      },
    ];
  });
}

/** To the names that templates read. */
export function fixesOfUnused(seen: Seen, of: string, offset: number): Fix[] {
  if (of !== code) return [];
  const found = unusedIn(seen).find(({ path }) => rangeOfUnused(seen, path)?.start === offset);
  const range = found && rangeOfUnused(seen, found.path);
  if (!found || !range) return [];
  return found.meant.map((name) => ({
    title: `Rename to \`${name}\``,
    edits: [{ range, text: quoteIfNeeded(name) }],
    safe: false,
  }));
}

function rangeOfUnused({ file, below = [] }: Seen, path: ValuePath): Range | undefined {
  return rangeInValues({ file, path: [...below, ...path] });
}

function unusedIn(seen: Seen): Unused[] {
  const { folder, part, file, below } = seen;
  if ((!below && part.chart.valuesFile?.id !== file.id) || !isAllSeen(seen)) return [];
  const reading = readingOf(seen);
  const found: Unused[] = [];
  const walk = (value: Value | undefined, at: ValuePath) => {
    if (!isMap(value)) return;
    for (const [key, inner] of value) {
      const path = [...at, key];
      if (isLeftOut(part, path)) continue;
      if (!reading.isRead(absolute(folder, part, path), path))
        found.push({ path, meant: meantBy(seen, path, [...value.keys()]) });
      else if (isMap(inner) && inner.size > 0 && !reading.isReadWhole(absolute(folder, part, path))) walk(inner, path);
    }
  };
  for (const { document } of yamlOf(file).documents) walk(valueIn(valueOf(document), below ?? []), []);
  return found;
}

/** Whether nothing reads the values in a way that cannot be followed. */
function isAllSeen({ folder, part, renderings, file }: Seen): boolean {
  if (isLibrary(part) || file.id.includes('!/') || renderings.all.length === 0) return false;
  if (renderings.all.some(([, frame]) => frame.broken.size > 0)) return false;
  const own = absolute(folder, part, []);
  return !usesOf(folder).some(({ path, isWhole }) => isWhole && path.length <= own.length && startsWith(own, path));
}

/** What is not for templates to read: what turns charts on, what is for charts that are not here, anchors to refer to. */
function isLeftOut(part: ChartPart, path: ValuePath): boolean {
  const [first = ''] = path;
  const { dependencies } = part.chart.metadata;
  const isHere = ({ name, alias }: Dependency) => {
    return part.chart.dependencies.some((one) => one.name === name || one.name === alias);
  };
  const missing = dependencies.filter((one) => !isHere(one));
  if (path.length === 1 && (first === 'tags' || first === 'enabled' || /^[._]|^x-/.test(first))) return true;
  if (first === 'global' && missing.length > 0) return true;
  const isCondition = conditionsIn(part).some((condition) => condition === path.join('.'));
  return isCondition || missing.some(({ name, alias }) => first === (alias === '' ? name : alias));
}

function conditionsIn({ chart }: ChartPart): string[] {
  return chart.metadata.dependencies.flatMap(({ condition }) => condition.split(',').map((one) => one.trim()));
}

interface Reading {
  isRead(path: ValuePath, own: ValuePath): boolean;
  /** Everything in it. */
  isReadWhole(path: ValuePath): boolean;
}

function readingOf({ folder, part }: Seen): Reading {
  const uses = usesOf(folder);
  // Charts may render each other's helpers, and texts in values, with values of their own.
  const texts = folder.files.filter(
    ({ id, text }) => text.includes('.Values.') && !templatesOf(folder).some(([, one]) => one.id === id),
  );
  const isSaid = (own: ValuePath) => texts.some(({ text }) => text.includes(`.Values.${own.join('.')}`));
  const isAround = (path: ValuePath, use: ValuePath) =>
    use.length > 0 && use.length <= path.length && startsWith(path, use);
  const conditions = conditionsIn(part);
  const library = partsOf(folder).some(isLibrary);
  return {
    isRead: (path, own) =>
      uses.some((use) => startsWith(use.path, path) || isAround(path, use.path)) ||
      uses.some((use) => (library || use.own !== use.path) && startsWith(use.own, own)) ||
      isSaid(own) ||
      conditions.some((condition) => condition.startsWith(`${own.join('.')}.`)),
    isReadWhole: (path) => uses.some((use) => isAround(path, use.path)),
  };
}

/** Names beside it that templates read, and that nothing defines. */
function meantBy({ folder, part }: Seen, path: ValuePath, beside: readonly string[]): string[] {
  const parent = absolute(folder, part, path.slice(0, -1));
  const read = new Set<string>();
  for (const use of usesOf(folder)) {
    const name = use.path[parent.length];
    if (name === undefined || name === '*' || !startsWith(use.path, parent) || beside.includes(name)) continue;
    if (declarationsOf(folder, [...parent, name]).length === 0) read.add(name);
  }
  return nearestNames(path.at(-1)!, [...read]);
}
