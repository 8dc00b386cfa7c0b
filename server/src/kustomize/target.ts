/** One kustomization, built: its resources, what it generates, its components, and what it does to all of them. */
import { quote as goQuote } from '../gostd/quote.ts';
import { absorb } from './absorb.ts';
import { Accumulated } from './accumulator.ts';
import type { Building } from './building.ts';
import { configText, defaultConfig, mergeConfigs, noConfig } from './config.ts';
import type { KustomizationFile } from './configFile.ts';
import { loadConfigurations, loadCrds } from './configFiles.ts';
import { type Dependencies, type Noted, newDependencies } from './context.ts';
import { again, type Course, copyOf, type Entry, isSteady, resultsOf } from './course.ts';
import { asFailure, attempt, Failure, fail, prefixed } from './failure.ts';
import { generate, mergedOptions } from './generators.ts';
import { type ChartWanted, chartsWanted, resourcesOfChart } from './helmCharts.ts';
import type { GeneratorArgs } from './kustomization.ts';
import { loadKustomization } from './kustomizationFile.ts';
import { isRemoteFile, isWithin, type Loader } from './loader.ts';
import {
  addOrigin,
  addTransformation,
  annotate,
  fileOrigin,
  joined,
  type PluginId,
  pluginOrigin,
  type Trail,
} from './metadata.ts';
import { type Place, placeIn } from './origin.ts';
import { parseResources } from './parse.ts';
import { isBuiltin, pluginChart, pluginGenerator, pluginTransformer } from './plugins.ts';
import { isRepository } from './remote.ts';
import { originKey, type Resource } from './resource.ts';
import { placeOf, ResourceSet } from './resourceSet.ts';
import { sameResource, settled } from './same.ts';
import { useSchema } from './schemas.ts';
import { type KeptBase, keptOf } from './session.ts';
import { builtinTransformers } from './steps.ts';
import { parseFile } from './transform/patches.ts';
import type { Transformer } from './transform/transformer.ts';
import { type KnownPieces, resourceSource, type TextSource } from './tree/read.ts';
import type { LeftOutReason } from './types.ts';

export class Target implements Building {
  readonly loader: Loader;
  readonly kustomization: KustomizationFile;
  /** Where we are, where `buildMetadata` wants to know it. */
  readonly trail: Trail | undefined;
  /** What it reads beside its resources, where somebody wants to know. */
  own: Dependencies | undefined;
  private readonly entries: Entry[] = [];
  private readonly inputs: Resource[] = [];
  private steps: readonly Transformer[] = [];
  private notes: readonly Noted[] = [];

  constructor(loader: Loader, trail: Trail | undefined) {
    this.loader = loader;
    this.trail = trail;
    loader.context.enterKustomization(loader.depth);
    this.kustomization = loadKustomization(loader);
    loader.namespace = this.kustomization.fields.namespace || loader.namespace;
  }

  get context() {
    return this.loader.context;
  }

  get file() {
    return this.kustomization.file;
  }

  get fields() {
    return this.kustomization.fields;
  }

  leaveOut(made: Accumulated, reason: LeftOutReason, what: string, place: Place): void {
    this.context.leftOut.push({ reason, what, place });
    made.isPartial = true;
  }

  /** What needs something from elsewhere is left out. */
  known<T>(made: Accumulated, act: () => T): T | undefined {
    const done = attempt(act);
    if (done.failure === undefined) return done.value;
    if (done.failure.kind !== 'unknown') throw done.failure;
    this.leaveOut(made, 'remote', done.failure.message, done.failure.place ?? this.file.whole);
    return undefined;
  }

