import { memo } from '../../base/memo.ts';
import { isMap, listAt, type Path, textAt, type ValueMap, valueAt } from '../../base/value.ts';
import { type Compiled, compile, issuesOf } from '../../cel/compile.ts';
import type { CelEnv, Structs } from '../../cel/env.ts';
import { programOf } from '../../cel/eval/run.ts';
import { type CelType, runtimeText } from '../../cel/types.ts';
import { byteLength } from '../../gostd/bytes.ts';
import { trimSpace } from '../../gostd/trim.ts';
import { type SchemaEnv, schemaEnvironment } from '../cel/environment.ts';
import { evalRules } from '../cel/runtime.ts';
import { child, type FieldPath, index, internalError, invalid, required, rootPath } from '../field.ts';
import { environmentName } from '../releases/environments.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import type { PolicyFinding } from './findings.ts';
import { type Host, hostsOf } from './hosts.ts';
import { withPatches } from './patchTypes.ts';
import {
  composed,
  type Declared,
  declaredObject,
  declaredObjects,
  declaredStruct,
  declaredStructs,
  policyVariables,
  variablesType,
  variableType,
} from './variables.ts';
import { worldEnvironment } from './worlds.ts';

/** An expression of a policy or of a webhook, with what it is compiled in. */
export interface PolicyExpression {
  readonly host: Host;
  readonly path: Path;
  readonly text: string;
  readonly schemaEnv: SchemaEnv;
  /** All variables that it knows, as fields of one object. */
  variables(): Declared;
}

/** The expressions of an object, in the order in which the API server takes them; `old` is what it replaces. */
export const policyExpressions = memo(
  (
    object: ValueMap,
    group: string,
    kind: string,
    kubernetes: KubernetesVersion,
    old: ValueMap | undefined,
  ): readonly PolicyExpression[] => {
    const hasParams = isMap(valueAt(object, ['spec', 'paramKind']));
    const composes = kind === 'MutatingAdmissionPolicy' || listAt(object, ['spec', 'variables']).length > 0;
    const own = new OwnVariables();
    return hostsOf(group, kind).flatMap((host) => {
      const stored = new Set(old && host.storedAt ? pathsOf(old, host.storedAt).map((path) => textAt(old, path)) : []);
      return pathsOf(object, host.path).map((path): PolicyExpression => {
        const text = textAt(object, path);
        if (host.world) {
          const { schemaEnv, variables } = worldEnvironment(host.world, kubernetes);
          return { host, path, text, schemaEnv, variables: () => variables };
        }
        const above = host.variables && composes ? own.above() : undefined;
        const isStored = stored.has(host.storedTrimmed ? trimSpace(text) : text);
        const { variables, schemaEnv } = environmentOf(host, hasParams, above, isStored, kubernetes);
        const one = { host, path, text, schemaEnv, variables };
        if (host.path[1] === 'variables' && trimSpace(text) !== '') {
          const { expr, problems, unparsed } = compiledOnce(one);
          const isRight = problems.length === 0 && !unparsed;
          own.add(textAt(object, [...path.slice(0, -1), 'name']), variableType(isRight ? expr.type : undefined));
        }
        return one;
      });
    });
  },
);

export const compiledOnce = memo(({ host, text, schemaEnv }: PolicyExpression): Compiled => {
  return compile(host.trimmed ? trimSpace(text) : text, schemaEnv.env);
});

/** The variables above an expression. */
export interface Above {
  typeOf(name: string): CelType | undefined;
  all(): ReadonlyMap<string, CelType>;
}

/** A policy's own variables. There may be many, and each knows those above it: they are not copied for it. */
export class OwnVariables {
  readonly #rows: { readonly name: string; readonly type: CelType }[] = [];
  readonly #byName = new Map<string, { readonly nth: number; readonly type: CelType }[]>();

  add(name: string, type: CelType): void {
    const nth = this.#rows.push({ name, type }) - 1;
    const same = this.#byName.get(name) ?? [];
    same.push({ nth, type });
    this.#byName.set(name, same);
  }

