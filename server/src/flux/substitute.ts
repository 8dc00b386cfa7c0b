/** Flux's substitution of variables in a text. */
import { quote } from '../gostd/quote.ts';
import { made } from './functions.ts';
import { type Budget, TooMuchMatching } from './match.ts';
import { type Call, type Part, parseTemplate, SubstitutionError } from './parse.ts';

export type Variables = ReadonlyMap<string, string>;

/** What a substitution came to. */
export type Substituted = { readonly text: string } | { readonly error: string };

/** Steps of matching patterns in one text, and characters that are made of it. */
const mostMatching = 2_000_000;
const mostMade = 20_000_000;

/** Operators that say themselves what is to be done without a value. */
const mayBeUnset: ReadonlySet<string> = new Set(['-', '+', '=', '?', ':-', ':+', ':=', ':?']);

export interface SubstituteOptions {
  /** A variable that nobody sets, and for which there is no default, is an error. */
  readonly strict?: boolean;
  /** Variables of which nobody knows the value: what names one stays as it is written. */
  readonly leaves?: (name: string) => boolean;
}

/** A text with the values of its variables; one that nobody sets is empty. */
export function substituted(text: string, variables: Variables, options: SubstituteOptions = {}): Substituted {
  try {
    return { text: new Substitution(text, variables, options).of(parseTemplate(text)) };
  } catch (error) {
    if (error instanceof SubstitutionError || error instanceof TooMuchMatching) return { error: error.message };
    throw error;
  }
}

/** Whether something is wrong with a variable that nobody sets. */
export function needsValue({ op }: Call): boolean {
  return !mayBeUnset.has(op);
}

class Substitution {
  private readonly text: string;
  private readonly variables: Variables;
  private readonly options: SubstituteOptions;
  private readonly budget: Budget = { left: mostMatching };
  private room = mostMade;

  constructor(text: string, variables: Variables, options: SubstituteOptions) {
    this.text = text;
    this.variables = variables;
    this.options = options;
  }

  of(parts: readonly Part[]): string {
    return parts.map((part) => this.ofPart(part)).join('');
  }

  private ofPart(part: Part): string {
    return part.kind === 'text' ? part.text : this.ofCall(part);
  }

  private ofCall(call: Call): string {
    const { name, op, args, start, end } = call;
    const { strict, leaves } = this.options;
    if (leaves && callsOf(call).some((one) => leaves(one.name))) return this.text.slice(start, end);
    const given = args.map((arg) => this.ofPart(arg));
    const value = this.variables.get(name);
    if (value === undefined && strict && !mayBeUnset.has(op))
      throw new SubstitutionError(`variable not set (strict mode): ${quote(name)}`);
    const result = made(op, value ?? '', given, this.budget);
    this.room -= result.length;
    if (this.room < 0) throw new SubstitutionError('too much comes of the variables');
    return result;
  }
}

/** Names of variables, in Flux's words. */
export const variableName = '^[_[:alpha:]][_[:alpha:][:digit:]]*$';

export function isVariableName(name: string): boolean {
  return /^[_A-Za-z][_A-Za-z0-9]*$/.test(name);
}

/** All variables that a text names, the inner ones too, in their order. */
export function callsIn(text: string): readonly Call[] {
  try {
    return parseTemplate(text).flatMap(callsOf);
  } catch (error) {
    if (error instanceof SubstitutionError) return [];
    throw error;
  }
}

function callsOf(part: Part): readonly Call[] {
  return part.kind === 'text' ? [] : [part, ...part.args.flatMap(callsOf)];
}