  /** A component works on what its parent has; anything else begins with nothing. */
  accumulate(start = new Accumulated()): Accumulated {
    const { fields, file, loader, context } = this;
    const firstNote = context.notes.length;
    noteDeprecated(this);
    let made = start;
    const resources = [...(fields.resources ?? []), ...(fields.bases ?? [])];
    const own = fields.resources?.length ?? 0;
    const placeAt = (i: number) => (i < own ? file.place(['resources', i]) : file.place(['bases', i - own]));
    const said = context.notes.slice(firstNote);
    if (this.own) this.own.isPaused = true;
    made = named('accumulating resources', () => this.accumulateResources(made, resources, placeAt));
    if (this.own) this.own.isPaused = false;
    const behind = context.notes.length;
    const { configurations = [] } = fields;
    const added = this.known(made, () =>
      loadConfigurations(loader, configurations, (i) => file.place(['configurations', i])),
    );
    const config = mergeConfigs(defaultConfig(), added ?? noConfig);
    named(
      () => `merging config ${configText(config)}`,
      () => made.mergeConfig(config),
    );
    const crds = fields.crds ?? [];
    const load = () => loadCrds(loader, crds, (i) => file.place(['crds', i]));
    made.mergeConfig(this.known(made, () => named(`loading CRDs [${crds.join(' ')}]`, load)) ?? noConfig);
    this.runGenerators(made);
    made = named('accumulating components', () => this.accumulateComponents(made));
    this.runTransformers(made);
    for (const resource of made.set.list) resource.touch({ what: 'kustomization', place: file.whole });
    this.checkValidators(made);
    const vars = fields.vars ?? [];
    const shown = () => `merging vars [${vars.map(varShown).join(' ')}]`;
    named(shown, () => made.mergeVars(vars, (i) => file.place(['vars', i])));
    this.notes = [...said, ...context.notes.slice(behind)];
    this.context.countResources(made.set.list.length);
    return made;
  }

  /** How it was built, where it can be built again for a few of its resources. */
  course(made: Accumulated): Course | undefined {
    if (!this.own || !this.context.isKept || !isSteady(this.fields, this.steps, made)) return undefined;
    const { own, entries, inputs, steps } = this;
    const notes = this.notes.map((one) => ({ ...one, about: one.about?.from }));
    return { own, entries, inputs, steps, whole: this.file.whole, results: resultsOf(made), notes };
  }

  private accumulateResources(
    made: Accumulated,
    paths: readonly string[],
    placeAt: (index: number) => Place,
  ): Accumulated {
    let result = made;
    for (const [i, path] of paths.entries()) result = this.accumulateResource(result, path, placeAt(i));
    return result;
  }

  private accumulateResource(made: Accumulated, path: string, place: Place): Accumulated {
    if (isRemoteFile(path)) {
      this.leaveOut(made, 'remote', path, place);
      return made;
    }
    const asFile = attempt(() => this.accumulateFile(made, path));
    if (asFile.failure === undefined) return made;
    if (asFile.failure.kind === 'bound') throw asFile.failure;
    if (isRepository(path)) {
      this.leaveOut(made, 'remote', path, place);
      return made;
    }
    const error = asFile.failure;
    const entered = attempt(() => this.loader.enter(path));
    if (error.kind === 'panic') throw error;
    const words = `accumulation err='${error.message}'`;
    if (entered.failure) {
      if (error.message.includes('MalformedYAMLError')) throw new Failure(error.message, error.place ?? place);
      throw new Failure(`${words}: ${entered.failure.message}`, error.place ?? entered.failure.place ?? place);
    }
    const inside = attempt(() => this.accumulateDirectory(made, entered.value, path, false));
    if (inside.failure) throw prefixed(words, inside.failure, place);
    return inside.value;
  }

  private accumulateFile(made: Accumulated, path: string): void {
    const words = `accumulating resources from '${path}'`;
    const { resources, read } = named(words, () => {
      const read = resourcesIn(this.loader, path);
      // Nobody else has what is not kept.
      return { read, resources: this.context.options.session ? read.map(copyOf) : read };
    });
    if (this.trail) for (const resource of resources) annotate(resource, fileOrigin(joined(this.trail, path)));
    if (resources.length === 0) made.isUnfilled = true;
    named(`merging resources from '${path}'`, () => made.set.appendAll(resources));
    this.entries.push({ path, config: undefined });
    for (const one of read) this.inputs.push(one);
  }

  private accumulateComponents(made: Accumulated): Accumulated {
    let result = made;
    for (const [i, path] of (this.fields.components ?? []).entries()) {
      const place = this.file.place(['components', i]);
      if (isRepository(path)) {
        this.leaveOut(result, 'remote', path, place);
        continue;
      }
      const entered = attempt(() => this.loader.enter(path));
      if (entered.failure) throw quoted('loader.New', entered.failure, place);
      const inside = attempt(() => this.accumulateDirectory(result, entered.value, path, true));
      if (inside.failure) throw quoted('accumulateDirectory:', inside.failure, place);
      result = inside.value;
    }
    return result;
  }

