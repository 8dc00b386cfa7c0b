import { newListCost } from '../prices.ts';
import { applied, closure, compared, noRange, orNotBoolean, turnCost } from './closures.ts';
import type {
  CallCode,
  Code,
  CollectCode,
  EqualCode,
  IntsCode,
  LoopSlots,
  PathCode,
  PathStep,
  QuantifierCode,
} from './code.ts';
import { textWalk } from './costs.ts';
import { charge, chargeUnits, type Step } from './frame.ts';
import type { Planning } from './plan.ts';
import { has, keyed, selected } from './select.ts';
import { growingList, orNoSuchOverload, type Val } from './values.ts';

/**
 * JavaScript for an expression that is evaluated often: the same as its closures, without the calls from one to the
 * next, which take most of the time. Nothing of the expression's text gets into it: whatever is not a number or a
 * boolean is handed over as a constant.
 */
export function generate({ code, globals }: Planning): Step | undefined {
  const writer: Writer = {
    lines: [],
    constants: [],
    places: new Map(),
    names: 0,
    owed: 0,
    memos: new Map(),
    globals: new Set(globals.map(({ slot }) => slot)),
  };
  const result = write(writer, code);
  settle(writer);
  const constants = writer.constants.map((_, i) => `k${i} = k[${i}]`);
  const text = [
    "'use strict';",
    `const { ${Object.keys(helpers).join(', ')} } = h;`,
    ...(constants.length > 0 ? [`const ${constants.join(', ')};`] : []),
    'return (f) => {',
    'const s = f.slots, limit = f.limit;',
    ...[...writer.memos.values()].map((memo) => `let ${memo};`),
    ...writer.lines,
    `return ${result};`,
    '};',
  ].join('\n');
  try {
    return new Function('k', 'h', text)(writer.constants, helpers);
  } catch (thrown) {
    // A page's content security policy may forbid it; the closures do the same.
    if (thrown instanceof EvalError) return undefined;
    throw thrown;
  }
}

const helpers = {
  applied,
  charge,
  chargeUnits,
  compared,
  growingList,
  has,
  keyed,
  noRange,
  orNoSuchOverload,
  orNotBoolean,
  selected,
  textWalk,
};

interface Writer {
  readonly lines: string[];
  readonly constants: unknown[];
  /** Where each constant stands among them. */
  readonly places: Map<unknown, number>;
  names: number;
  /** What is to be paid before anything else can happen. */
  owed: number;
  /** Names below variables from outside are looked up once: where what stands there is kept. */
  readonly memos: Map<string, string>;
  /** The slots of variables from outside. */
  readonly globals: ReadonlySet<number>;
}

/** Writes the lines that evaluate something; the result is a name or literal of its value. */
function write(w: Writer, code: Code): string {
  switch (code.kind) {
    case 'constant':
      return literal(w, code.value);
    case 'slot':
      return slot(w, code.slot, code.cost);
    case 'path':
      return path(w, code);
    case 'logical':
      return logical(w, code.stop, code.left, code.right);
    case 'ints':
      return ints(w, code);
    case 'equal':
      return equality(w, code);
    case 'choice':
      return choice(w, code.test, code.yes, code.no);
    case 'call':
      return code.args.length === 1 || code.args.length === 2 ? call(w, code) : stepCall(w, closure(code));
    case 'quantifier':
      return code.slots.second === undefined ? quantifier(w, code) : stepCall(w, closure(code));
    case 'collect':
      return code.slots.second === undefined ? collect(w, code) : stepCall(w, closure(code));
    case 'other':
      return stepCall(w, code.step);
  }
}

function line(w: Writer, text: string): void {
  settle(w);
  w.lines.push(text);
}

function fresh(w: Writer, value?: string): string {
  const name = `v${w.names++}`;
  if (value === undefined) w.lines.push(`let ${name};`);
  else line(w, `let ${name} = ${value};`);
  return name;
}

const negativeZero = Symbol('-0');

function constant(w: Writer, value: unknown): string {
  // Maps take 0 and -0 for one key.
  const key = Object.is(value, -0) ? negativeZero : value;
  let at = w.places.get(key);
  if (at === undefined) {
    at = w.constants.push(value) - 1;
    w.places.set(key, at);
  }
  return `k${at}`;
}

function literal(w: Writer, value: Val): string {
  if (typeof value === 'bigint') return `${value}n`;
  return typeof value === 'boolean' || value === null ? String(value) : constant(w, value);
}

function pay(w: Writer, units: number): void {
  w.owed += units;
}

function settle(w: Writer): void {
  if (w.owed > 0) w.lines.push(`if ((f.cost += ${w.owed}) > limit) chargeUnits(f, 0);`);
  w.owed = 0;
}

