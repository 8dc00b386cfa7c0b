import { linesAround } from '../../base/text.ts';
import type { Wordless } from '../../rules/model/diagnostic.ts';
import { ruleOf } from '../../rules/model/registry.ts';
import { refusal, refusedFirst } from '../../rules/model/says.ts';
import { isForFreeMarker } from '../../workspace/template.ts';
import {
  isArchived,
  isAsset,
  isForQuarkus,
  isForReaders,
  isGeneratedExample,
  isOfDeprecated,
  isOfDesigns,
  isOfTests,
  isTestFile,
} from '../../workspace/testData.ts';
import type { Around } from './around.ts';
import { isOfTestedValues } from './linted.ts';
import {
  areLeftEmpty,
  isCalledPlaceholder,
  isEmptyMap,
  isFilledIn,
  isInComment,
  isOpen,
  openWords,
} from './placeholders.ts';
import {
  hasSections,
  isAboutNamespace,
  isAdvice,
  isAlternative,
  isAssert,
  isCalledSo,
  isCopied,
  isExpected,
  isExplainedChart,
  isForBoth,
  isForShell,
  isKustomizationOfFlux,
  isLackingLabels,
  isLeftToWebhook,
  isMadeUpKey,
  isOfAnnotation,
  isOfCrd,
  isOfCrossplane1,
  isOfNothing,
  isOfOldRelease,
  isOfPage,
  isOfStarter,
  isOfTemplate,
  isScaffolded,
  isSchemaElsewhere,
  isSkeleton,
  isTemplateOfFile,
  isUnquoted,
  isWithin,
  kindBefore,
  missingFile,
  namedVersions,
  takesNothing,
} from './signs.ts';

/** Why what is found is true and yet nobody's to mend. */
interface Reason {
  /** What the end of a run calls one of its findings, and several of them. */
  readonly words: readonly [one: string, several: string];
  /** For docs/ci.md: where it is so, and what is a note there. */
  readonly page: readonly (readonly [where: string, what: string])[];
  /** The finding is a note already, and is only counted. */
  readonly isNote?: true;
  readonly holds: (finding: Wordless, around: Around) => boolean | Promise<boolean>;
}

