// Tables of rules in two halves, for the parts of the playground: what a rule says of itself with its fixes, and the rest.

/** What is asked for with a rule's page, and what is called for fixes; the engine calls these in the part that has them. */
const words = ['explanation', 'bad', 'good'];
const calls = ['fixes', 'asks'];
/** What judging asks of a rule. */
const judging = ['check', 'plain', 'listed', 'related'];

const row = /^( +)explanation:/m;

/** Whether a text has rows of rules. */
export function isTable(text) {
  return row.test(text);
}

/** A table for whoever judges. */
export function withoutWords(text) {
  return cut(text, [...words, ...calls], (name) =>
    calls.includes(name)
      ? `${name}: (problem) => (globalThis as any).kubeCrdPart('rules')['rules/model/registry.ts'].ruleOf(problem.code).${name}(problem),`
      : '',
  );
}

/** A table for whoever asks about a rule, or for a fix. */
export function onlyWords(text) {
  return cut(text, judging, () => '');
}

/** The properties of rows with some names, each replaced. */
function cut(text, names, instead) {
  const [, indent] = row.exec(text);
  const property = new RegExp(`^${indent}(${names.join('|')})(?=[:,(])`, 'm');
  let made = '';
  for (let rest = text; ; ) {
    const found = property.exec(rest);
    if (!found) return made + rest;
    const end = endOfValue(rest, found.index);
    made += rest.slice(0, found.index) + instead(found[1]);
    rest = rest.slice(rest[end] === ',' ? end + 1 : end);
  }
}

/** Where a property ends that begins here: at the comma or bracket behind it. */
function endOfValue(text, start) {
  let depth = 0;
  for (let at = start; ; ) {
    const one = text[at];
    if (one === undefined) throw new Error('a property of a rule has no end');
    if (one === '`') at = endOfTemplate(text, at);
    else if (one === "'" || one === '"') at = endOfText(text, at, one);
    else if (text.startsWith('//', at)) at = text.indexOf('\n', at);
    else if (one === '/' && startsRegExp(text.slice(Math.max(0, at - 20), at))) at = endOfRegExp(text, at);
    else if (depth === 0 && /[,)\]}]/.test(one)) return at;
    else {
      if (/[([{]/.test(one)) depth++;
      if (/[)\]}]/.test(one)) depth--;
      at++;
    }
  }
}

function endOfTemplate(text, start) {
  let at = start + 1;
  while (text[at] !== '`') {
    if (text.startsWith('${', at)) at = endOfHole(text, at + 2);
    else at += text[at] === '\\' ? 2 : 1;
  }
  return at + 1;
}

/** A hole of a template may hold commas between its brackets alone. */
function endOfHole(text, start) {
  let at = endOfValue(text, start);
  while (text[at] !== '}') at = endOfValue(text, at + 1);
  return at + 1;
}

function endOfText(text, start, quote) {
  let at = start + 1;
  while (text[at] !== quote) at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function startsRegExp(before) {
  return /(?:[(,=:[!&|?{};+>]|return)\s*$/.test(before);
}

function endOfRegExp(text, start) {
  let isInClass = false;
  let at = start + 1;
  while (text[at] !== '/' || isInClass) {
    if (text[at] === '[') isInClass = true;
    if (text[at] === ']') isInClass = false;
    at += text[at] === '\\' ? 2 : 1;
  }
  return at + 1;
}
