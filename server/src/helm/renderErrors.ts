/** How Helm words what went wrong while a chart was rendered. */
import { ExecError } from '../template/failure.ts';
import type { GoError } from '../template/value.ts';

/** Around what `fail` and `required` say, so that it can be told from Go's words. */
const warnStart = 'HELM_ERR_START';
const warnEnd = 'HELM_ERR_END';
const warned = /HELM_ERR_START([\s\S]*)HELM_ERR_END/;

export function warn(message: string): string {
  return `${warnStart}${message}${warnEnd}`;
}

/** Whether an error is one that the chart itself gives. */
export function isWarned(message: string): boolean {
  return warned.test(message);
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
  const own = warned.exec(rest.join(': '));
  if (own) return `execution error at (${location}): ${own[1]}`;
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
  const executing = /^([\s\S]*?): executing ("[^"]*") at <([\s\S]*?)>: ([\s\S]*)$/.exec(rest);
  if (executing) {
    const [, location, name, node, text] = executing;
    return `${location}\n  executing ${name} at <${node}>:\n    ${untilNext(text!)}\n`;
  }
  const split = rest.lastIndexOf(': ');
  return split === -1 ? undefined : `${rest.slice(0, split)}\n  ${untilNext(rest.slice(split + 2))}\n`;
}

/** What a message says before the next error in the chain begins. */
function untilNext(text: string): string {
  const next = text.indexOf(' template:');
  return next === -1 ? text : text.slice(0, next);
}
