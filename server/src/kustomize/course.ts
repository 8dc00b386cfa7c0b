/**
 * A kustomization once more, after a few of its resources have changed: those alone go through its steps again. That comes to
 * the same where each step does to a resource what it does whatever is in others, and where no head has changed: what steps
 * select, count and refer to are kinds, names and metadata. Wherever that is not so, all is built anew.
 */
import { Accumulated } from './accumulator.ts';
import type { Config } from './config.ts';
import type { Context, Dependencies, Noted } from './context.ts';
import { attempt } from './failure.ts';
import type { Kustomization } from './kustomization.ts';
import type { Place } from './origin.ts';
import type { Resource } from './resource.ts';
import { ResourceSet } from './resourceSet.ts';
import { sameHead } from './same.ts';
import type { Transformer } from './transform/transformer.ts';

/** How resources of a kustomization came to what they are. */
export interface Course {
  /** What it read beside its resources. */
  readonly own: Dependencies;
  /** What its `resources` name, in their order. */
  readonly entries: readonly Entry[];
  /** The resources as they came, which nobody changes. */
  readonly inputs: readonly Resource[];
  readonly steps: readonly Transformer[];
  readonly whole: Place;
  /** By input: where among the results is what it has become; undefined where it was deleted, or put into another. */
  readonly results: ReadonlyMap<Resource, number>;
  /** What it said itself, rather than its bases; with the input that it was about. */
  readonly notes: readonly Noted[];
}

/** A file, or a folder with what its fields come to. */
export interface Entry {
  readonly path: string;
  readonly config: Config | undefined;
}

/** The fields with which nothing else is the same where a resource is not. */
const crossing = [
  ...['vars', 'replacements', 'components', 'transformers', 'generators', 'validators', 'helmCharts'],
  ...['helmChartInflationGenerator', 'openapi', 'buildMetadata'],
] as readonly (keyof Kustomization)[];

/** Whether a kustomization can be done again for some of its resources. */
export function isSteady(fields: Kustomization, steps: readonly Transformer[], made: Accumulated): boolean {
  const isEmpty = (name: keyof Kustomization) => {
    const field = fields[name];
    return field === undefined || (Array.isArray(field) && field.length === 0);
  };
  if (made.isPartial || made.vars.length > 0 || !crossing.every(isEmpty)) return false;
  return steps.every(({ isAlone }) => isAlone);
}

export function resultsOf({ set }: Accumulated): Map<Resource, number> {
  return new Map(set.list.flatMap(({ from }, i) => (from ? [[from, i]] : [])));
}

/** A result that is another now. */
export interface Changed {
  readonly at: number;
  readonly resource: Resource;
}

export interface Again {
  readonly changed: readonly Changed[];
  readonly course: Course;
}

/** So many are worth it. */
const mostAgain = 16;

/** `results` are what was made of the inputs before, or their heads. */
export function again(
  course: Course,
  results: readonly Resource[],
  config: Config,
  inputs: readonly Resource[],
  context: Context,
): Again | undefined {
  if (inputs.length !== course.inputs.length) return undefined;
  const moved = inputs.flatMap((one, i) => (one === course.inputs[i] ? [] : [i]));
  if (moved.length > mostAgain) return undefined;
  const isSteady = moved.every((i) => {
    const before = course.inputs[i]!;
    return course.results.has(before) && sameHead(inputs[i]!, before);
  });
  if (!isSteady) return undefined;
  const firstNote = context.notes.length;
  const live = moved.map((i) => copyOf(inputs[i]!));
  const done = attempt(() => run(course, live, config, context));
  const said = context.notes.splice(firstNote).map((one) => ({ ...one, about: one.about?.from }));
  if (!done.value) return undefined;
  const changed = moved.map((i, k) => ({ at: course.results.get(course.inputs[i]!)!, resource: live[k]! }));
  if (!changed.every(({ at, resource }) => sameHead(resource, results[at]!))) return undefined;
  return { changed, course: { ...courseWith(course, inputs, moved), notes: notesWith(course, moved, said) } };
}

/** To be changed, and knowing what it was. */
export function copyOf(resource: Resource): Resource {
  const copy = resource.clone();
  copy.from = resource;
  return copy;
}

/** Takes a few resources through all steps, and says whether all of them are left. */
function run({ steps, whole }: Course, live: readonly Resource[], config: Config, context: Context): boolean {
  const made = new Accumulated();
  made.config = config;
  made.set = new ResourceSet([...live]);
  // Most of what steps are for is not here, which is not an error.
  made.isPartial = true;
  for (const step of live.length > 0 ? steps : []) {
    made.set.changed();
    step.transform(made, context);
    made.set.dropEmpty();
  }
  for (const resource of live) resource.touch({ what: 'kustomization', place: whole });
  const { list } = made.set;
  return list.length === live.length && list.every((one, i) => one === live[i]);
}

function courseWith(course: Course, inputs: readonly Resource[], moved: readonly number[]): Course {
  if (moved.length === 0) return course;
  const results = new Map(course.results);
  for (const i of moved) {
    const before = course.inputs[i]!;
    results.set(inputs[i]!, results.get(before)!);
    results.delete(before);
  }
  return { ...course, inputs, results };
}

function notesWith({ notes, inputs }: Course, moved: readonly number[], said: readonly Noted[]): readonly Noted[] {
  const gone = new Set(moved.map((i) => inputs[i]));
  return [...notes.filter(({ about }) => !about || !gone.has(about)), ...said];
}