  private accumulateDirectory(made: Accumulated, loader: Loader, path: string, isComponent: boolean): Accumulated {
    const trail = this.trail && { path: joined(this.trail, path) };
    if (isComponent) return this.accumulateComponent(made, loader, trail);
    const base = trail ? { made: buildBase(loader, trail), kept: undefined } : baseOf(loader);
    const inside = base.made;
    named(`recursed merging from path '${loader.root}'`, () => made.absorb(inside));
    this.entries.push({ path, config: inside.config });
    for (const one of base.kept ?? []) this.inputs.push(one);
    return made;
  }

  private accumulateComponent(made: Accumulated, loader: Loader, trail: Trail | undefined): Accumulated {
    const target = enteredTarget(loader, trail, made);
    const { kind = 'Kustomization' } = target.fields;
    if (kind !== 'Component')
      fail(`expected kind 'Component' for path '${loader.root}' but got '${kind}'`, target.file.place(['kind']));
    return named(`recursed accumulation of path '${loader.root}'`, () => target.accumulate(made));
  }

  private runGenerators(made: Accumulated): void {
    made.set.changed();
    const builtin = [...this.builtinGenerators(), ...this.chartGenerators(made)];
    const external = named('loading generator plugins', () => this.externalGenerators(made));
    for (const { make, origin } of [...builtin, ...external]) {
      const resources = this.known(made, make) ?? [];
      const pointer = origin === undefined ? '<nil>' : '0xc000000000';
      if (origin !== undefined) for (const one of resources) addOrigin(one, origin);
      named(`merging from generator &{0xc000000000 ${pointer}}`, () => {
        for (const one of resources) absorb(made, one);
      });
    }
  }

  private chartGenerators(made: Accumulated): Generator[] {
    const { file, fields, loader } = this;
    return chartsWanted(fields, file, loader).map((one) => {
      return {
        make: () => this.chartOf(one, made),
        origin: this.pluginText({ apiVersion: 'builtin', kind: 'HelmChartInflationGenerator' }),
      };
    });
  }

  private chartOf(wanted: ChartWanted, made: Accumulated): Resource[] | undefined {
    const found = resourcesOfChart(wanted, this.loader);
    if (!found) this.leaveOut(made, 'helm', wanted.chart.name ?? '', wanted.place);
    return found;
  }

  private pluginText(
    id: PluginId,
    configuredIn = this.trail && joined(this.trail, this.kustomization.name),
  ): string | undefined {
    return configuredIn === undefined ? undefined : pluginOrigin(configuredIn, id);
  }

  private builtinGenerators(): Generator[] {
    const { file, fields, loader } = this;
    const of = (name: 'configMapGenerator' | 'secretGenerator') =>
      (fields[name] ?? []).map((args, i): Generator => {
        const kind = name === 'secretGenerator' ? 'Secret' : 'ConfigMap';
        const options = mergedOptions(args.options, fields.generatorOptions);
        const given: GeneratorArgs = options ? { ...args, options } : args;
        const at = [name, i];
        const own = (field: string, key: string) =>
          args.options &&
          (field === 'immutable' ? args.options.immutable : (args.options[field as 'labels'] ?? new Map()).has(key));
        const make = () =>
          generate(kind, given, loader, {
            whole: file.place(at),
            name: file.place([...at, 'name']),
            literal: (index, start, end) => file.placeWithin([...at, 'literals', index], start, end),
            file: (index) => file.place([...at, 'files', index]),
            env: (index) =>
              index < (args.envs?.length ?? 0) ? file.place([...at, 'envs', index]) : file.place([...at, 'env']),
            option: (field, key) => {
              const root = own(field, key) ? [...at, 'options'] : ['generatorOptions'];
              return file.place(key === '' ? [...root, field] : [...root, field, key]);
            },
          });
        return { make: () => [make()], origin: this.pluginText({ apiVersion: 'builtin', kind: `${kind}Generator` }) };
      });
    return [...of('configMapGenerator'), ...of('secretGenerator')];
  }

