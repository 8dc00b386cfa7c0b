import { readdirSync, readFileSync } from 'node:fs';
import { quoteIfNeeded } from '../../server/src/yaml/quoting.ts';
import { type Random, seeded } from '../support/random.ts';
import { ruleOver } from './rules.ts';
import { type Json, type Members, members, objectSchema, statusSchema, valueFor } from './schema.ts';
import { groups, kindAdjectives, kindNouns } from './vocabulary.ts';

export interface WorldFile {
  readonly uri: string;
  readonly text: string;
}

/** CRDs and resources of realistic shapes, with the repository's own examples: the same ones everywhere. */
export interface World {
  readonly crds: readonly WorldFile[];
  readonly resources: readonly WorldFile[];
}

export interface WorldSize {
  readonly kinds: number;
  readonly resourcesEach: number;
  readonly rulesEach: number;
}

export function makeWorld({ kinds, resourcesEach, rulesEach }: WorldSize): World {
  const random = seeded(17);
  const crds: WorldFile[] = [];
  const resources: WorldFile[] = [];
  for (let i = 0; i < kinds; i++) {
    const one = makeKind(random, i, rulesEach);
    crds.push({ uri: `file:///probe/crds/${one.plural}.yaml`, text: inStyle(random, one.crd) });
    for (let j = 0; j < resourcesEach; j++) {
      const text = inStyle(random, resource(random, one, j));
      resources.push({ uri: `file:///probe/resources/${one.plural}-${j}.yaml`, text });
    }
  }
  return { crds: [...crds, ...examples('examples/crds')], resources: [...resources, ...examples('examples')] };
}

/** Those without deliberate mistakes. */
function examples(folder: string): WorldFile[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith('database') && !name.includes('mistakes'))
    .map((name) => ({ uri: `file:///probe/${folder}/${name}`, text: readFileSync(`${folder}/${name}`, 'utf8') }));
}

interface Kind {
  readonly kind: string;
  readonly plural: string;
  readonly apiVersion: string;
  readonly spec: Members;
  readonly crd: Members;
}

function makeKind(random: Random, i: number, rulesEach: number): Kind {
  const noun = kindNouns[i % kindNouns.length]!;
  const kind = `${kindAdjectives[Math.floor(i / kindNouns.length) % kindAdjectives.length]}${noun}`;
  const plural = `${kind.toLowerCase().replace(/(?<=[^aeiou])y$/, 'ie')}${/(?:s|sh|ch)$/.test(kind) ? 'es' : 's'}`;
  const group = random.pick(groups);
  const spec = objectSchema(random, 3);
  addRules(random, spec, rulesEach);
  const schema = { type: 'object', required: ['spec'], properties: { spec, status: statusSchema() } };
  const names = { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() };
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, names, scope: random.chance(0.8) ? 'Namespaced' : 'Cluster', versions: [version(random, schema)] },
  };
  return { kind, plural, apiVersion: `${group}/v1`, spec, crd };
}

function version(random: Random, schema: Members): Members {
  const columns = [
    ...scalarColumns(random, members(members(members(schema.properties).spec).properties)),
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ];
  return {
    name: 'v1',
    served: true,
    storage: true,
    additionalPrinterColumns: columns,
    subresources: { status: {} },
    schema: { openAPIV3Schema: schema },
  };
}

function scalarColumns(random: Random, properties: Members): Members[] {
  const scalars = Object.entries(properties).filter(([, one]) =>
    ['string', 'integer', 'boolean'].includes(String(members(one).type)),
  );
  if (scalars.length === 0) return [];
  const [name, schema] = random.pick(scalars);
  return [
    { name: `${name[0]!.toUpperCase()}${name.slice(1)}`, type: members(schema).type!, jsonPath: `.spec.${name}` },
  ];
}

/** Rules at the spec and at objects and items below it. */
function addRules(random: Random, spec: Members, count: number): void {
  const below = Object.values(members(spec.properties)).flatMap((one) => {
    const object = 'properties' in members(one) ? members(one) : members(members(one).items);
    return 'properties' in object ? [object] : [];
  });
  const seen = new Set<string>();
  for (let tries = 0; seen.size < count && tries < count * 4; tries++) {
    const object = below.length > 0 && random.chance(0.4) ? random.pick(below) : spec;
    const rule = ruleOver(random, object);
    if (rule === undefined || seen.has(rule)) continue;
    seen.add(rule);
    const rules = object['x-kubernetes-validations'];
    object['x-kubernetes-validations'] = [...(Array.isArray(rules) ? rules : []), { rule, message: 'must hold' }];
  }
}

function resource(random: Random, { kind, plural, apiVersion, spec }: Kind, i: number): Members {
  const metadata = { name: `${plural}-${i}`, labels: { app: 'web' } };
  return { apiVersion, kind, metadata, spec: valueFor(random, 'spec', spec) };
}

interface Style {
  /** Dashes stand further in than the key above, as in Helm charts, or in its column, as controller-gen writes them. */
  readonly indented: boolean;
  /** How likely a short list of words stands in brackets. */
  readonly flow: number;
  readonly random: Random;
}

function inStyle(random: Random, value: Members): string {
  return `${block(value, '', { indented: random.chance(0.5), flow: random.chance(0.3) ? 0.6 : 0, random })}\n`;
}

function block(value: Members, indent: string, style: Style): string {
  return Object.entries(value)
    .map(([key, one]) => `${comment(indent, style)}${indent}${quoteIfNeeded(key)}:${below(one, indent, style)}`)
    .join('\n');
}

function comment(indent: string, { random }: Style): string {
  return random.chance(0.01) ? `${indent}# see the handbook\n` : '';
}

function below(value: Json, indent: string, style: Style): string {
  if (isList(value)) return list(value, indent, style);
  if (typeof value !== 'object') return ` ${scalar(value)}`;
  return Object.keys(value).length === 0 ? ' {}' : `\n${block(value, `${indent}  `, style)}`;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function list(items: readonly Json[], indent: string, style: Style): string {
  if (items.length === 0) return ' []';
  const words = items.every((item) => typeof item !== 'object');
  if (words && style.random.chance(style.flow)) return ` [${items.map(scalar).join(', ')}]`;
  const dash = style.indented ? `${indent}  ` : indent;
  const rows = items.map((item) => {
    if (typeof item !== 'object') return `${dash}- ${scalar(item)}`;
    return `${dash}- ${block(members(item), `${dash}  `, style).trimStart()}`;
  });
  return `\n${rows.join('\n')}`;
}

function scalar(value: Json): string {
  return typeof value === 'string' ? quoteIfNeeded(value) : String(value);
}
