// docs/limits.md is made of limits.md beside this file, where `{file name}` is the value of a constant, as in
// `{yaml/scanState.ts maxErrors}` or `{workspace/limits.ts defaultLimits.files plain}`. What is told there is not part
// of any program. `elsewhere` names the bounds that users need not know, each with the reason.
import { readdirSync, readFileSync } from 'node:fs';

/** A constant as the source declares it; of a table of numbers each of them. */
export interface Constant {
  /** The file below server/src, or below client/src with `client ` before it. */
  readonly file: string;
  readonly name: string;
  readonly value: number;
}

const roots = [
  ['', 'server/src'],
  ['client ', 'client/src'],
] as const;

const declared = /^(?:export )?const (\w+)(?:: [\w<>, ]+)? = ([^;]*);$/gm;

/** Whether a constant is called as bounds are. */
export function looksLikeBound({ name }: Constant): boolean {
  return /^(?:most|max|longest|largest|deepest|least|few|limit)(?:[A-Z]|\.|$)|^\w+(?:Limits?|Budget)(?:\.|$)/.test(
    name,
  );
}

/** All constants of the program that are numbers, or tables of numbers. */
export function numbersOfProgram(): Constant[] {
  return roots.flatMap(([mark, root]) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .sort()
      .flatMap((file) => numbersIn(`${mark}${file}`, readFileSync(`${root}/${file}`, 'utf8'))),
  );
}

export function numbersIn(file: string, text: string): Constant[] {
  return [...text.matchAll(declared)].flatMap(([, name, expression]) => {
    if (!expression!.startsWith('{')) return single(file, name!, expression!);
    const rows = [...expression!.matchAll(/(\w+): ([^,{}]+)/g)];
    return rows.flatMap(([, key, value]) => single(file, `${name}.${key}`, value!));
  });
}

function single(file: string, name: string, expression: string): Constant[] {
  const value = valueOf(expression.trim());
  return value === undefined ? [] : [{ file, name, value }];
}

/** The value of a product of numbers and constants that are known to the whole program; undefined for anything else. */
function valueOf(expression: string): number | undefined {
  const factors = expression.split(' * ').map((factor) => {
    if (/^-?\d[\d_]*n?$/.test(factor)) return Number(factor.replace(/[_n]/g, ''));
    return shared().get(factor);
  });
  return factors.reduce((product, one) => (product === undefined || one === undefined ? undefined : product * one), 1);
}

let known: Map<string, number> | undefined;

function shared(): ReadonlyMap<string, number> {
  if (known) return known;
  known = new Map();
  for (const file of ['workspace/limits.ts', 'controllergen/crd/size.ts', 'kubernetes/bounds.ts'])
    for (const { name, value } of numbersIn(file, readFileSync(`server/src/${file}`, 'utf8'))) known.set(name, value);
  return known;
}

const placeholder = /\{((?:client )?[\w/]+\.ts) ([\w.]+)( plain| seconds)?\}/g;

export const template = () => readFileSync('scripts/generate/limits.md', 'utf8');

/** The bounds that the page tells of, as `file name`. */
export function toldOf(page: string): ReadonlySet<string> {
  return new Set([...page.matchAll(placeholder)].map(([, file, name]) => `${file} ${name}`));
}

export function limitsPage(page = template(), numbers = numbersOfProgram()): string {
  const values = new Map(numbers.map(({ file, name, value }) => [`${file} ${name}`, value]));
  return page.replace(placeholder, (_, file: string, name: string, as = '') => {
    const value = values.get(`${file} ${name}`);
    if (value === undefined) throw new Error(`scripts/generate/limits.md: ${name} is not a number in ${file}`);
    if (as === ' seconds') return String(value / 1000);
    return as === ' plain' ? String(value) : value.toLocaleString('en');
  });
}

/**
 * Constants that the page does not tell of, by the reason: each a file or a folder, and names. A new one belongs on the page
 * unless nobody could notice it.
 */
