import { type Path, type Value, type ValueMap, valueAt } from '../base/value.ts';
import { type DerivedRole, derivedCrds, takenOver } from './derive.ts';

// Where in an XRD what is in a CRD that Crossplane makes of it comes from. Most of it stays where it is.

/** What is at a path of the CRD, in the XRD; where Crossplane added it, the nearest thing around it that was written. */
export function writtenAt(xrd: ValueMap, role: DerivedRole, path: Path): Path {
  const [first, second, index, third] = path;
  if (first === 'metadata') return metadataAt(xrd, role, path);
  if (first !== 'spec') return path;
  if (second === 'scope') return role === 'claim' ? ['spec', 'claimNames'] : path;
  if (second === 'names') return role === 'claim' ? ['spec', 'claimNames', ...path.slice(2)] : path;
  if (second !== 'versions' || third === undefined) return path;
  if (third === 'storage') return ['spec', 'versions', index!, 'referenceable'];
  return path.slice(0, writtenSteps(xrd, role, path));
}

function metadataAt(xrd: ValueMap, role: DerivedRole, path: Path): Path {
  const [, second, key] = path;
  if (second === 'name') return role === 'claim' ? ['spec', 'claimNames', 'plural'] : path;
  // Labels are those of the XRD too, annotations are not.
  const isOwn = second === 'labels' && valueAt(xrd, ['spec', ...path]) === undefined;
  return key === undefined || isOwn ? path : ['spec', ...path];
}

/** How many steps of a path below `versions` lead through what the author wrote and Crossplane took over. */
function writtenSteps(xrd: ValueMap, role: DerivedRole, path: Path): number {
  let at: Value | undefined = xrd;
  for (const [i, step] of path.entries()) {
    at = valueAt(at, [step]);
    if (at === undefined || !isTakenOver(xrd, role, path.slice(0, i + 1))) return i;
  }
  return path.length;
}

const parts = ['spec', 'status'] as const;

/** The steps from a version of a CRD to its schema. */
const schemaSteps = 5;

function isTakenOver(xrd: ValueMap, role: DerivedRole, path: Path): boolean {
  const part = path[3];
  if (part === 'subresources') return path[4] === undefined || path[4] === 'scale';
  if (part !== 'schema' || path.length <= schemaSteps) return true;
  const [keyword, name, inner, field] = path.slice(schemaSteps);
  if (keyword !== 'properties') return (takenOver.root as readonly unknown[]).includes(keyword);
  if (name === 'metadata') return isLongestName(path.slice(schemaSteps + 2));
  const section = parts.find((one) => one === name);
  if (section === undefined) return name === undefined;
  if (inner === undefined) return true;
  if (inner !== 'properties') return (takenOver[section] as readonly unknown[]).includes(inner);
  return field === undefined || !isAdded(xrd, role, section, String(field));
}

/** All that is taken over of the metadata. */
const longestName = ['properties', 'name', 'maxLength'];

function isLongestName(path: Path): boolean {
  return path.every((step, i) => step === longestName[i]);
}

/** Whether Crossplane has a field of its own of this name in the CRD. */
function isAdded(xrd: ValueMap, role: DerivedRole, part: 'spec' | 'status', field: string): boolean {
  return derivedCrds(xrd).some((crd) => crd.role === role && crd.added[part].has(field));
}