  private externalGenerators(made: Accumulated): Generator[] {
    return this.pluginResources(made, 'generators').flatMap((resource): Generator[] => {
      const place = placeOf(resource) ?? this.file.place(['generators']);
      if (!isBuiltin(resource) || resource.kind === 'IAMPolicyGenerator') {
        this.leaveOut(made, 'plugin', resource.kind, place);
        return [];
      }
      const loaded = attempt(() => this.makerOf(resource, made));
      if (loaded.failure) throw prefixed('failed to load generator', loaded.failure, place);
      return [{ make: loaded.value, origin: this.originOfPlugin(resource) }];
    });
  }

  private makerOf(resource: Resource, made: Accumulated): Generator['make'] {
    if (resource.kind === 'HelmChartInflationGenerator') {
      const wanted = pluginChart(resource, this.loader);
      return () => this.chartOf(wanted, made);
    }
    const make = pluginGenerator(resource, this.loader);
    return () => [make()];
  }

  private originOfPlugin(resource: Resource): string | undefined {
    const origin = resource.annotations.get(originKey);
    if (!this.trail || origin === undefined) return undefined;
    const path = /^path: (.*)\n$/.exec(origin)?.[1] ?? '';
    const { apiVersion, kind, name, namespace } = resource;
    return pluginOrigin(path, { apiVersion, kind, name, namespace });
  }

  /** Resources that configure plugins: written in place, in files, or in kustomizations of their own. */
  private pluginResources(made: Accumulated, field: 'generators' | 'transformers' | 'validators'): Resource[] {
    let all = new Accumulated();
    const paths: { readonly path: string; readonly place: Place }[] = [];
    for (const [i, text] of (this.fields[field] ?? []).entries()) {
      const at = [field, i];
      const source: TextSource = this.file.textAt(at, text, 0, 'kustomization');
      const inline = attempt(() => uniqueIds(parseResources(source)));
      if (inline.failure) {
        paths.push({ path: text, place: this.file.place(at) });
        continue;
      }
      if (this.trail)
        for (const one of inline.value) one.note(originKey, fileOrigin(joined(this.trail, this.kustomization.name)));
      const words = `configuring external ${field === 'generators' ? 'generator' : 'transformer'}`;
      named(words, () => all.set.appendAll(inline.value));
    }
    for (const { path, place } of paths) all = this.accumulateResource(all, path, place);
    if (all.isPartial) made.isPartial = true;
    return all.set.list;
  }

  private runTransformers(made: Accumulated): void {
    this.steps = builtinTransformers(this, made);
    const builtin = this.steps.map((step) => ({
      step,
      origin: this.pluginText({ apiVersion: 'builtin', kind: step.plugin }),
    }));
    const external = this.externalTransformers(made, 'transformers');
    for (const { step, origin } of [...builtin, ...external]) {
      this.run(step, made);
      if (origin !== undefined)
        for (const resource of made.set.list) if (resource.node) addTransformation(resource, origin);
      made.set.dropEmpty();
      made.set.changed();
    }
  }

  private run(step: Transformer, made: Accumulated): void {
    made.set.changed();
    this.context.visit(made.set.list.length);
    try {
      step.transform(made, this.context);
    } catch (error) {
      const failure = asFailure(error);
      throw new Failure(failure.message, failure.place ?? step.place, failure.kind);
    }
  }

  private externalTransformers(made: Accumulated, field: 'transformers' | 'validators'): Step[] {
    return this.pluginResources(made, field).flatMap((resource): Step[] => {
      const place = placeOf(resource) ?? this.file.place([field]);
      if (!isBuiltin(resource)) {
        this.leaveOut(made, 'plugin', resource.kind, place);
        return [];
      }
      const step = this.known(made, () => pluginTransformer(resource, this.loader));
      return step ? [{ step, origin: this.originOfPlugin(resource) }] : [];
    });
  }

  /** Validators change nothing; those of others are not run. */
  private checkValidators(made: Accumulated): void {
    for (const { step } of this.externalTransformers(made, 'validators'))
      this.leaveOut(made, 'plugin', step.plugin, this.file.place(['validators']));
  }
}

interface Generator {
  readonly make: () => readonly Resource[] | undefined;
  readonly origin: string | undefined;
}

interface Step {
  readonly step: Transformer;
  readonly origin: string | undefined;
}

/** The parts of a text may not be the same resource. */
function uniqueIds(resources: Resource[]): Resource[] {
  new Accumulated().set.appendAll(resources);
  return resources;
}

