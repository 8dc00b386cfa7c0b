import { printable } from '../../base/printable.ts';
import { ruleOf } from '../../rules/model/registry.ts';
import { Causes, type Copied, Lists, type Repeated, Repeats, severestFirst } from '../cause.ts';
import { type Report, said } from '../report.ts';
import { type Line, linesText } from '../terminal.ts';
import type { Format } from './format.ts';

const colors: Readonly<Record<Report['severity'], string>> = {
  error: '31',
  warning: '33',
  information: '36',
  hint: '2',
};

/** For people: the message, the line, and a mark under the place. */
export function textFormat(colored: boolean): Format {
  const causes = new Causes();
  const lists = new Lists<Report>();
  const repeats = new Repeats();
  let alone = 0;
  return {
    file: (_, reports) => {
      const firsts = severestFirst(reports).filter(
        (report) => causes.isFirst(report) && !lists.takes(report) && repeats.isFirst(report),
      );
      alone += firsts.length;
      return linesText(firsts.flatMap(asLines), colored);
    },
    shown: () => alone + [...lists.values()].length,
    end: () =>
      linesText(
        [
          ...[...lists.values()].flatMap(inOneLine),
          ...[...repeats.values()].flatMap(inOtherPlaces),
          ...causes.copied(repeats).flatMap(inOtherFiles),
        ],
        colored,
      ),
  };
}

/** All findings of a rule in one line, at the first of them; of one alone all is said as ever. */
function inOneLine(reports: readonly Report[]): Line[] {
  const [first, ...others] = reports;
  if (!first) return [];
  if (others.length === 0) return asLines(first);
  const { file, line, column, severity, code } = first;
  const names = [...new Set(reports.map(({ listed }) => listed ?? ''))].sort();
  const place = { color: '1', text: `${file}:${line}:${column}:` };
  const title = `${ruleOf(code)?.listTitle}: ${names.join(', ')} [${code}]`;
  return [[place, ' ', { color: colors[severity], text: `${severity}:` }, ` ${title}`]];
}

const mostNamed = 3;
const mostPlaces = 10;

function inOtherPlaces({
  first: { file, line, column, code },
  lines,
  elsewhere,
  rules,
  values,
  keys,
}: Repeated): Line[] {
  const more = `the same in ${lines.size === 1 ? 'line' : 'lines'} ${listed(lines)}`;
  const copies = `the same in ${listed(elsewhere)}`;
  const other = `${rules} more ${rules === 1 ? 'rule fails' : 'rules fail'} here for want of the same key`;
  const printed = `and ${values} more like it here, with other values`;
  const said = [
    ...(lines.size > 0 ? [more] : []),
    ...(elsewhere.size > 0 ? [copies] : []),
    ...(rules > 0 ? [other] : []),
    ...(values > 0 ? [printed] : []),
    ...(keys > 0 ? [`and ${keys} more ${keys === 1 ? 'key' : 'keys'} that this prints`] : []),
  ];
  return said.map((text) => [{ color: '1', text: `${file}:${line}:${column}:` }, ` ${text} [${code}]`]);
}

function listed(places: ReadonlySet<number | string>): string {
  const named = [...places].slice(0, mostPlaces).join(', ');
  return places.size > mostPlaces ? `${named}, … (${places.size})` : named;
}

function inOtherFiles({ first: { file, line, column, code }, others, isOfOne }: Copied): Line[] {
  if (others.size === 0) return [];
  const named = [...others].slice(0, mostNamed).join(', ');
  const where = !isOfOne || ruleOf(code)?.ofKind || ruleOf(code)?.ofRule ? '' : ' in this object';
  const more = `and ${others.size} more ${others.size === 1 ? 'file has' : 'files have'} the same${where}`;
  const place = { color: '1', text: `${file}:${line}:${column}:` };
  return [[place, ` ${more} [${code}]: ${named}${others.size > mostNamed ? ', …' : ''}`]];
}

function asLines(report: Report): Line[] {
  const { file, line, column, endLine, endColumn, severity, code, source } = report;
  const length = Math.max(1, (endLine === line ? endColumn : source.length + 1) - column);
  const gutter = String(line);
  const pad = ' '.repeat(gutter.length);
  const indent = printable(source.slice(0, column - 1)).replace(/[^\t]/g, ' ');
  const place = { color: '1', text: `${file}:${line}:${column}:` };
  const mark = { color: colors[severity], text: '^'.repeat(Math.min(length, 300)) };
  return [
    [place, ' ', { color: colors[severity], text: `${severity}:` }, ` ${said(report)} [${code}]`],
    `${gutter} | ${source}`,
    ...(column > source.length + 1 ? [] : [[`${pad} | ${indent}`, mark]]),
  ];
}
