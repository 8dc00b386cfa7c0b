import { grouped } from '../../base/text.ts';
import { compile } from '../../cel/compile.ts';
import { estimateCost } from '../../cel/cost.ts';
import type { Macro } from '../../cel/macros.ts';
import type { Overload } from '../../cel/overload.ts';
import { schemaEnvironment } from '../../kubernetes/cel/environment.ts';
import { kubernetesVersions } from '../../kubernetes/releases/all.ts';
import { firstReleases } from '../../kubernetes/releases/environments.ts';
import type { RulePlace } from '../../workspace/rulePlace.ts';
import { blocks, code, fenced, type Markdown, md, own } from './markdown.ts';

/** The documentation of overloads: each signature, what they do, an example with its cost, and since when there are any. */
export function overloadsText(overloads: readonly Overload[], place: RulePlace): Markdown {
  const signatures = overloads.map(({ signature }) => signature).join('\n');
  const docs = [...new Set(overloads.map(({ doc }) => doc).filter(Boolean))];
  const example = overloads.find((overload) => overload.example !== '')?.example;
  const shown = example === undefined ? [] : [md`${code(example)}${costOf(example, place)}`];
  const since = sinceText(overloads.map(({ id }) => id));
  return blocks(fenced('cel', signatures), ...docs.map(own), ...shown, ...since.map(own));
}

/** The documentation of one form of a macro, as that of a function. */
export function macroText(macro: Macro, place: RulePlace): Markdown {
  const { doc, example } = macro;
  const shown = md`${code(example)}${costOf(example, place)}`;
  return blocks(fenced('cel', macroSignature(macro)), own(doc), shown, ...sinceText([macro]).map(own));
}

/** A macro's name as it is called: with its namespace where it has one. */
export function macroName({ name, on }: Macro): string {
  return on === 'cel' ? `cel.${name}` : name;
}

export function macroSignature(macro: Macro): string {
  return `${macroName(macro)}(${macro.parameters.map(({ name }) => name).join(', ')})`;
}

const costs = new Map<string, string>();

/** What an example costs at most, on the server that the rule is written for. */
function costOf(example: string, { kubernetes }: RulePlace): string {
  const key = `${kubernetes.name} ${example}`;
  let known = costs.get(key);
  if (known === undefined) {
    // Without a schema: what is said of a function must not depend on the rule that it was first asked for in.
    const { env, model } = schemaEnvironment(kubernetes, kubernetes.compatibility, undefined);
    const { expr, problems, unparsed } = compile(example, env);
    const clean = !unparsed && problems.length === 0;
    known = clean ? ` costs ${grouped(estimateCost(expr, model).total.max)}` : '';
    costs.set(key, known);
  }
  return known;
}

function sinceText(parts: readonly (string | Macro)[]): string[] {
  const releases = parts.map((one) => firstReleases(kubernetesVersions).get(one));
  if (parts.length === 0 || releases.includes(undefined)) return [];
  const [first] = releases.sort();
  return [`Available in new rules since Kubernetes ${first}.`];
}