function varShown({ name = '', objref = {}, fieldref = {} }: NonNullable<Target['fields']['vars']>[number]): string {
  const { group, version, kind } = objref;
  return `{${name} ${kind || '[noKind]'}.${version || '[noVer]'}.${group || '[noGrp]'} {${fieldref.fieldPath ?? ''}}}`;
}

function named<T>(words: string | (() => string), act: () => T): T {
  try {
    return act();
  } catch (error) {
    const failure = asFailure(error);
    if (failure.kind === 'bound' || failure.kind === 'panic') throw failure;
    throw prefixed(words, failure);
  }
}

function quoted(words: string, failure: Failure, place: Place): Failure {
  if (failure.kind === 'bound' || failure.kind === 'panic') return failure;
  return new Failure(`${words} ${goQuote(failure.message)}`, failure.place ?? place, failure.kind);
}

function enteredTarget(loader: Loader, trail: Trail | undefined, made: Accumulated): Target {
  const target = named(`couldn't make target for path '${loader.root}'`, () => new Target(loader, trail));
  useSchema(target, made, false);
  return target;
}

function buildBase(loader: Loader, trail: Trail | undefined): Accumulated {
  const start = new Accumulated();
  const target = baseTarget(loader, trail, start);
  return named(`recursed accumulation of path '${loader.root}'`, () => target.accumulate(start));
}

function baseTarget(loader: Loader, trail: Trail | undefined, start: Accumulated): Target {
  const target = enteredTarget(loader, trail, start);
  if (target.fields.kind === 'Component')
    fail(`expected kind != 'Component' for path '${loader.root}'`, target.file.place(['kind']));
  return target;
}

/** What is parsed of a file is kept. */
function resourcesIn(loader: Loader, shown: string): readonly Resource[] {
  const { file, path } = loader.load(shown);
  const { parsed, read } = keptOf(loader.context.options.session);
  let known = parsed.get(file);
  if (!known) {
    known = new Map();
    parsed.set(file, known);
  }
  const key = `resources ${path}`;
  let resources = known.get(key) as readonly Resource[] | undefined;
  if (!resources) {
    const before = read.get(path);
    const pieces: KnownPieces = new Map(before?.pieces);
    const all = uniqueIds(parseFile(shown, resourceSource(file.text, path, pieces)));
    for (const one of all) one.touch({ what: 'resource', place: placeOf(one) ?? placeIn(path) });
    resources = settled(all, before?.resources, sameResource);
    known.set(key, resources);
    read.set(path, { resources, pieces });
  }
  return resources;
}

interface Base {
  /** To be changed. */
  readonly made: Accumulated;
  /** What is kept of it, in the same order. */
  readonly kept: readonly Resource[] | undefined;
}

/** A base as it was built before, if nothing that it rests on has changed. */
function baseOf(loader: Loader): Base {
  const { context } = loader;
  if (!context.options.session || !context.isKept) return { made: buildBase(loader, undefined), kept: undefined };
  const known = knownBase(loader) ?? builtBase(loader);
  return known instanceof Accumulated ? { made: known, kept: undefined } : copyOfBase(known);
}

function copyOfBase({ made }: KeptBase): Base {
  const copy = made.copy();
  for (const [i, one] of copy.set.list.entries()) one.from = made.set.list[i];
  return { made: copy, kept: made.set.list };
}

function keyOf({ context, root }: Loader): string {
  return `${context.options.anyFile ? 'any ' : ''}${context.options.wording ?? ''} ${root}`;
}

/** From memory, with what has changed of it made again; undefined where it has to be built. */
function knownBase(loader: Loader): KeptBase | undefined {
  const { context } = loader;
  const { bases } = keptOf(context.options.session);
  const key = keyOf(loader);
  const kept = bases.get(key);
  if (!kept) return undefined;
  const current = isCurrent(kept.rests, loader) ? kept : baseAgain(loader, kept);
  if (!current) return undefined;
  bases.set(key, current);
  for (const recorder of context.recorders) {
    if (recorder.isPaused) continue;
    for (const [path, file] of current.rests.files) recorder.files.set(path, file);
    for (const [path, is] of current.rests.folders) recorder.folders.set(path, is);
    for (const one of current.rests.roots) recorder.roots.add(one);
  }
  for (const one of current.leftOut) context.leftOut.push(one);
  for (const one of current.notes) context.notes.push(one);
  return current;
}

