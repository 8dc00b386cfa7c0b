import { diagnose } from '../features/diagnose.ts';
import { diagnoseGo } from '../features/golang/diagnoseGo.ts';
import { differencesInCrds, staleCrds, withOrigins } from '../features/golang/stale.ts';
import { writtenIn } from '../features/golang/written.ts';
import type { Diagnostic } from '../rules/model/diagnostic.ts';
import type { Context } from './context.ts';
import { goCrds, goView } from './golang.ts';

/** All that is said of an open file, of whatever language. */
export function findingsOf(context: Context, uri: string): Diagnostic[] {
  const { snapshot } = context.session;
  const view = goView(context, uri);
  if (view) return [...diagnoseGo(snapshot, view), ...staleCrds(snapshot, view)];
  const here = writtenIn(snapshot, uri, goCrds(context, uri));
  return [...withOrigins(here, diagnose(snapshot, uri)), ...differencesInCrds(snapshot, uri, here)];
}