/** The first that holds of a finding is the one that is counted. */
export const reasons = {
  'by-webhook': {
    words: ['missing field that a webhook may add', 'missing fields that webhooks may add'],
    page: [
      [
        'objects that a mutating webhook of the repository is asked about when they are created',
        'a required field whose schema takes `false`, 0 or an empty text: a webhook in Go adds it',
      ],
    ],
    isNote: true,
    holds: isLeftToWebhook,
  },
  'one-of-crds': {
    words: ['finding by one of several CRDs that are as near', 'findings by one of several CRDs that are as near'],
    page: [
      [
        'objects of a kind that several CRDs of the repository define, of which none is nearer or of a later controller-gen',
        'what another one of them does not say',
      ],
    ],
    isNote: true,
    holds: ({ says }) => says.isOfOneCrd === true,
  },
  'for-shell': {
    words: ['mistake in what is typed into a shell', 'mistakes in what is typed into a shell'],
    page: [['files that begin with `kubectl apply -f - <<EOF`', 'what cannot be read: a shell reads it']],
    holds: ({ code }, { text }) => ruleOf(code)?.ofText === true && isForShell(text),
  },
  'type-checking': {
    words: ['remark of type checking on a policy that works', 'remarks of type checking on policies that work'],
    page: [
      [
        'an admission policy for several kinds that asks `object.kind` first, or with `has()` or `.?` for what only some of them have',
        'what type checking says of the other kinds ([policies.md](policies.md#what-it-says-too-late))',
      ],
    ],
    isNote: true,
    holds: ({ code }) => ruleOf(code)?.ofTypeChecking === true,
  },
  'earlier-release': {
    words: ['finding in an earlier release', 'findings in earlier releases'],
    page: [
      ['`releases/v1.2.0/chart/a.yaml`, where `chart/a.yaml` goes on beside `releases`', 'everything'],
      ['documents in a folder `v1.2.0` with one of a later release beside it', 'everything'],
    ],
    holds: (_, around) => around.isOfEarlierRelease(),
  },
  'unused-patch': {
    words: ['finding in a patch that no kustomization takes', 'findings in patches that no kustomization takes'],
    page: [
      ['files called `patch`, or in `patch` or `patches`, that no kustomization takes', 'everything'],
      [
        'files in a folder `kustomize` or `overlays` that has no kustomization, and in `testing/pull_policy`',
        'what objects lack: a program writes the kustomization, such as a module of Terraform',
      ],
      ['a file that no kustomization takes, in a folder of which they take others as patches', 'required fields'],
    ],
    holds: (finding, around) =>
      around.isUnusedPatch() ||
      (isAbsence(finding) && around.isLoosePatch()) ||
      (isLackingField(finding) && around.isBesidePatches()),
  },
  'set-later': {
    words: ['field that a patch of what applies it sets', 'fields that patches of what applies them set'],
    page: [
      [
        'a repository whose Kustomizations of Flux get patches from a patch, or apply a folder that is called after a variable (`path: ./apps/${ENVIRONMENT}`)',
        'a field that such a patch sets, where its target selects the object ([flux.md](flux.md#what-a-kustomization-or-an-application-changes))',
      ],
      [
        'a file beside an overlay of ytt, or in a folder beside it (`#@overlay/match by=overlay.subset({"kind": "Ingress"})`)',
        'a value that is refused, for which that has another (`host: #@ data.values.host`); what is beside objects of that kind is for those',
      ],
    ],
    holds: async (finding, around) =>
      around.isSetLater(finding) || (refusal(finding.says) !== undefined && (await around.isOverlaid(finding))),
  },
  converted: {
    words: [
      'remark on versions that a program of the repository converts',
      'remarks on versions that programs of the repository convert',
    ],
    page: [
      [
        'CRDs and objects of a kind that a source names which answers requests for conversions (`ConversionReview`, `ConversionWebhook`), or gives CRDs a conversion when it runs (`CustomResourceConversion`)',
        'that fields are lost without a conversion webhook: the program adds it',
      ],
    ],
    holds: async (finding, around) => {
      if (ruleOf(finding.code)?.ofConversion !== true) return false;
      const kind = kindBefore(finding, around.text);
      return kind !== undefined && (await around.isConverted(kind));
    },
  },
  packaged: {
    words: [
      'field that Crossplane adds when it installs a package',
      'fields that Crossplane adds when it installs a package',
    ],
    page: [
      ['a package of Crossplane (`crossplane.yaml`)', "that a CRD's webhook has no service, which Crossplane adds"],
    ],
    holds: ({ code }, around) => ruleOf(code)?.addedByCrossplane === true && around.isPackaged(),
  },
  'made-later': {
    words: ['kustomization of files that are made later', 'kustomizations of files that are made later'],
    page: [
      ['a kustomization of files that git ignores, or that are made of others (`NAME.in`)', 'that it cannot be built'],
      [
        'a kustomization that is alone in its folder, or has a file in a comment that is not there (`# - board.yaml`), and that nothing here builds',
        'that it has nothing yet',
      ],
    ],
    holds: async (finding, around) => {
      if (finding.says.isEmptyBuild && (await around.isBegun())) return true;
      const missing = missingFile(finding);
      return missing !== undefined && (await around.madeLater()).has(missing);
    },
  },
  'file-made-later': {
    words: [
      'finding in what a chart reads of a file that is made later',
      'findings in what charts read of files that are made later',
    ],
    page: [
      [
        'a template that reads a file of its chart (`.Files.Get "certs/tls.pem"`) that git ignores, or that a script makes',
        'everything about the text that is empty until then',
      ],
    ],
    holds: async (finding, around) => ruleOf(finding.code)?.ofKey !== true && (await around.isOfFileMadeLater(finding)),
  },
  copied: {
    words: [
      'kustomization or chart that is copied to where what it takes is',
      'kustomizations and charts that are copied to where what they take is',
    ],
    page: [
      [
        'a kustomization below `templates`, `skeleton` and the like',
        'that it cannot be built for want of what is around it, which is there where it is copied to',
      ],
      [
        'a chart below `_skel`, `scaffolds`, `starters`, `chart-templates` and the like',
        'that Helm cannot render it as it is; what its objects lack is a placeholder',
      ],
      [
        'a kustomization that a script around it copies (`cat a/kustomization.yaml > kustomization.yaml`), or one beside it writes',
        'the same',
      ],
    ],
    holds: async (finding, around) =>
      isCopied(finding, around) ||
      (finding.code.startsWith('chart/') && isOfStarter(around)) ||
      (missingFile(finding) !== undefined && (await around.isCopiedByScript())),
  },
  'kept-local': {
    words: ['finding in an object that is never applied', 'findings in objects that are never applied'],
    page: [
      [
        'objects with the annotation `config.kubernetes.io/local-config: "true"`',
        'everything: kustomize and kpt read them and leave them out',
      ],
    ],
    holds: (finding, { keptLocal }) => isWithin(finding, keptLocal),
  },
  'of-outer-chart': {
    words: ['template that the chart around it has', 'templates that the charts around them have'],
    page: [
      [
        'a chart that one around it takes (`file://vendor/shop`, `charts/shop`)',
        'a template that it lacks and that one has, where the chart is rendered alone',
      ],
    ],
    holds: (finding, around) => around.isOfOuterChart(finding),
  },
  'only-linted': {
    words: [
      'finding of values that CI only lints, or completes',
      'findings of values that CI only lints, or completes',
    ],
    page: [
      [
        'a chart whose `ci/*-values.yaml` are for `ct lint`, where nothing runs `ct install`',
        'values that they do not give to `required` and `fail`, which are nothing to a linter, and those of theirs that are refused',
      ],
      [
        'the same where CI gives more (`ct install --helm-extra-set-args --set=license=$LICENSE`)',
        'that a value of such a name is missing',
      ],
    ],
    holds: async (finding, around) =>
      isOfTestedValues(finding, around.uri, around.text) &&
      ((await around.isOnlyLinted()) || (await isOneOf(demanded(finding), around.valuesGivenInCi))),
  },
  'namespaced-later': {
    words: ['namespace that a script sets before it builds', 'namespaces that scripts set before they build'],
    page: [
      [
        'what a kustomization takes to which a script around it gives a namespace (`cd config/default && kustomize edit set namespace`)',
        'that a namespace is missing',
      ],
    ],
    holds: (finding, around) => isAboutNamespace(finding) && around.isNamespacedLater(),
  },
  'left-out': {
    words: ['finding in a kustomization that others leave out', 'findings in kustomizations that others leave out'],
    page: [
      [
        'a kustomization that none takes and whose folder one beside it has in a comment (`#- ../webhook`)',
        'that it cannot be built',
      ],
      [
        'a kustomization that one around it has in a comment (`# - ./tests`) and nothing takes, or that Flux builds for a Kustomization whose file is in one (`# - ./routes/ks.yaml`)',
        'that it has nothing yet, or lacks files',
      ],
    ],
    holds: async (finding, around) => {
      if (ruleOf(finding.code)?.ofBuild !== true) return false;
      const isUnfinished = missingFile(finding) !== undefined || takesNothing(around.text);
      return (await around.isLeftOut()) || (isUnfinished && (await around.isOfTurnedOff()));
    },
  },
  'turned-off': {
    words: ['finding in what a kustomization has in a comment', 'findings in what kustomizations have in comments'],
    page: [['a file that the kustomization of its folder has in a comment (`# - apps.yaml`)', 'what Flux says of it']],
    holds: ({ code }, around) => code.startsWith('flux/') && around.isTurnedOff(),
  },
  elsewhere: {
    words: ['schema of values that refers to others', 'schemas of values that refer to others'],
    page: [['charts', 'that a schema of values needs another file']],
    holds: isSchemaElsewhere,
  },
  'any-release': {
    words: [
      'field that the last of several releases of a CRD does not have',
      'fields that the last of several releases of a CRD does not have',
    ],
    page: [
      [
        'objects of a CRD that is kept in several releases, outside of their folders',
        'a field that the last of those does not have: another one may',
      ],
    ],
    holds: (finding, { ofAnyRelease }) =>
      ruleOf(finding.code)?.ofKey === true &&
      finding.says.unknown?.isMisspelled !== true &&
      isWithin(finding, ofAnyRelease),
  },
  'by-annotation': {
    words: [
      'annotation that a controller knows instead of a field',
      'annotations that controllers know instead of a field',
    ],
    page: [
      [
        'Ingresses of GKE (`kubernetes.io/ingress.class: gce`)',
        'that the annotation is deprecated: its controller reads nothing else',
      ],
    ],
    holds: (finding, { text }) => isWarned(finding) && isOfAnnotation(finding, text),
  },
  'applied-patch': {
    words: ['finding in a patch that is applied by itself', 'findings in patches that are applied by themselves'],
    page: [
      [
        'files called `patch`, or in `patches`, that a kustomization takes as a resource',
        'what objects lack: it is applied to an object that is there',
      ],
    ],
    holds: (finding, around) => (isAbsence(finding) || isOfWhole(finding)) && around.isAppliedPatch(),
  },
  'made-elsewhere': {
    words: ['remark on a CRD of types that are elsewhere', 'remarks on CRDs of types that are elsewhere'],
    page: [
      [
        'CRDs whose Go types are in another repository, as those of a group that no types here have (`+groupName=example.com`)',
        'our warnings about them, since only the types can be changed',
      ],
      [
        'CRDs that vendir copies (`vendir.yml`)',
        'our warnings about them, since the next copy writes over what is changed',
      ],
    ],
    holds: (finding, around) => isOfCrd(finding) && around.isMadeElsewhere(),
  },
  'fetched-chart': {
    words: ['finding in a chart that was fetched', 'findings in charts that were fetched'],
    page: [
      [
        'charts in a folder that a script around it removes to fetch them again (`rm -rf charts`, and `helm pull … --untar` below)',
        'what holds only with values that are made up, and our warnings about their CRDs: the next fetch writes over what is changed',
      ],
      [
        'charts beside the archive that they come from, in a folder called as their version (`istio/1.23.0`, `istio/istio-1.23.0.tgz`), and those in `charts` that the `Chart.lock` of the chart around them has from a repository',
        'the same',
      ],
    ],
    holds: (finding, around) => (isOfCrd(finding) || finding.says.under?.isMadeUp === true) && around.isFetchedChart(),
  },
  'later-version': {
    words: [
      'object of a later version than the CRD of another project here',
      'objects of later versions than the CRDs of other projects here',
    ],
    page: [
      ['a repository that keeps an older CRD of another project', 'a version that is later than those of that CRD'],
    ],
    holds: (finding, around) => isOneOf(namedVersions(finding), around.laterVersions),
  },
  'of-flux': {
    words: [
      'Kustomization of Flux in a file that kustomize would read',
      'Kustomizations of Flux in files that kustomize would read',
    ],
    page: [
      [
        'a Kustomization of Flux in a file that is called `kustomization.yaml`',
        'that kustomize cannot build it: nothing does',
      ],
    ],
    holds: ({ code }, around) => ruleOf(code)?.ofBuild === true && isKustomizationOfFlux(around),
  },
  'in-tests': {
    words: ['finding of what a test may mean', 'findings of what tests may mean'],
    page: [
      [
        '`test`, `tests`, `test-resources`, `e2e`, `e2e-tests`, `.chainsaw-test`, `conformance` and the like',
        'what objects lack (a test may compare them in part), old versions, broken rules, what the server warns of, fields that are lost without a conversion webhook, our own warnings about CRDs, keys that are made up (`fooPort`), and all in files such as `expected.yaml` and `rack-errors.yaml`',
      ],
      [
        '`good` and the like, among examples',
        'what the server warns of: a policy is tried on it (what is in `violations` is left out)',
      ],
      [
        'a file called `invalid` or `invalid_NAME` beside one called `valid`, or `reject-NAME` beside `accept-NAME` in tests',
        'everything',
      ],
      [
        'a file among tests with a section for what is expected (`### SECTION:EXPECTED ###`)',
        'everything: its sections are for a program that takes them apart',
      ],
    ],
    holds: async (finding, around) => {
      const { uri, text, folders } = around;
      if ((await around.isInvalidBesideValid()) || (hasSections(text) && isOfTests(uri, folders))) return true;
      const isLacking = isAbsence(finding) || isOfNothing(finding, text);
      const isNotForTests = isLacking || isOfWhole(finding) || isAdvice(finding) || isMadeUpKey(finding, text);
      // What somebody wrote to be compared in part has each of its keys once all the same.
      const isOfExpected = isExpected(uri) && !(ruleOf(finding.code)?.ofDuplicate === true && isAssert(uri));
      if ((isNotForTests || isOfExpected) && isOfTests(uri, folders)) return true;
      return isNotForTests && !isForReaders(uri, folders) && (await around.isReadByTest());
    },
  },
  printed: {
    words: ['finding in what `helm template` printed', 'findings in what `helm template` printed'],
    page: [
      [
        'a file beside `Chart.yaml` and `templates` with `# Source: shop/templates/a.yaml`, which no kustomization takes',
        'everything: what the chart prints now is told in its templates',
      ],
    ],
    holds: (_, around) => around.isPrintedByHelm(),
  },
  'in-designs': {
    words: ['finding in a design', 'findings in designs'],
    page: [['`design`, `proposals`, `rfcs`', 'everything']],
    holds: (_, { uri, folders }) => isOfDesigns(uri, folders),
  },
  archived: {
    words: ['finding in what is archived', 'findings in what is archived'],
    page: [['`archived`, `_archived`, `archived-tasks`, `manifests-old`', 'everything']],
    holds: (_, { uri, folders }) => isArchived(uri, folders),
  },
  generated: {
    words: ['finding in a generated example', 'findings in generated examples'],
    page: [['`examples-generated`, of upjet', 'everything']],
    holds: (_, { uri, folders }) => isGeneratedExample(uri, folders),
  },
  'old-version': {
    words: ['example of an old version', 'examples of old versions'],
    page: [
      [
        'a folder named as a release or a version, such as `1.4.0` or `v1beta1`, or `deprecated`',
        'versions that are not served any more',
      ],
      [
        'anywhere',
        'the label of control planes of old beside that of now, as terms for nodes with `beta.kubernetes.io/arch` beside those with `kubernetes.io/arch`; what Crossplane 2 has no more',
      ],
      [
        'a template behind a value that is made up',
        'a kind that Kubernetes has no more in any version (`PodSecurityPolicy`), and what else is wrong there: whoever has an old cluster turns it on',
      ],
    ],
    holds: (finding, { uri, text, folders, isOfGoneKind }) =>
      (isWarned(finding) && (isForBoth(finding, text) || isAlternative(finding, text))) ||
      isOfCrossplane1(finding) ||
      (finding.says.under?.isMadeUp === true && (finding.says.unserved?.isGone === true || isOfGoneKind(finding))) ||
      (ruleOf(finding.code)?.ofVersion === true &&
        (isOfOldRelease(uri, folders) ||
          isCalledSo(finding, { uri, text }) ||
          isOfDeprecated(uri, folders) ||
          isTestFile(uri))),
  },
  placeholder: {
    words: ['placeholder', 'placeholders'],
    page: [
      [
        '`docs`, `examples`, `samples` and the like',
        'placeholders such as `<name>`, `shop <1>`, `...`, `{name}` and `MY_NAME`, words that ask for base64, empty values (also of fields that are required), and what an empty map (`spec: {}`) lacks',
      ],
      [
        'anywhere',
        '`{{ name }}` where no braces are taken, `vault:v1:…` and `base64token` for base64, `"{name}"`, `XXX`, three words in capitals (`DEFINED-IN-SECRETS`) or a call for one (`CHANGE-NAME`) for a name, `MY_PREFIX/shop.git` for an address, words such as `NAME` and `shop.DOMAIN.COM` in a file with another value like it, `replace this with …`, `… will be copied by …`, an empty value below such a comment; `placeholder-port` where a number or one of a few words belongs, or alone in its line; names in capitals that a script replaces, where a number or a name belongs, `((NAME))`, and `[${NAME}]`; words that a script replaces (`s/NAME/…/`) that is beside the file or around it, or in `scripts` or `hack` there, or a playbook of Ansible that a file beside it gives the name of the file to; all keys of a schema, with hardly a value; a `Chart.yaml` with sentences for values; `${…}` in a file that is called `.ftl.yaml`',
      ],
    ],
    holds: async (finding, around) => {
      const { uri, text, folders } = around;
      if ((around.isNameless && isSkeleton(text)) || isExplainedChart(finding, uri, text)) return true;
      if (isTemplateOfFile(finding, around) || isOfTemplate(finding, uri)) return true;
      if (isForFreeMarker(uri, text) && linesAround(text, finding.range).includes('${')) return true;
      if (isFilledIn(finding, text) || isCalledPlaceholder(finding, text)) return true;
      if ((isMissing(finding) || isEmptyMap(finding, text)) && isOfStarter(around) && (await around.isInChart()))
        return true;
      if (await isOneOf(openWords(finding, text), around.replacedWords)) return true;
      if (!isForReaders(uri, folders)) return false;
      return (
        isOpen(finding, around) ||
        areLeftEmpty(finding, text) ||
        (isAbsence(finding) && (isInComment(finding, text) || isEmptyMap(finding, text)))
      );
    },
  },
  completed: {
    words: ['finding in what a program completes', 'findings in what programs complete'],
    page: [
      [
        '`assets`, what a Go file embeds (`//go:embed`) and Rust includes (`include_str!`, but not in a test), and files in `src/main/resources` that a source of the same module names, or whose folder it names (`"/k8s/" + name`)',
        'what a program adds before it applies it, but no version that is gone, and nothing about a CRD; but for `assets` also a value that is refused for being empty (`port: 0`, `matchLabels: {}`)',
      ],
      ['`src/main/kubernetes/kubernetes.yml` and its kin, of Quarkus', 'what objects lack, such as an image'],
      [
        'a file with names in angle brackets that a source of the repository has (`<ReleaseName>`), where one reads YAML with `sigs.k8s.io/yaml`',
        'what objects lack, and a number or `true` where a text belongs, which that reads as one',
      ],
      [
        'a kustomization that a script around it gives to `operator-sdk generate bundle`, and nothing else',
        'a number or `true` where a text belongs, which that reads as one',
      ],
      [
        'a file whose objects a command of a script around it gives to jq or yq, or to `kubectl set … --local`',
        'a field that they lack and that command names as one to set (`.spec.image = "…"`)',
      ],
    ],
    holds: async (finding, around) => {
      const { uri, text, folders } = around;
      const rule = ruleOf(finding.code);
      if (isLackingField(finding) && (await around.isSetByScript(finding))) return true;
      // A program adds what is not there and fills in the rest; it writes no other version, and takes nothing from a CRD.
      const isKept = rule?.ofVersion === true && !namedVersions(finding).some((version) => /[{$%<]/.test(version));
      const isAdded = isAbsence(finding) && !isKept && !isOfCrd(finding);
      const isLacking = isAdded || isOfWhole(finding) || around.isNameless || isOpen(finding, around);
      if (isAsset(uri, folders) && (isLacking || (rule?.ofText === true && text.includes('{{')))) return true;
      if (isAdded && isForQuarkus(uri)) return true;
      const isUnfinished = rule?.ofUnfinished === true || empty.has(refusedFirst(finding.says) ?? '');
      if ((isLacking || isUnfinished) && (await around.isEmbedded())) return true;
      if (isUnquoted(finding) && (await around.isOnlyBundled())) return true;
      return (isMissing(finding) || isUnquoted(finding)) && (await around.isCompletedByProgram());
    },
  },
  installed: {
    words: ['version that a document says is installed', 'versions that documents say are installed'],
    page: [['`docs`, `examples`, `samples` and the like', 'a version of whose CRDs the README beside it speaks']],
    holds: (finding, around) =>
      isForReaders(around.uri, around.folders) && isOneOf(namedVersions(finding), around.installedVersions),
  },
  choices: {
    words: ['place with choices in a document', 'places with choices in documents'],
    page: [['`docs`, `examples`, `samples` and the like', 'a key that appears twice, to show the alternatives']],
    holds: ({ code }, { uri, folders }) =>
      ruleOf(code)?.meantInDocuments === true && isForReaders(uri, folders) && !isOfTests(uri, folders),
  },
  part: {
    words: ['finding in a part of an object', 'findings in parts of objects'],
    page: [
      ['a CRD without group, names and scope, which is whole in another file', 'what it lacks'],
      [
        'a base in a folder that a kustomization with labels, patches and the like takes, and that has none of its own; what a PolicyGenerator takes',
        'what it lacks',
      ],
      [
        '`docs`, `examples`, `samples` and the like',
        'parts of objects, what lacks fields in a file of which a page shows parts (`# <1>`, `# tag::shop[]`, `- ...`), and what kubebuilder left to be written',
      ],
    ],
    holds: (finding, around) => {
      const { uri, text, folders, isNameless } = around;
      if (isWithin(finding, around.crdParts)) return true;
      if (isMissing(finding) && isNameless && around.isCompleted()) return true;
      if ((isMissing(finding) || isLackingLabels(finding)) && around.isUnbuilt()) return true;
      if (!isForReaders(uri, folders)) return false;
      return isScaffolded(finding, text) || (isAbsence(finding) && (isNameless || isOfPage(text)));
    },
  },
} satisfies Readonly<Record<string, Reason>>;

export type Meant = keyof typeof reasons;

export const allReasons = Object.entries<Reason>(reasons) as readonly (readonly [Meant, Reason])[];

/** The words in which a chart refuses to be rendered, where it does: `license must be specified`. */
function demanded({ says: { failed } }: Wordless): string[] {
  return failed?.isWished
    ? failed.words
        .split('): ')
        .at(-1)!
        .split(/[^\w-]+/)
    : [];
}

/** Something is missing that whoever has the object as a part adds. */
function isAbsence({ code }: Wordless): boolean {
  return ruleOf(code)?.meantInTests === true;
}

/** What programs fill in, as the server shows it. */
const empty: ReadonlySet<string> = new Set(['0', '""', '{}', '[]', 'null']);

/** What is deprecated, or of an old version, is so whatever is added to the object. */
function isMissing(finding: Wordless): boolean {
  return isAbsence(finding) && !isWarned(finding) && ruleOf(finding.code)?.ofVersion !== true;
}

/** An object lacks a field, as one does that is laid over another. No patch of a CRD is read as a CRD. */
function isLackingField({ code, says }: Wordless): boolean {
  return says.required !== undefined && !code.startsWith('crd/');
}

function isOfWhole({ code }: Wordless): boolean {
  return ruleOf(code)?.ofWhole === true;
}

function isWarned({ code }: Wordless): boolean {
  return ruleOf(code)?.ofWarnings === true;
}

/** Whether one of some words is among others, which are looked for only where there is one. */
async function isOneOf(words: readonly string[], looked: () => Promise<ReadonlySet<string>>): Promise<boolean> {
  if (words.length === 0) return false;
  const all = await looked();
  return words.some((word) => all.has(word));
}