function stepCall(w: Writer, step: Step): string {
  return fresh(w, `${constant(w, step)}(f)`);
}

function slot(w: Writer, at: number, cost: number): string {
  pay(w, cost);
  const name = fresh(w);
  w.lines.push(`${name} = s[${at}];`);
  return name;
}

/** Two branches, each of which may give the result. */
function branch(w: Writer, test: string, yes: () => void, no: () => void): void {
  line(w, `if (${test}) {`);
  yes();
  line(w, '} else {');
  no();
  line(w, '}');
}

const tagged = (name: string, kind: string) =>
  `typeof ${name} === 'object' && ${name} !== null && ${name}.kind === '${kind}'`;

/** A path from a map on; what else it may start from is left to the closures. */
function path(w: Writer, { of, steps, cost, otherwise }: PathCode): string {
  const from = write(w, of);
  const value = fresh(w);
  const memos = of.kind === 'slot' && w.globals.has(of.slot) ? memosOf(w, of.slot, steps) : [];
  branch(
    w,
    tagged(from, 'map'),
    () => {
      line(w, `${value} = ${from};`);
      steps.forEach((step, i) => {
        if (i > 0) line(w, `if (!(${tagged(value, 'error')})) {`);
        follow(w, value, step, memos[i]);
        pay(w, 1);
      });
      line(w, '}'.repeat(steps.length - 1));
      pay(w, cost);
    },
    () => line(w, `${value} = ${constant(w, otherwise)}(f, ${from});`),
  );
  return value;
}

function follow(w: Writer, value: string, step: PathStep, memo: string | undefined): void {
  if (step.kind === 'key') {
    line(w, `${value} = keyed(${value}, ${write(w, step.key)});`);
    return;
  }
  const selector = constant(w, step.selector);
  const ask = () => {
    const none = step.tests ? 'false' : `${selector}.missing()`;
    const found = `${memo === undefined ? '' : `${memo} = ${value}; `}${step.tests ? `${value} = true;` : ''}`;
    line(w, `if ((${value} = ${value}.select(${selector})) === undefined) ${value} = ${none};`);
    if (found !== '') line(w, `else if (!(${tagged(value, 'error')})) { ${found} }`);
  };
  const askMap = () => {
    if (memo === undefined) ask();
    else branch(w, `${memo} !== undefined`, () => line(w, `${value} = ${step.tests || memo};`), ask);
  };
  const askOther = () => line(w, `${value} = ${step.tests ? 'has' : 'selected'}(${value}, ${selector});`);
  branch(w, tagged(value, 'map'), askMap, askOther);
}

/** A variable for what stands under each of a path's first names. */
function memosOf(w: Writer, at: number, steps: readonly PathStep[]): string[] {
  const memos: string[] = [];
  let path = String(at);
  for (const step of steps) {
    if (step.kind !== 'name') break;
    // A key may have any characters, so that names must not run into each other.
    path += JSON.stringify(step.selector.name);
    const memo = w.memos.get(path) ?? `m${w.memos.size}`;
    w.memos.set(path, memo);
    memos.push(memo);
  }
  return memos;
}

function logical(w: Writer, stop: boolean, left: Code, right: Code): string {
  const result = fresh(w, String(stop));
  const a = write(w, left);
  line(w, `if (${a} !== ${stop}) {`);
  const b = write(w, right);
  line(w, `if (${b} !== ${stop})`);
  line(
    w,
    `${result} = ${a} !== ${!stop} ? orNoSuchOverload(${a}) : ${b} !== ${!stop} ? orNoSuchOverload(${b}) : ${!stop};`,
  );
  line(w, '}');
  return result;
}

function ints(w: Writer, { by, left, right, impl }: IntsCode): string {
  const a = write(w, left);
  const b = write(w, right);
  pay(w, 1);
  const both = [left, right].flatMap((side, i) => (isInt(side) ? [] : [`typeof ${[a, b][i]} === 'bigint'`]));
  return fresh(w, `${both.join(' && ') || true} ? ${a} ${by} ${b} : applied(${constant(w, impl)}, ${a}, ${b})`);
}

function isInt(code: Code): boolean {
  return code.kind === 'constant' && typeof code.value === 'bigint';
}

function equality(w: Writer, { wanted, left, right, cost }: EqualCode): string {
  const a = write(w, left);
  const b = write(w, right);
  const result = fresh(w);
  const both = (type: string) => `typeof ${a} === '${type}' && typeof ${b} === '${type}'`;
  const compare = () => line(w, `${result} = ${a} ${wanted ? '===' : '!=='} ${b};`);
  const texts = () => {
    line(w, `charge(f, textWalk(${a}, ${b}));`);
    compare();
  };
  const ints = () => {
    pay(w, 1);
    compare();
  };
  const others = () => line(w, `${result} = compared(f, ${a}, ${b}, ${wanted}, ${constant(w, cost)});`);
  branch(w, both('string'), texts, () => branch(w, both('bigint'), ints, others));
  return result;
}

