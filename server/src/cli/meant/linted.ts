import { linesAround } from '../../base/text.ts';
import type { Wordless } from '../../rules/model/diagnostic.ts';
import { ruleOf } from '../../rules/model/registry.ts';
import { refusedFirst, type Says } from '../../rules/model/says.ts';
import { isChartTemplate, isYaml } from '../../workspace/fileNames.ts';
import type { Files } from '../../workspace/files.ts';
import { foldersWithin } from '../../workspace/uri.ts';
import { textsIn } from './beside.ts';
import { scriptsAround } from './scripts.ts';

// `ct lint` gives `ci/*-values.yaml` to `helm lint`, which asks no API server, and to which `required` and `fail` are nothing. What
// `ct install` gives has to be taken.

/** Whether only a file of values in `ci` is to blame: it lacks what the chart requires, or has a value that is refused. */
export function isOfTestedValues({ code, range, says }: Wordless, uri: string, text: string): boolean {
  if (says.under?.values?.startsWith('ci/') !== true) return false;
  if (says.failed?.isWished) return true;
  const rule = ruleOf(code);
  // Fields are written as in the values that are installed, and so are their types.
  if (code.startsWith('chart/') || code.startsWith('yaml/') || rule?.ofKey || isOfType(code, says)) return false;
  // Text that a template prints by itself comes from no value.
  const isPrinted = !isChartTemplate(uri) || linesAround(text, range).includes('{{');
  return isPrinted && (rule?.ofForm === true || !isChartTemplate(uri));
}

/** A number in place of a string is of the wrong type; a string that is not an address is not. */
function isOfType(code: string, says: Says): boolean {
  return ruleOf(code)?.ofType === true && refusedFirst(says)?.startsWith('"') !== true;
}

const mostWorkflows = 60;

/** Whether what runs in CI around a chart lints charts and installs none with such values. */
export async function isOnlyLinted(files: Files, uri: string, folders: readonly string[]): Promise<boolean> {
  let isLinted = false;
  for await (const text of runInCi(files, uri, folders)) {
    if (/\bct[ \t]{1,20}(?:install|lint-and-install)\b/.test(text)) return false;
    if (text.split('\n').some(givesToHelm)) return false;
    isLinted ||= /\bct[ \t]{1,20}lint\b/.test(text);
  }
  return isLinted;
}

/** The values that CI gives beside those of files: `ct install --helm-extra-set-args --set=license=$LICENSE`. */
export async function valuesGivenInCi(files: Files, uri: string, folders: readonly string[]): Promise<Set<string>> {
  const names = new Set<string>();
  for await (const text of runInCi(files, uri, folders)) {
    for (const [args] of text.replaceAll(/\\\n/g, ' ').matchAll(/--helm-extra-(?:set-)?args.{1,400}/g))
      for (const [, name] of args.matchAll(/--set(?:-string|-file)?[= ]['"]?(?:[\w-]{1,60}\.){0,9}([\w-]{1,60})=/g))
        names.add(name!);
  }
  return names;
}

/** `helm install shop -f ci/test-values.yaml` */
function givesToHelm(line: string): boolean {
  return line.includes('ci/') && /\bhelm[ \t]{1,20}(?:install|upgrade|template)\b/.test(line);
}

/** The scripts around a file, and what runs in CI there. */
export async function* runInCi(files: Files, uri: string, folders: readonly string[]): AsyncGenerator<string> {
  yield* scriptsAround(files, uri, folders);
  for (const at of foldersWithin(uri, folders)) {
    for (const below of ['/.github/workflows', '/.circleci']) yield* textsIn(files, at + below, isYaml, mostWorkflows);
    yield* textsIn(files, at, (name) => isYaml(name) && /^\.?(?:gitlab-ci|travis|azure-pipelines)\./.test(name), 3);
  }
}