function isCurrent({ files, folders, roots }: Dependencies, loader: Loader): boolean {
  const { context } = loader;
  for (const [path, file] of files) if (context.files.file(path) !== file) return false;
  for (const [path, is] of folders) if (context.files.isFolder(path) !== is) return false;
  for (let at = loader.referrer; at; at = at.referrer)
    for (const root of roots) if (isWithin(at.root, root)) return false;
  return true;
}

/** What has changed of a base, made again; its notes with those of its own bases. */
function baseAgain(loader: Loader, { course, made }: KeptBase): KeptBase | undefined {
  const { context, root } = loader;
  if (!course) return undefined;
  const rests = newDependencies();
  rests.roots.add(root);
  context.recorders.push(rests);
  const [left, firstNote] = [context.leftOut.length, context.notes.length];
  try {
    const inputs = inputsNow(course, loader);
    const below = context.notes.slice(firstNote);
    const done = inputs && again(course, made.set.list, made.config, inputs, context);
    if (!done) return undefined;
    const list = made.set.list.slice();
    for (const { at, resource } of done.changed) {
      resource.from = undefined;
      list[at] = resource;
    }
    const after = new Accumulated();
    after.set = new ResourceSet(list);
    after.config = made.config;
    return { made: after, rests, leftOut: [], notes: [...below, ...done.course.notes], course: done.course };
  } finally {
    context.recorders.pop();
    context.leftOut.length = left;
    context.notes.length = firstNote;
  }
}

/** The resources that a kustomization takes, as they are now; undefined where anything else about it may have changed. */
export function inputsNow({ own, entries }: Course, loader: Loader): readonly Resource[] | undefined {
  const { context } = loader;
  for (const [path, file] of own.files) if (context.file(path) !== file) return undefined;
  for (const [path, is] of own.folders) if (context.isFolder(path) !== is) return undefined;
  const inputs: Resource[] = [];
  for (const { path, config } of entries) {
    const now = attempt(() => (config ? baseInputs(loader.enter(path), config) : resourcesIn(loader, path)));
    if (!now.value) return undefined;
    for (const one of now.value) inputs.push(one);
  }
  return inputs;
}

function baseInputs(loader: Loader, config: Accumulated['config']): readonly Resource[] | undefined {
  const known = knownBase(loader) ?? builtBase(loader);
  if (known instanceof Accumulated) return undefined;
  const { made } = known;
  return made.isPartial || made.vars.length > 0 || made.config !== config ? undefined : made.set.list;
}

/** Built anew, and kept; what has schemas of its own is not, and may be changed. */
function builtBase(loader: Loader): KeptBase | Accumulated {
  const { context, root } = loader;
  const [rests, own] = [newDependencies(), newDependencies()];
  context.recorders.push(rests, own);
  for (const recorder of context.recorders) recorder.roots.add(root);
  const [left, firstNote] = [context.leftOut.length, context.notes.length];
  try {
    const start = new Accumulated();
    const target = baseTarget(loader, undefined, start);
    target.own = own;
    const made = named(`recursed accumulation of path '${loader.root}'`, () => target.accumulate(start));
    if (!context.isKept) return made;
    const { bases } = keptOf(context.options.session);
    const key = keyOf(loader);
    const course = target.course(made);
    made.set = new ResourceSet(settled(made.set.list, bases.get(key)?.made.set.list, sameResource));
    for (const one of made.set.list) one.from = undefined;
    const [leftOut, notes] = [context.leftOut.slice(left), context.notes.slice(firstNote)];
    const kept = { made, rests, leftOut, notes, course };
    bases.set(key, kept);
    return kept;
  } finally {
    context.recorders.splice(-2);
  }
}

const deprecated = ['bases', 'commonLabels', 'imageTags', 'patchesJson6902', 'patchesStrategicMerge', 'vars'] as const;

function noteDeprecated({ fields, file, context }: Target): void {
  for (const name of deprecated) {
    if (fields[name] === undefined) continue;
    context.note({ code: 'deprecated-field', about: name, place: file.place([name], 'key'), related: undefined });
  }
}
