import * as vscode from 'vscode';
import { type BaseLanguageClient, DocumentDiagnosticRequest, type Middleware } from 'vscode-languageclient';

// What templates of charts get from other extensions as well. The editor shows what all of them give, so of what another
// one gives at a place nothing is given again: it is asked before we answer. Nothing of this runs where there is none.

type Part = 'completion' | 'cards' | 'places' | 'outline' | 'problems';

interface Other {
  readonly id: string;
  readonly languages: readonly string[];
  readonly gives: readonly Part[];
}

const others: readonly Other[] = [
  { id: 'tim-koehler.helm-intellisense', languages: ['helm', 'yaml'], gives: ['completion', 'cards', 'places'] },
  { id: 'helm-ls.helm-ls', languages: ['helm'], gives: ['completion', 'cards', 'places', 'outline', 'problems'] },
  {
    id: 'ms-kubernetes-tools.vscode-kubernetes-tools',
    languages: ['helm'],
    gives: ['completion', 'cards', 'outline'],
  },
];

/** Whether another extension checks the built-in kinds in templates. */
export function hasHelmServer(): boolean {
  return vscode.extensions.getExtension('helm-ls.helm-ls') !== undefined;
}

/** How much of a part is ours in a document: all of it, what others do not give, or nothing. */
function share(document: vscode.TextDocument, part: Part): 'all' | 'rest' | 'none' {
  const isGiven = others.some(
    ({ id, languages, gives }) =>
      gives.includes(part) && languages.includes(document.languageId) && vscode.extensions.getExtension(id),
  );
  const isTemplate = document.languageId === 'helm' || document.uri.path.includes('/templates/');
  if (!isGiven || !isTemplate) return 'all';
  const wish = vscode.workspace.getConfiguration('kubeCrd', document).get<string>('besideHelm');
  return wish === 'on' ? 'all' : wish === 'off' ? 'none' : 'rest';
}

/** The middleware that leaves to others what they give. */
export function besideHelm(): Middleware {
  const asking = new Set<string>();

  /** What we give, without what the others give at the same place. */
  async function rest<Answer>(
    part: Part,
    command: string,
    document: vscode.TextDocument,
    position: vscode.Position,
    ours: () => vscode.ProviderResult<Answer>,
    without: (own: Answer, given: Answer) => Answer | undefined,
    ...more: unknown[]
  ): Promise<Answer | undefined> {
    const whose = share(document, part);
    if (whose === 'none') return undefined;
    if (whose === 'all') return (await ours()) ?? undefined;
    const key = [command, document.uri, position.line, position.character].join(' ');
    // The editor asks us among the others.
    if (asking.delete(key)) return undefined;
    asking.add(key);
    const given = vscode.commands.executeCommand<Answer>(command, document.uri, position, ...more);
    const own = await ours();
    const known = await given;
    asking.delete(key);
    return own && known ? without(own, known) : (own ?? undefined);
  }

  return {
    provideCompletionItem: (document, position, context, token, next) =>
      rest<Completions>(
        'completion',
        'vscode.executeCompletionItemProvider',
        document,
        position,
        () => next(document, position, context, token),
        withoutNamed,
        ...(context.triggerCharacter === undefined ? [] : [context.triggerCharacter]),
      ),
    provideHover: (document, position, token, next) =>
      isInAction(document, position)
        ? rest<vscode.Hover | vscode.Hover[]>(
            'cards',
            'vscode.executeHoverProvider',
            document,
            position,
            () => next(document, position, token),
            (own, given) => (Array.isArray(given) && given.length > 0 ? undefined : own),
          ).then((found) => (Array.isArray(found) ? found[0] : found))
        : next(document, position, token),
    provideDefinition: (document, position, token, next) =>
      rest<Places>(
        'places',
        'vscode.executeDefinitionProvider',
        document,
        position,
        () => next(document, position, token),
        withoutPlaces,
      ) as Promise<vscode.Definition | undefined>,
    provideReferences: (document, position, options, token, next) =>
      rest<Places>(
        'places',
        'vscode.executeReferenceProvider',
        document,
        position,
        () => next(document, position, options, token),
        withoutPlaces,
      ) as Promise<vscode.Location[] | undefined>,
    provideDocumentSymbols: (document, token, next) =>
      share(document, 'outline') === 'all' || isOutlineOn(document) ? next(document, token) : [],
    provideDiagnostics: async (at, previous, token, next) => {
      const document = 'uri' in at ? at : vscode.workspace.textDocuments.find(({ uri }) => `${uri}` === `${at}`);
      if (!document || share(document, 'problems') !== 'rest') return next(at, previous, token);
      const report = await next(at, undefined, token);
      return report && 'items' in report ? { ...report, items: withoutSaid(report.items, document.uri) } : report;
    },
  };
}