  above(): Above {
    const count = this.#rows.length;
    return {
      typeOf: (name) => this.#byName.get(name)?.findLast(({ nth }) => nth < count)?.type,
      all: () => new Map(this.#rows.slice(0, count).map(({ name, type }) => [name, type])),
    };
  }
}

/** The paths that a pattern leads to: of its last step also where there is nothing. */
export function pathsOf(object: ValueMap, pattern: readonly string[]): Path[] {
  let paths: Path[] = [[]];
  for (const step of pattern) {
    paths =
      step === '*'
        ? paths.flatMap((path) => listAt(object, path).map((_, i) => [...path, i]))
        : paths.map((path) => [...path, step]);
  }
  return paths;
}

function environmentOf(
  { params, authorizer, patches }: Host,
  hasParams: boolean,
  above: Above | undefined,
  isStored: boolean,
  kubernetes: KubernetesVersion,
): Pick<PolicyExpression, 'schemaEnv' | 'variables'> {
  const isKnown = (name: string) => {
    if (name === 'params') return params && hasParams;
    return name === 'variables' ? above !== undefined : authorizer || !name.startsWith('authorizer');
  };
  const known = Object.entries(policyVariables).filter(([name]) => isKnown(name));
  const { env: plain, model } = schemaEnvironment(kubernetes, environmentName(kubernetes, isStored), undefined);
  const base = patches ? withPatches(plain) : plain;
  const env: CelEnv = {
    ...base,
    idents: new Map([...base.idents, ...known.map(([name, [{ decl }]]) => [name, decl.type] as const)]),
    structs: structsOver(base.structs, above, kubernetes),
    qualified: {
      ...base.qualified,
      idents: new Set([...base.qualified.idents, 'kubernetes', ...(authorizer ? ['authorizer'] : [])]),
    },
  };
  const variables = () => {
    const own = known.map(([name, [type, doc]]) => {
      return [name, [name === 'variables' && above ? composed(above.all()) : type, doc]] as const;
    });
    return declaredObject('', Object.fromEntries(own));
  };
  return { schemaEnv: { env, model }, variables };
}

/** The types of the variables, and of what they hold. */
export function structsOver(outer: Structs, above: Above | undefined, kubernetes: KubernetesVersion): Structs {
  const declared = declaredStructs(declaredObjects, outer, kubernetes);
  return (name) => {
    if (name !== variablesType.name) return declared(name);
    return above && declaredStruct(variablesType, (field) => above.typeOf(field), kubernetes);
  };
}

/** What the API server says about an expression of admission. */
export function judgeExpression(one: PolicyExpression, kubernetes: KubernetesVersion): PolicyFinding[] {
  const { host, path, text } = one;
  const spot = spotOf(path);
  const trimmed = trimSpace(text);
  if (trimmed === '' && host.missing !== undefined) {
    return [required(spot, host.missing, { code: 'policy/expression-missing', facts: undefined })];
  }
  if (trimmed === '') {
    const about = { code: 'policy/expression-missing' as const, facts: undefined };
    return text === '' ? [] : [invalid(spot, text, 'must be non-empty if specified', kubernetes, about)];
  }
  if (host.longest !== undefined && byteLength(trimmed) > host.longest) {
    const detail = `must not exceed ${host.longest} bytes in length`;
    return [required(spot, detail, { code: 'policy/expression-limit', anchor: 'value' })];
  }
  return compileFindings(one, spot, kubernetes);
}

/** What compiling an expression says, of admission or not. */
export function compileFindings(
  one: PolicyExpression,
  spot: FieldPath,
  kubernetes: KubernetesVersion,
): PolicyFinding[] {
  const { host, text, schemaEnv } = one;
  const compiled = compiledOnce(one);
  const { detail, isInternal } = mistakeIn(compiled, schemaEnv.env, host, kubernetes) ?? {};
  if (detail === undefined) return [];
  const about = { code: 'policy/expression' as const, facts: { compiled, detail } };
  if (isInternal) return [internalError(spot, detail, { ...about, anchor: 'value' })];
  const shown = host.showsWhole ? text : compiled.text;
  return [invalid(spot, shown, detail, kubernetes, about)];
}

export function spotOf(path: Path): FieldPath {
  return path.reduce<FieldPath>(
    (spot, step) => (typeof step === 'number' ? index(spot, step) : child(spot, step)),
    rootPath,
  );
}

interface Mistake {
  readonly detail: string;
  /** The server blames itself. */
  readonly isInternal?: boolean;
}

function mistakeIn(compiled: Compiled, env: CelEnv, host: Host, kubernetes: KubernetesVersion): Mistake | undefined {
  // What the server would crash with is not told apart from what it would say.
  if (compiled.panic !== undefined) return undefined;
  const issues = issuesOf(compiled, env);
  if (issues !== undefined) return { detail: `compilation failed: ${issues}` };
  const wrongType = typeMistake(compiled.expr.type, host, kubernetes);
  if (wrongType !== undefined) return { detail: wrongType };
  const programmed = programOf(compiled, env, evalRules(kubernetes));
  if (!('error' in programmed)) return undefined;
  return { detail: `program instantiation failed: ${programmed.error}`, isInternal: true };
}

function typeMistake(type: CelType, { types, world }: Host, { cel }: KubernetesVersion): string | undefined {
  if (!types || types.includes(type)) return undefined;
  if (world) return world.wrongType(type, types);
  const wanted = types.map(runtimeText);
  const got = cel.namesWrongType ? ` but got ${runtimeText(type)}` : '';
  return `must evaluate to ${wanted.length === 1 ? wanted[0] : `one of [${wanted.join(' ')}]`}${got}`;
}

const byPath = memo((all: readonly PolicyExpression[]) => new Map(all.map((one) => [one.path.join('/'), one])));

/** The place of an expression in an object, of whatever kind; undefined where there is none. */
export function expressionOf(
  object: ValueMap,
  group: string,
  kind: string,
  path: Path,
  kubernetes: KubernetesVersion,
  old: ValueMap | undefined,
): PolicyExpression | undefined {
  return byPath(policyExpressions(object, group, kind, kubernetes, old)).get(path.join('/'));
}