export const elsewhere: Readonly<Record<string, readonly string[]>> = {
  'what Kubernetes, cel-go, Go or YAML bound, in their figures': [
    'cel/eval/arithmetic.ts maxUnix',
    'cel/grammar/parser.ts maxAttempts maxLookahead maxReports',
    'cel/libraries/lists.ts longestRange',
    'cel/source.ts maxReported maxSnippetBytes',
    'controllergen/crd/missing.ts most.packages most.characters',
    'crossplane/derive.ts longestName',
    'kro/naming.ts mostDimensions',
    'kro/types.ts deepestType',
    'gostd/digits.ts mostDigits',
    'helm/render.ts mostRecursion',
    'helm/set.ts largestIndex deepestName',
    'serve/writing.ts mostTries',
    'workspace/delivery/releaseName.ts longest',
    'gostd/parseInt.ts mostDigits',
    'template/format.ts mostWidth',
    'template/semver.ts longestVersion longestConstraint mostGroups',
    'template/sprig/random.ts longestPassword',
    'kubernetes/bounds.ts conditionsCostLimit ruleCostLimit crdCostLimit annotationBytesLimit',
    'kubernetes/builtin/validation/autoscaling.ts longestWindow longestPeriod',
    'kubernetes/builtin/validation/cronSchedule.ts longest',
    'kubernetes/builtin/validation/data.ts largest',
    'kubernetes/builtin/validation/endpoints.ts most.endpoints most.addresses most.ports most.zones most.nodes',
    'kubernetes/builtin/validation/ingress.ts longestController',
    'kubernetes/builtin/validation/job.ts mostIndexed mostParallel mostRules mostPatterns mostCodes longestName',
    'kubernetes/builtin/validation/others.ts mostParameters mostParameterBytes',
    'kubernetes/builtin/validation/podSpec.ts mostNameservers mostSearches mostSearchBytes',
    'kubernetes/builtin/validation/restartRules.ts mostRules mostCodes',
    'kubernetes/builtin/validation/securityContext.ts longestProfile longestSysctl longestSpec longestDomain longestUser',
    'kubernetes/builtin/validation/service.ts longestAffinity',
    'kubernetes/cel/declType.ts maxName',
    'kubernetes/cel/libraries/ longestFormat longestNameRegex',
    'kubernetes/cr/decode.ts mostProblems',
    'kubernetes/crd/celContext.ts mostReported',
    'kubernetes/crd/selectable.ts maxSelectableFields',
    'kubernetes/decode.ts mostStrictProblems',
    'kubernetes/policy/matchConditions.ts most',
    'kubernetes/policy/validatingPolicy.ts mostAnnotations',
    'kubernetes/policy/watchedKinds.ts mostKinds',
    'kubernetes/policy/worlds.ts mostPerDevice',
    'kubernetes/schema/fieldPath.ts longestToken',
    'rules/lints/size.ts etcdLimit',
    'yaml/scan.ts maxDepth maxKeyLength',
  ],
  'the text itself says how many more there are, or that there are more': [
    'features/charts/diagnoseChart.ts mostNamed',
    'cli/ mostJobs mostSlow mostNamed mostPlaces',
    'crdtest/debug.ts mostCounted',
    'features/problems/notJudged.ts mostNamed',
    'features/views/asVersion.ts mostListed',
    'features/views/crdChanges.ts mostResources',
    'features/views/writing.ts most',
    'features/kustomizations/diagnoseBuild.ts mostNamed',
    'fetch/changes.ts mostLines',
    'kubernetes/jsonPath.ts deepest',
    'library/celTypes.ts deepest',
    'rules/changes/compare.ts mostNamed',
    'rules/cr/kindDefinedTwice.ts mostNamed',
    'rules/lints/conversion.ts most',
  ],
  'how much of a text is shown in one line': [
    'yaml/goSyntax.ts mostCharacters',
    'cli/report.ts longestSource',
    'cli/meant/placeholders.ts longestPlaced longestBelow',
    'cli/meant/signs.ts longestBeforeCommand',
    'features/charts/leftOpen.ts longestBelow',
    'crdtest/coverageText.ts longest',
    'crdtest/run.ts longest',
    'kubernetes/cel/partValues.ts longestText',
    'rules/changes/change.ts longest',
    'rules/changes/rules.ts longest',
    'rules/judging/brokenRule.ts mostSeen longest',
    'rules/judging/updateVerdict.ts longest',
  ],
  'how much is tried to find something better, which is only not offered': [
    'cel/explain.ts sampleLimit',
    'crdtest/breakRule.ts mostFields mostValues mostInPairs',
    'crdtest/values.ts deepest mostMade longest longestList mostItems',
    'template/parse.ts mostSyntaxProblems',
    'features/charts/completeValues.ts mostPlaces',
    'features/charts/fixesChart.ts mostTemplates mostFixes',
    'features/kustomizations/fixesBuild.ts mostFixes',
    'features/charts/hoverAction.ts most.lines most.characters most.sets',
    'features/charts/hoverValue.ts mostPlaces',
    'workspace/parts.ts deepestPath',
    'features/charts/inText.ts mostAsked',
    'features/charts/markedTemplate.ts mostTemplatesTried deepestIncludes',
    'features/charts/mended.ts mostMended longestMended',
    'features/charts/structureChart.ts deepest',
    'features/charts/printedFrom.ts deepestCalls',
    'features/charts/renameInChart.ts mostRequired',
    'features/charts/scopes.ts mostVariables deepestSteps',
    'features/charts/rendered.ts mostChoices',
    'features/charts/uses.ts mostMatching',
    'features/charts/values.ts mostItems longestShown',
    'workspace/charts/chartMemory.ts mostParts',
    'features/charts/schemaOfValue.ts deepestReference mostNames',
    'workspace/delivery/given.ts longestShown',
    'workspace/delivery/uses.ts mostNamed',
    'features/complete/saidOf.ts mostFields',
    'features/complete/schemaNames.ts deepest',
    'features/golang/completeMarker.ts most.steps',
    'helm/flip.ts mostWays mostCounted longestPattern',
    'kustomize/ids.ts mostKinds',
    'workspace/charts/valueSets.ts mostLookedInto',
    'template/sprig/encoding.ts mostKeys',
    'helm/reach.ts mostVain mostConstants mostTurnsOver mostDeciders mostBlamed mostInFailed',
    'helm/deciders.ts mostFollowed',
    'helm/blame.ts mostLookedAt deepestLookedAt',
    'kubernetes/api/equalJson.ts mostCharacters',
    'base/equalParts.ts mostOfDigest',
    'workspace/delivery/setGenerators.ts deepestGenerators',
    'workspace/delivery/setFunctions.ts longestName',
    'workspace/delivery/setFunctions.ts longestSlug',
    'helm/capabilities.ts mostMinorsAfter',
    'helm/judgedText.ts longestLine',
    'workspace/projections/chart.ts deepestSearch',
    'controllergen/markers/fits.ts maxSteps',
    'rules/crd/costFixes.ts most mostRelated',
    'rules/crd/defaults.ts mostChoices',
    'rules/crd/expressionFixes.ts mostSlips',
    'rules/yaml/testFile.ts mostChoices',
    'workspace/sources/library.ts mostAbsent',
    'workspace/sources/named.ts mostNotes',
    'client keptCommands.ts mostKept',
  ],
  'how the program does its work: nothing is left out': [
    'template/sharing.ts mostKeys',
    'workspace/packaged.ts mostDataBytes',
    'cluster/objects.ts mostBegun',
    'files/log.ts leastWaste',
    'serve/registry.ts mostAtOnce',
    'serve/writing.ts longestBase',
    'cli/ leastWidth mostUnread',
    'controllergen/crd/fileName.ts longest',
    'gostd/plainRegexp.ts mostOptional',
    'gostd/regexp.ts longestPlain',
    'cel/libraries/strings.ts beyondAllLimits',
    'controllergen/crd/flatten.ts most.levels',
    'controllergen/crd/generate.ts longestPlace',
    'controllergen/syntax/strict/reader.ts mostAgain',
    'crdtest/size.ts mostCounted',
    'kubernetes/cel/declType.ts mostNames',
    'lsp/checkWorkspace.ts mostAhead',
    'workspace/charts/chartMemory.ts mostRemembered',
    'features/kustomizations/patched.ts mostPlaces',
    'kustomize/course.ts mostAgain',
    'kustomize/session.ts mostObjects',
    'workspace/kustomizations/kustomizeFiles.ts mostCharacters mostCharactersOnce mostUris',
    'workspace/kustomizations/builtSources.ts mostCharacters',
    'lsp/typing.ts longestTyped',
    'workspace/baseline/committed.ts mostFiles',
    'yaml/reparse.ts longest deepest',
    'base/editedText.ts longest',
    'yaml/plainWords.ts longest',
  ],
};

/** Whether a row of `elsewhere` names a bound. */
export function isNamed(row: string, { file, name }: Constant): boolean {
  const [place, ...names] = row.split(' ').filter((one) => one !== 'client');
  const isThere = row.startsWith('client ') === file.startsWith('client ');
  return isThere && file.replace('client ', '').startsWith(place!) && names.includes(name);
}
