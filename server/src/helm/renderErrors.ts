/** How Helm words what went wrong while a chart was rendered. */
import { ExecError } from '../template/failure.ts';
import type { GoError } from '../template/value.ts';

/** Around what `fail` and `required` say, so that it can be told from Go's words. */
const warnStart = 'HELM_ERR_START';
const warnEnd = 'HELM_ERR_END';

export function warn(message: string): string {
  return `${warnStart}${message}${warnEnd}`;
}

function warningIn(message: string): string | undefined {
  const start = message.indexOf(warnStart);
  const end = message.lastIndexOf(warnEnd);
  return start === -1 || end < start ? undefined : message.slice(start + warnStart.length, end);
}

/** Whether an error is one that the chart itself gives. */
export function isWarned(message: string): boolean {
  return warningIn(message) !== undefined;
}

/** The template that is not there, which Go and Helm each say in their words. */
export function missingTemplateIn(message: string): string | undefined {
  const [, included, called] =
    /\bno template "([^"]{1,200})" associated|\btemplate "([^"]{1,200})" not defined/.exec(message) ?? [];
  return included ?? called;
}

/** An error of a template that cannot be read, as Helm prints it. */
export function parseErrorText(file: string, message: string): string {
  const parts = message.split(': ');
  if (parts.length === 1) return `parse error in (${file}): ${message}`;
  return `parse error at (${parts[1]}): ${parts.at(-1)}`;
}

/** An error of a template that ran, as Helm prints it. */
export function execErrorText(file: string, error: GoError): string {
  if (!(error instanceof ExecError)) return error.message;
  const [, location, ...rest] = error.message.split(': ');
  if (rest.length === 0) return `execution error in (${file}): ${error.message}`;
  const own = warningIn(rest.join(': '));
  if (own !== undefined) return `execution error at (${location}): ${own}`;
  return chainText(error) ?? error.message;
}

/** Location, function and message of each error in the chain; undefined where one of them is not a template's. */
function chainText(error: GoError): string | undefined {
  const lines: string[] = [];
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const part = partOf(at.message);
    if (part === undefined) return undefined;
    if (lines.at(-1) !== part) lines.push(part);
  }
  return lines.join('').trim();
}

function partOf(message: string): string | undefined {
  if (!message.startsWith('template: ')) return undefined;
  const rest = message.slice('template: '.length);
  if (rest.startsWith('no template ')) return `${message}\n`;
  const executing = executingPart(rest);
  if (executing !== undefined) return executing;
  const split = rest.lastIndexOf(': ');
  return split === -1 ? undefined : `${rest.slice(0, split)}\n  ${untilNext(rest.slice(split + 2))}\n`;
}

/** `LOCATION: executing "NAME" at <NODE>: MESSAGE`, in lines; undefined where a part of it is missing. */
function executingPart(text: string): string | undefined {
  const [location, after] = cut(text, ': executing "');
  const [name, behind] = cut(after, '" at <');
  const [node, message] = cut(behind, '>: ');
  if (message === undefined || name!.includes('"')) return undefined;
  return `${location}\n  executing "${name}" at <${node}>:\n    ${untilNext(message)}\n`;
}

/** A text before and after the first place of another one. */
function cut(text: string | undefined, at: string): readonly [string | undefined, string | undefined] {
  const found = text?.indexOf(at) ?? -1;
  return found === -1 ? [undefined, undefined] : [text!.slice(0, found), text!.slice(found + at.length)];
}

/** What a message says before the next error in the chain begins. */
function untilNext(text: string): string {
  const next = text.indexOf(' template:');
  return next === -1 ? text : text.slice(0, next);
}