type Completions = vscode.CompletionItem[] | vscode.CompletionList;
type Places = vscode.Location | readonly (vscode.Location | vscode.LocationLink)[];

function isInAction(document: vscode.TextDocument, position: vscode.Position): boolean {
  const before = document.getText(new vscode.Range(new vscode.Position(Math.max(0, position.line - 20), 0), position));
  return before.lastIndexOf('{{') > before.lastIndexOf('}}');
}

function isOutlineOn(document: vscode.TextDocument): boolean {
  return vscode.workspace.getConfiguration('kubeCrd', document).get('outline') === 'on';
}

function itemsOf(list: Completions): vscode.CompletionItem[] {
  return Array.isArray(list) ? list : list.items;
}

/** The editor also offers the words that stand in the text: those do not count as an answer. */
function withoutNamed(own: Completions, given: Completions): Completions {
  const named = new Set(
    itemsOf(given)
      .filter(({ kind }) => kind !== vscode.CompletionItemKind.Text)
      .map(nameOf),
  );
  const left = itemsOf(own).filter((item) => !named.has(nameOf(item)));
  return Array.isArray(own) ? left : new vscode.CompletionList(left, own.isIncomplete);
}

function nameOf({ label }: vscode.CompletionItem): string {
  return (typeof label === 'string' ? label : label.label).replace(/^\$?\.(?=.)/, '');
}

function withoutPlaces(own: Places, given: Places): Places {
  const known = new Set(placesOf(given).map(lineOf));
  return placesOf(own).filter((place) => !known.has(lineOf(place)));
}

function placesOf(places: Places): readonly (vscode.Location | vscode.LocationLink)[] {
  return places instanceof vscode.Location ? [places] : places;
}

function lineOf(place: vscode.Location | vscode.LocationLink): string {
  return 'uri' in place
    ? `${place.uri}:${place.range.start.line}`
    : `${place.targetUri}:${(place.targetSelectionRange ?? place.targetRange).start.line}`;
}

const source = 'kube-crd';

/** Without what somebody else says on the same line, in the same words. */
function withoutSaid(own: readonly vscode.Diagnostic[], uri: vscode.Uri): vscode.Diagnostic[] {
  const said = ofOthers(uri);
  return own.filter(
    ({ range, message }) =>
      !said.some((one) => one.range.start.line === range.start.line && isSame(one.message, message)),
  );
}

function ofOthers(uri: vscode.Uri): vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(uri).filter((one) => one.source !== source);
}

/** Others give the end of what Helm says. */
function isSame(given: string, own: string): boolean {
  const [first = ''] = own.split('\n');
  return given.length > 0 && (first.endsWith(given) || given.includes(first));
}

/** Where others find something else than before, what of ours is left is found out anew. */
export function followOthers(client: BaseLanguageClient): vscode.Disposable {
  const last = new Map<string, string>();
  return vscode.languages.onDidChangeDiagnostics(({ uris }) => {
    for (const document of vscode.workspace.textDocuments) {
      const key = `${document.uri}`;
      if (!uris.some((uri) => `${uri}` === key) || share(document, 'problems') !== 'rest') continue;
      const said = ofOthers(document.uri)
        .map(({ range, message }) => `${range.start.line} ${message}`)
        .join('\n');
      if (last.get(key) === said) continue;
      last.set(key, said);
      const feature = client.getFeature(DocumentDiagnosticRequest.method);
      feature?.getProvider(document)?.onDidChangeDiagnosticsEmitter.fire();
    }
  });
}
