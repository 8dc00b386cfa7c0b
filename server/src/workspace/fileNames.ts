import { baseName } from './uri.ts';

// Which files are read, by their names. What is listed on disk, asked of an editor, watched for changes, and named in
// package.json is all made of these globs: each is of a name, or of a folder and a name.

const yaml = ['*.yaml', '*.yml'];
const json = ['*.json'];
const archives = ['*.tgz', '*.tar.gz'];

/** JSON that itself or whose folder is named for CRDs. */
const crdJson = [
  '*crd*.json',
  '*customresourcedefinition*.json',
  ...['crd', 'crds', '*-crds', '*_crds', 'customresourcedefinition', 'customresourcedefinitions'].map(
    (folder) => `${folder}/*.json`,
  ),
];

/** What says which CRDs are used. Programs know these names in no other letters. */
const users = ['go.mod', 'Chart.lock', 'kube-crd.lock'];

/** Settings that belong to a repository. */
export const configName = '.kube-crd.yaml';

/** Files of tests for CRDs. */
export const testGlobs = ['*.crdtest.yaml', '*.crdtest.yml'];
const playgroundGlobs = ['*.cel.yaml', '*.cel.yml'];
/** What generators of kustomizations take beside YAML. */
export const generatorGlobs = ['Kustomization', '*.env', '*.properties', '*.conf'];
/** What git generators of ApplicationSets read beside YAML. */
export const setGlobs = json;
export const kustomizationNames = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

/** The same in capital letters, or mixed: as globs have no flag for it, each letter is a choice. */
function inAnyCase(glob: string): string {
  return glob.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

/** Make and task files, and scripts, in which projects call the programs that make their CRDs. */
export const buildGlobs = [
  'Makefile',
  'makefile',
  'GNUmakefile',
  '*.mk',
  'Taskfile.yml',
  'Taskfile.yaml',
  'justfile',
  'Justfile',
];
const scriptGlobs = ['*.sh', 'doc.go', 'gen.go', 'generate.go'];

/** The globs that editors watch and search by: in VS Code as in others, capital letters count. */
export const yamlGlobs: readonly string[] = yaml.map(inAnyCase);
export const readGlobs: readonly string[] = [
  ...[...yaml, ...crdJson, ...archives].map(inAnyCase),
  ...users,
  'Kustomization',
];

/** Whether a path is named as one of some globs; `exact` where capital letters count. */
function named(globs: readonly string[], exact = false): (path: string) => boolean {
  const wanted = globs.map((glob) => (exact ? glob : glob.toLowerCase()).split('/').map((part) => part.split('*')));
  return (path) => {
    const parts = (exact ? path : path.toLowerCase()).split(/[/\\]/);
    return wanted.some((glob) => {
      const last = parts.slice(-glob.length);
      return last.length === glob.length && glob.every((pieces, i) => fits(pieces, last[i]!));
    });
  };
}

/** Whether a name has the pieces between the asterisks of a glob, in time that grows with the name. */
function fits(pieces: readonly string[], name: string): boolean {
  const [first = '', ...more] = pieces;
  const last = more.pop();
  if (last === undefined) return name === first;
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false;
  const between = name.slice(first.length, name.length - last.length);
  return more.every((piece) => between.includes(piece));
}

export const isYaml = named(yaml);
/** What programs write of a cluster's objects: a document, or one object a line. */
export const isDump = named([...yaml, ...json, '*.jsonl', '*.ndjson']);
export const isArchive = named(archives);
export const isTestFile = named(testGlobs);
/** A file with an expression that is tried, and what it is tried over. */
export const isPlayground = named(playgroundGlobs);
export const isKustomization = named(kustomizationNames);
export const isBuildFile = named(buildGlobs, true);
export const isCallingScript = named(scriptGlobs, true);
/** Templates of Helm: what is in a folder of that name. */
const templateGlobs = ['*.yaml', '*.yml', '*.tpl', '*.txt', '*.json'];
const isTemplateName = named(templateGlobs);

export function isChartTemplate(path: string): boolean {
  return path.includes('/templates/') && isTemplateName(path);
}

/** Values with which the tests of a chart install it. */
export const isTestValues = named(['ci/*values.yaml', 'ci/*values.yml']);

/** What editors watch of charts, once a file of one is open. */
export const chartGlobs = ['templates/**', 'Chart.yaml', '*values*.yaml', 'charts/**', 'ci/**'];

/** Values of Helm: `values.yaml`, `values-production.yaml`, `dev.values.yaml`. */
export const isChartValues = named(['values*.yaml', 'values*.yml', '*values.yaml', '*values.yml']);
/** Files of helmfile; those with templates in them have another ending. */
export const isHelmfile = named(['helmfile.yaml', 'helmfile.yml', 'helmfile.d/*.yaml', 'helmfile.d/*.yml']);
/** What Argo CD lays over the source of an Application whose folder it is in. */
export const isSourceOverride = named(['.argocd-source.yaml', '.argocd-source-*.yaml'], true);
const isJson = named(json);
const isCrdJson = named(crdJson);
const saysWhatIsUsed = named(users, true);

/** A file of a catalogue, `{kind}_{version}.json`. */
export const catalogueName = /^[a-z0-9]+_[a-z0-9]+\.json$/;

/** The name of an archive without what says that it is one. */
export function archiveStem(path: string): string {
  const name = baseName(path);
  const end = archives.map((glob) => glob.slice(1)).find((one) => name.toLowerCase().endsWith(one));
  return end === undefined ? name : name.slice(0, -end.length);
}

/** Whether a file holds CRDs in another form, or says which are used. */
export function isLead(path: string): boolean {
  return saysWhatIsUsed(path) || isArchive(path);
}

/** Whether a file may hold manifests: YAML, or JSON that itself or whose folder is named for CRDs. */
export function mayHoldManifests(path: string): boolean {
  return (
    isYaml(path) || isKustomization(path) || (isCrdJson(path) && !catalogueName.test(baseName(path).toLowerCase()))
  );
}

/** Whether a file is JSON that may or may not hold manifests. */
export function isOtherJson(path: string): boolean {
  return isJson(path) && !mayHoldManifests(path) && !catalogueName.test(baseName(path).toLowerCase());
}

/** Whether a file that the settings name, whatever it is called, may hold CRDs. */
export function mayHoldCrds(path: string): boolean {
  return isYaml(path) || isJson(path) || isArchive(path);
}

/** Whether `kyverno test` takes a file for a test; those of old have neither an apiVersion nor a kind. */
export function isKyvernoTest(name: string): boolean {
  return /^kyverno-test\.ya?ml$/.test(name);
}

/** Whether a file may say which commands are run: a script, what `make` and its like read, or a document. */
export function isScript(name: string): boolean {
  return /\.(?:sh|bash|zsh|mk|ps1|py|md)$|^(?:(?:GNU)?[Mm]akefile|\.?justfile|Taskfile\.ya?ml)$/.test(name);
}