function choice(w: Writer, test: Code, yes: Code, no: Code): string {
  const asked = write(w, test);
  const result = fresh(w);
  const answer = (code: Code) => () => line(w, `${result} = ${write(w, code)};`);
  const refuse = () => line(w, `${result} = orNotBoolean(${asked});`);
  branch(w, `${asked} === true`, answer(yes), () => branch(w, `${asked} === false`, answer(no), refuse));
  return result;
}

function call(w: Writer, { args, strict, impl, cost, paidFirst }: CallCode): string {
  const [first, second] = args as [Code, Code?];
  const a = write(w, first);
  const result = fresh(w, a);
  const invoke = () => {
    const b = second ? write(w, second) : 'null';
    const called = `${constant(w, impl)}(${a}, ${b}, null, null)`;
    const value = second ? `${tagged(b, 'error')} ? ${b} : ${called}` : called;
    const charged = (outcome: string) =>
      typeof cost === 'number'
        ? pay(w, cost)
        : line(w, `charge(f, ${constant(w, cost)}(${a}, ${b}, ${outcome}, null));`);
    if (paidFirst) charged('null');
    line(w, strict && second ? `${result} = ${value};` : `if (!(${tagged(a, 'error')})) ${result} = ${value};`);
    if (!paidFirst) charged(result);
  };
  if (strict && second) {
    line(w, `if (!(${tagged(a, 'error')})) {`);
    invoke();
    line(w, '}');
  } else invoke();
  return result;
}

// Comprehensions

/** The turns over a list's items or a map's keys; what is no range, and mostly an error, is the result. */
function turns(
  w: Writer,
  over: string,
  { first }: LoopSlots,
  result: string,
  turn: (at: string, size: string) => void,
) {
  const [items, adapt, size, at] = [fresh(w), fresh(w), fresh(w, '-1'), `i${w.names++}`];
  branch(
    w,
    tagged(over, 'list'),
    () => {
      line(w, `if (${over}.items === undefined) { ${items} = ${over}.raw; ${adapt} = ${over}.adapt; }`);
      line(w, `else ${items} = ${over}.items;`);
      line(w, `${size} = ${items}.length;`);
    },
    () => {
      line(w, `if (${tagged(over, 'map')}) { ${items} = ${over}.keys(); ${size} = ${items}.length; }`);
      line(w, `else ${result} = noRange(${over});`);
    },
  );
  line(w, `for (let ${at} = 0; ${at} < ${size}; ${at}++) {`);
  line(w, `s[${first}] = ${adapt} === undefined ? ${items}[${at}] : ${adapt}(${items}[${at}]);`);
  turn(at, size);
  line(w, '}');
  line(w, `if (${size} >= 0) {`);
  pay(w, 1);
  line(w, '}');
}

function quantifier(w: Writer, { stop, range, predicate, slots }: QuantifierCode): string {
  const cost = turnCost(stop);
  const over = write(w, range);
  const accu = `s[${slots.accu}]`;
  const result = fresh(w, String(!stop));
  line(w, `${accu} = ${!stop};`);
  turns(w, over, slots, result, (at, size) => {
    pay(w, cost.turn);
    const found = write(w, predicate);
    line(w, `if (${found} === ${stop}) {`);
    // The next turn finds out that there need be no more.
    line(w, `if (${at} + 1 < ${size}) chargeUnits(f, ${cost.test});`);
    line(w, `${result} = ${stop}; break;`);
    line(w, '}');
    line(w, `if (${found} !== ${!stop} && ${result} === ${!stop}) ${accu} = ${result} = orNoSuchOverload(${found});`);
  });
  return result;
}

function collect(w: Writer, { range, test, item, slots }: CollectCode): string {
  const over = write(w, range);
  const accu = `s[${slots.accu}]`;
  const list = fresh(w, 'growingList()');
  const result = fresh(w, list);
  line(w, `${accu} = ${list};`);
  turns(w, over, slots, result, () => {
    if (test) {
      const asked = write(w, test);
      line(w, `if (${asked} === false) continue;`);
      line(w, `if (${asked} !== true) { ${accu} = ${result} = orNotBoolean(${asked}); continue; }`);
    }
    pay(w, 1);
    const value = write(w, item);
    line(w, `if ((f.cost += ${newListCost}) > limit) charge(f, 0);`);
    pay(w, 1);
    line(w, `if (${result} === ${list}) {`);
    line(w, `if (${tagged(value, 'error')}) ${accu} = ${result} = ${value}; else ${list}.items.push(${value});`);
    line(w, '}');
  });
  line(w, `${list}.growing = false;`);
  return result;
}
