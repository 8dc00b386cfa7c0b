/** What a reader wants, and the pages for that in the order in which they help. */
export interface ReadersPath {
  readonly id: string;
  readonly title: string;
  readonly lead: string;
  /** Files of docs/, without `.md`, each with why it is next. */
  readonly pages: readonly (readonly [page: string, why: string])[];
}

export const paths: readonly ReadersPath[] = [
  {
    id: 'write-crds',
    title: 'I write CRDs',
    lead: 'From the first schema to a change that breaks nobody.',
    pages: [
      ['playground', 'Try a schema or a rule without installing anything.'],
      ['rules', 'What each finding means, with a wrong and a right example.'],
      ['go', 'If your CRDs come from Go types: the findings are at the types and their markers.'],
      ['markers', 'All markers of controller-gen, and what each does to the schema.'],
      ['crossplane', 'If your CRDs come from definitions of Crossplane.'],
      ['kro', 'If your CRDs come from definitions of kro.'],
      ['testing', 'Say what the CRD promises, so that a change that breaks it fails.'],
      ['clusters', 'Before you release: what a change does to the objects that a cluster stores.'],
      ['serve', 'An API server in memory, for the tests of your controller.'],
    ],
  },
  {
    id: 'write-resources',
    title: 'I write resources',
    lead: 'YAML, charts and kustomizations that the API server will take.',
    pages: [
      ['crds', 'Where the CRDs of your resources are looked for, and what to do where one is missing.'],
      ['rules', 'What each finding means, and what to do.'],
      ['helm', 'Charts are checked as Helm renders them.'],
      ['kustomize', 'Kustomizations are checked as they are built.'],
      ['flux', 'What Flux, Argo CD and helmfile make of your files.'],
      ['builtin-kinds', 'Deployments, Services and the like beside custom resources.'],
      ['crd-sources', 'Where well-known CRDs are published.'],
      ['agents', 'Let a language model ask for fields, and hear what the API server would say.'],
      ['config', 'Settings for everyone who works in the repository.'],
    ],
  },
  {
    id: 'write-policies',
    title: 'I write policies',
    lead: 'Admission policies, their bindings and webhooks.',
    pages: [
      ['policies', 'How expressions are checked, and tried on the objects of the repository.'],
      ['testing', 'Ask a policy about creations, changes and deletions.'],
      ['playground', 'Show a policy and what it says to somebody else.'],
      ['serve', 'An API server in memory that asks your policies and webhooks.'],
    ],
  },
  {
    id: 'run-ci',
    title: 'I run CI',
    lead: 'A pull request fails where the API server would refuse it.',
    pages: [
      ['ci', 'GitHub, GitLab, pre-commit, an image, and any other program.'],
      ['commands', 'Every command and option.'],
      ['config', 'One file decides for the editor and for CI.'],
      ['clusters', 'Ask a cluster what a change would do to what it stores.'],
      ['survey', 'How much of what is found in real repositories is worth reading.'],
      ['limits', 'What a file from somebody else can do, and what it cannot.'],
    ],
  },
  {
    id: 'other-editors',
    title: 'I use another editor',
    lead: 'Neovim, Emacs, Helix, Zed, JetBrains, Sublime Text, or your own program.',
    pages: [
      ['editors', 'What each can do, and the file that starts it there.'],
      ['settings', 'Each setting of the editor, with its default.'],
      ['config', 'Settings that need no editor.'],
      ['library', 'The engine in your own program, in Node and in browsers.'],
      ['benchmarks', 'What it costs while you type.'],
    ],
  },
];

/** Pages that are on no reader's path: for whoever chooses, or changes the program. */
export const others: readonly (readonly [page: string, why: string])[] = [
  ['features', 'All that it does, with pictures.'],
  ['comparison', 'What other tools do, and what this one adds.'],
];

/** Pages that are not for readers of the site: the listing in the marketplace, and how we write. */
export const leftOut: readonly string[] = ['marketplace', 'style'];
