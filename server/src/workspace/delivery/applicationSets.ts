/** The Applications that an ApplicationSet makes, as far as that takes no cluster. */
import { append } from '../../base/append.ts';
import { memo } from '../../base/memo.ts';
import { isMap, isString, listAt, type Value, valueAt } from '../../base/value.ts';
import type { AppAt } from './appAt.ts';
import type { Delivery } from './index.ts';
import { type Delivered, nameOfDelivered, textIn } from './objects.ts';
import type { SetAt } from './setAt.ts';
import { patternsIn } from './setFiles.ts';
import { kindsIn, parametersOfGenerator } from './setGenerators.ts';
import { hasDirectives, type Patched, templatePatch, withTemplatePatch } from './setPatch.ts';
import { filledWithAnything, type Parameters, templated } from './setTemplates.ts';

/** Applications of one set. */
const mostMade = 300;

/** What a set makes, and the generators that are left out since only a cluster, or a file elsewhere, has what they need. */
export interface MadeOfSet {
  readonly apps: readonly AppAt[];
  readonly leftOut: readonly string[];
}

export function madeOfSet(delivery: Delivery, one: Delivered): MadeOfSet {
  return made(one, delivery);
}

/** The Applications that an object is, or makes. */
export function applicationsOf(delivery: Delivery, one: Delivered): readonly AppAt[] {
  if (one.kind === 'Application') return [{ of: one, name: one.name, spec: ['spec'] }];
  return one.kind === 'ApplicationSet' ? madeOfSet(delivery, one).apps : [];
}

const made = memo((one: Delivered, delivery: Delivery): MadeOfSet => {
  const isGo = valueAt(one.manifest.value, ['spec', 'goTemplate']) === true;
  const isStrict = listAt(one.manifest.value, ['spec', 'goTemplateOptions']).includes('missingkey=error');
  const generators = listAt(one.manifest.value, ['spec', 'generators']);
  const { patterns } = delivery.disk.setFiles;
  const isRead = (patternsIn(generators) ?? []).every((pattern) => patterns.has(pattern));
  const set: SetAt = { delivery, one, isGo, isStrict, isRead };
  const all: Parameters[] = [];
  const leftOut: string[] = [];
  const patch = textIn(one, 'spec', templatePatch);
  if (hasDirectives(patch)) return { apps: [], leftOut: [templatePatch] };
  for (const generator of generators) {
    const found = parametersOfGenerator(set, generator);
    if (found) append(all, found);
    else append(leftOut, kindsIn(generator));
  }
  const apps = all.slice(0, mostMade).flatMap((parameters, i) => appOf(set, parameters, i) ?? []);
  return { apps, leftOut };
});

/** The set with its template filled in, in which the Application is. */
function appOf({ one, isGo, isStrict }: SetAt, parameters: Parameters, nth: number): AppAt | undefined {
  const template = valueAt(one.manifest.value, ['spec', 'template']);
  const fill = (value: Value) => templated(value, parameters, { isGo, isStrict });
  const filled = template === undefined ? undefined : fill(template);
  const patched =
    filled === undefined ? undefined : withTemplatePatch(filled, fill(textIn(one, 'spec', templatePatch)));
  return patched === undefined ? undefined : appWith(one, patched, String(nth));
}

/**
 * What a set makes whose generators need a cluster, as far as its template says it: what those fill in may be anything. It is no
 * Application for whoever asks which there are.
 */
export function openApplicationsOf(delivery: Delivery, one: Delivered): readonly AppAt[] {
  if (one.kind !== 'ApplicationSet' || madeOfSet(delivery, one).leftOut.length === 0) return [];
  return openOf(one);
}

const openOf = memo((one: Delivered): readonly AppAt[] => {
  const template = valueAt(one.manifest.value, ['spec', 'template']);
  const patch = textIn(one, 'spec', templatePatch);
  const hasOwn = listAt(one.manifest.value, ['spec', 'generators']).some(hasTemplate);
  if (template === undefined || hasOwn || hasDirectives(patch)) return [];
  const [filled, text] = [filledWithAnything(template), filledWithAnything(patch)];
  const patched = filled === undefined ? undefined : withTemplatePatch(filled, text);
  const app = patched === undefined ? undefined : appWith(one, patched, 'any');
  return app ? [{ ...app, of: { ...app.of, shown: nameOfDelivered(one) } }] : [];
});

/** Generators may say more than the set's own template. */
function hasTemplate(generator: Value): boolean {
  return isMap(generator) && [...generator.values()].some((one) => isMap(one) && one.has('template'));
}

function appWith(one: Delivered, { value: filled, layers }: Patched, variant: string): AppAt | undefined {
  const spec = one.manifest.value.get('spec');
  const name = valueAt(filled, ['metadata', 'name']);
  if (!isMap(spec) || !isString(name)) return undefined;
  const value = new Map(one.manifest.value).set('spec', new Map(spec).set('template', filled));
  const { role, document, at, apiVersion, kind } = one.manifest;
  const of: Delivered = {
    ...one,
    manifest: { role, document, at, apiVersion, kind, value },
    variant,
    layers,
    variantOf: one,
    shown: `Application ${name}`,
  };
  return { of, name, spec: ['spec', 'template', 'spec'] };
}
