/** What a kustomization comes to: its resources, and what is done with them at the end. */

import { compareStrings } from '../gostd/jsonPrint.ts';
import { type Config, mergeConfigs, noConfig } from './config.ts';
import { fail } from './failure.ts';
import { gvk, gvkText, type ResId, sameId, sameNameAndKind } from './ids.ts';
import type { Var } from './kustomization.ts';
import type { Place } from './origin.ts';
import { ResourceSet } from './resourceSet.ts';

export interface KnownVar {
  readonly name: string;
  readonly target: ResId;
  readonly fieldPath: string;
  /** As it is written. */
  readonly ownPath: string;
  readonly place: Place;
}

export class Accumulated {
  set = new ResourceSet();
  config: Config = noConfig;
  vars: readonly KnownVar[] = [];
  /** Something that belongs to it was left out. */
  isPartial = false;
  /** A file is there to be filled by a program, and has nothing in it yet. */
  isUnfilled = false;

  mergeConfig(config: Config): void {
    this.config = mergeConfigs(this.config, config);
  }

  absorb(other: Accumulated): void {
    if (other.isPartial) this.isPartial = true;
    if (other.isUnfilled) this.isUnfilled = true;
    this.set.appendAll(other.set.list);
    this.mergeConfig(other.config);
    this.addVars(other.vars);
  }

  private addVars(vars: readonly KnownVar[]): void {
    for (const one of vars) {
      if (this.vars.some(({ name }) => name === one.name)) fail(`var '${one.name}' already encountered`, one.place);
      this.vars = [...this.vars, one];
    }
  }

  /** Notes which resource each variable takes its value from. */
  mergeVars(vars: readonly Var[], placeOf: (index: number) => Place): void {
    const known = vars.map((one, i) => knownVar(one, placeOf(i)));
    for (const one of known) {
      const { target } = one;
      const isOne = target.namespace !== '' || target.isCluster;
      const matched = this.set.byAnyId((id) => (isOne ? sameId(target, id) : sameNameAndKind(target, id)));
      if (matched.length > 1)
        fail(
          `found ${matched.length} resId matches for var ${varText({ ...one, fieldPath: one.ownPath })} (unable to disambiguate)`,
          one.place,
        );
      if (matched.length === 1) matched[0]!.varNames = [...matched[0]!.varNames, one.name];
    }
    this.addVars(known);
  }

  /** A copy that a build may change. */
  copy(): Accumulated {
    const copy = new Accumulated();
    copy.set = new ResourceSet(this.set.clones());
    copy.config = this.config;
    copy.vars = this.vars;
    copy.isPartial = this.isPartial;
    copy.isUnfilled = this.isUnfilled;
    return copy;
  }
}

function knownVar({ name = '', objref = {}, fieldref }: Var, place: Place): KnownVar {
  let { group = '', version = '' } = objref;
  if (objref.apiVersion) {
    const parts = objref.apiVersion.split('/');
    if (parts.length === 2) [group, version] = parts as [string, string];
    else if (parts.length === 1) version = parts[0]!;
  }
  const { kind = '', name: target = '', namespace = '' } = objref;
  // A kind that a variable names is never taken for one of the cluster.
  const id = { ...gvk(group, version, kind), isCluster: false, name: target, namespace };
  const ownPath = fieldref?.fieldPath ?? '';
  return { name, target: id, fieldPath: ownPath || 'metadata.name', ownPath, place };
}

/** As Go prints a variable. */
export function varText({ name, target, fieldPath }: Omit<KnownVar, 'ownPath'>): string {
  return `{${name} ${gvkText(target)} {${fieldPath}}}`;
}

export function sortedVars(vars: readonly KnownVar[]): KnownVar[] {
  return [...vars].sort((a, b) => compareStrings(a.name, b.name));
}
