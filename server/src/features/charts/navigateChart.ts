/** From values, templates and variables to where they are, and to where they are used. */
import type { ChartFile } from '../../helm/chart.ts';
import { realPlace } from '../../workspace/delivery/texts.ts';
import { definitionAt } from '../navigate/definition.ts';
import type { Search } from '../navigate/references.ts';
import { type Location, locationsOnce } from '../place/location.ts';
import { type Action, actionAt, actionsOf, type Token } from './actions.ts';
import { type DefinedTemplate, definitionsOf, includesOf } from './definitions.ts';
import { markedRenderings, withoutMark } from './markedTemplate.ts';
import { printedFrom } from './printedFrom.ts';
import { headOf, scopedOf, variableIn } from './scopes.ts';
import { isTemplate, locationInValues, type Seen } from './seen.ts';
import { declarationsOf, placesOfUses, type ValuePath, valueAt } from './uses.ts';

export function definitionInChart(seen: Seen, offset: number): Location[] {
  const { folder } = seen;
  const value = valueAt(seen, offset);
  if (value) return declarationsOf(folder, value.path).flatMap((place) => locationInValues(place) ?? []);
  const name = templateAt(seen, offset);
  if (name !== undefined)
    return definitionsOf(folder)
      .filter((one) => one.name === name)
      .map(placeOf);
  const variable = isTemplate(seen) ? variableAt(seen, offset) : undefined;
  if (variable) return [{ uri: seen.file.id, range: variable.declared }];
  return isTemplate(seen) && !actionAt(actionsOf(seen.file), offset) ? definitionInText(seen, offset) : [];
}

/** What of the object's text leads to a CRD leads there from the template. */
function definitionInText(seen: Seen, offset: number): Location[] {
  for (const made of markedRenderings(seen, [offset])) {
    const place = withoutMark(seen, made);
    return definitionAt(place.snapshot, place.uri, place.offset).filter(({ uri }) => uri !== place.uri);
  }
  return [];
}

export function searchInChart(seen: Seen, offset: number): Search | undefined {
  const { folder } = seen;
  const value = valueAt(seen, offset);
  if (value) {
    const declared = declarationsOf(folder, value.path).flatMap((place) => locationInValues(place) ?? []);
    const declarations = [...declared, ...givenElsewhere(seen, value.path)];
    const read = placesOfUses(folder, value.path);
    const others = printedFrom(seen, value.path).filter((one) => !read.some((other) => isWithin(other, one)));
    return { declarations, uses: locationsOnce([...read, ...others]), elsewhere: [] };
  }
  const name = templateAt(seen, offset);
  if (name === undefined) return undefined;
  const declarations = definitionsOf(folder)
    .filter((one) => one.name === name)
    .map(placeOf);
  return { declarations, uses: includesOf(folder, name), elsewhere: [] };
}

/** Where those who install the chart give it a value. */
function givenElsewhere({ snapshot, folder }: Seen, path: ValuePath): Location[] {
  const { sets, files } = folder.given;
  const inObjects = sets.flatMap(({ file, use }) =>
    file && use?.below ? [{ file, path: [...use.below, ...path] }] : [],
  );
  const inFiles = files.filter(({ isObject }) => !isObject).map((file) => ({ file, path }));
  return [...inObjects, ...inFiles].flatMap((place) => {
    const location = locationInValues(place);
    return location ? [realPlace(snapshot, location)] : [];
  });
}

function isWithin(inner: Location, outer: Location): boolean {
  return inner.uri === outer.uri && outer.range.start <= inner.range.start && inner.range.end <= outer.range.end;
}

/** In this file: the value, the template or the variable under the cursor. */
export function highlightsInChart(seen: Seen, offset: number): Location[] {
  const found = searchOrVariable(seen, offset);
  return found.filter(({ uri }) => uri === seen.file.id);
}

function searchOrVariable(seen: Seen, offset: number): Location[] {
  const { folder } = seen;
  const value = valueAt(seen, offset);
  if (value) {
    const written = declarationsOf(folder, value.path).flatMap((place) => locationInValues(place) ?? []);
    return locationsOnce([...written, ...placesOfUses(folder, value.path)]);
  }
  const name = templateAt(seen, offset);
  if (name !== undefined) {
    return [
      ...definitionsOf(folder)
        .filter((one) => one.name === name)
        .map(placeOf),
      ...includesOf(folder, name),
    ];
  }
  return placesOfVariable(seen, offset);
}

function placeOf({ file, range }: DefinedTemplate): Location {
  return { uri: file.id, range };
}

/** The name of the template that is defined or included at an offset. */
export function templateAt(seen: Seen, offset: number): string | undefined {
  const action = actionAt(actionsOf(seen.file), offset);
  const at = action ? tokenAt(action, offset) : -1;
  const token = action?.tokens[at];
  const before = action?.tokens[at - 1];
  if (!isTemplate(seen) || !action || token?.kind !== 'string' || before?.kind !== 'word') return undefined;
  const isDefined = at === 1 && ['define', 'block', 'template'].includes(headOf(action));
  return isDefined || before.text === 'include' ? token.text : undefined;
}

function tokenAt({ tokens }: Action, offset: number): number {
  return tokens.findIndex(({ start, end }) => start <= offset && offset <= end);
}

function headAt(token: Token | undefined, offset: number): string {
  const isAtHead = token?.kind === 'chain' && token.head.length > 1 && offset <= token.start + token.head.length;
  return isAtHead ? token.head : '';
}

function variableAt({ file }: Seen, offset: number) {
  const { actions } = scopedOf(file);
  const at = actions.findIndex(({ inner }) => inner.start <= offset && offset <= inner.end);
  const action = actions[at];
  const head = action ? headAt(action.tokens[tokenAt(action, offset)], offset) : '';
  return head === '' ? undefined : variableOf(file, at, head);
}

/** What a variable in an action is; what that declares itself is in sight behind it. */
function variableOf(file: ChartFile, at: number, head: string) {
  const { actions, scopes } = scopedOf(file);
  const own = scopes[at + 1] && variableIn(scopes[at + 1]!, head);
  return own && within(actions[at]!, own.declared.start) ? own : variableIn(scopes[at]!, head);
}

function within({ start, end }: Action, offset: number): boolean {
  return start <= offset && offset < end;
}

function placesOfVariable(seen: Seen, offset: number): Location[] {
  const { file } = seen;
  const variable = isTemplate(seen) ? variableAt(seen, offset) : undefined;
  if (!variable) return [];
  return scopedOf(file).actions.flatMap(({ tokens }, at) =>
    tokens.flatMap((token) => {
      if (token.kind !== 'chain' || token.head !== variable.name) return [];
      if (variableOf(file, at, token.head)?.declared.start !== variable.declared.start) return [];
      return [{ uri: file.id, range: { start: token.start, end: token.start + token.head.length } }];
    }),
  );
}
