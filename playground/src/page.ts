// The page of the playground: files on the left, what the engine says of them on the right. Nothing leaves the browser.
import type { Status, Tried, VersionCost } from '../../server/src/lsp/protocol.ts';
import { fragmentOf, isPlayName, LinkError, type Play, playOf } from '../../server/src/share/link.ts';
import { type Asked, Client, type CodeAction, type Diagnostic, type Range, type WorkspaceEdit } from './client.ts';
import { arrowsThrough, button, byId, element, redraw } from './dom.ts';
import { type Colored, type Completed, Editor, type Fix } from './editor.ts';
import { startEngine } from './engineWorker.ts';
import { examples } from './examples.ts';
import { packagedData } from './packagedData.ts';
import {
  counted,
  drawCosts,
  drawTexts,
  drawTried,
  drawVerdicts,
  type FileCosts,
  summaryOf,
  type Verdict,
} from './panels.ts';
import { fileOf, isOlder, languageOf, nameOf, olderMark, Session, uriOf } from './session.ts';
import { updateCase } from './updateCase.ts';
import { markdown } from './words.ts';

type PanelName = 'verdicts' | 'stored' | 'values' | 'cost' | 'rendered';

/** What the server said of a file last. */
interface Report {
  resultId: string | undefined;
  items: readonly Diagnostic[];
  fixes: ReadonlyMap<Diagnostic, readonly CodeAction[]>;
}

const versions = KUBERNETES_VERSIONS;
let session = new Session({ files: [] }, versions[0]!, versions);
let tab = '';
let panel: PanelName = 'verdicts';
let status: Status | undefined;
let legend: readonly string[] = [];
const reports = new Map<string, Report>();
/** The expression that "Values" is about, as the place of one; undefined for the first. */
let tryAt: { readonly name: string; readonly line: number; readonly character: number } | undefined;

const asked: Asked = {
  readFile: async (uri) => {
    const data = packagedData(uri);
    if (data) return await data;
    const file = session.files.get(nameOf(uri));
    return file ? base64(file.text) : null;
  },
  listFiles: () => [...session.files.keys()].map(uriOf),
  entries: (folder) => entriesIn(folder),
  applyEdit,
  refresh: () => judgeLater(),
  message: say,
  failed: (text) => say(`The engine has stopped: ${text}`),
};

const client = new Client(startEngine(), asked);

const editor = new Editor(byId('editor'), {
  changed: (name, changes, text) => {
    const file = session.files.get(fileOf(name))!;
    if (isOlder(name)) {
      file.before = text;
      client.older(session.older);
    } else {
      file.text = text;
      file.version++;
      client.tell('textDocument/didChange', {
        textDocument: { uri: uriOf(name), version: file.version },
        contentChanges: changes,
      });
    }
    judgeLater();
  },
  complete: async (name, position) => {
    if (isOlder(name)) return [];
    const found = await client.ask<{ items: readonly Completed[] } | readonly Completed[] | null>(
      'textDocument/completion',
      { textDocument: { uri: uriOf(name) }, position, context: { triggerKind: 1 } },
    );
    return found === null ? [] : 'items' in found ? found.items : found;
  },
  hover: async (name, position) => {
    if (isOlder(name)) return undefined;
    const found = await client.ask<{ contents: { value: string }; range?: Range } | null>('textDocument/hover', {
      textDocument: { uri: uriOf(name) },
      position,
    });
    return found ? { source: found.contents.value, range: found.range } : undefined;
  },
});

// Files

function open(play: Play): void {
  for (const name of session.files.keys()) client.tell('textDocument/didClose', { textDocument: { uri: uriOf(name) } });
  session = new Session(play, versions[0]!, versions);
  reports.clear();
  editor.forgetAll();
  tryAt = undefined;
  byId<HTMLSelectElement>('kubernetes').value = session.kubernetes;
  settle();
  client.older(session.older);
  for (const name of session.files.keys()) openFile(name);
  choose(session.tabs[0] ?? '');
}

function openFile(name: string): void {
  const { text, version } = session.files.get(name)!;
  client.tell('textDocument/didOpen', {
    textDocument: { uri: uriOf(name), languageId: languageOf(name), version, text },
  });
  // A file that others read, such as the values of a chart, is there now.
  client.tell('workspace/didChangeWatchedFiles', { changes: [{ uri: uriOf(name), type: 1 }] });
}

function choose(name: string): void {
  tab = name;
  if (name !== '') editor.show(name, session.textOf(name));
  byId('editor').setAttribute('aria-labelledby', `tab-${session.tabs.indexOf(name)}`);
  drawTabs();
  judgeLater();
}

function drawTabs(): void {
  const list = byId('tabs');
  redraw(
    list,
    ...session.tabs.map((name, i) => {
      const isChosen = name === tab;
      return button(labelOf(name), () => choose(name), {
        title: name,
        ...{ id: `tab-${i}`, role: 'tab', 'aria-selected': String(isChosen), 'aria-controls': 'editor' },
        ...{ tabindex: isChosen ? '0' : '-1', 'data-key': `tab ${name}` },
      });
    }),
  );
  const older = byId<HTMLButtonElement>('older');
  older.hidden = tab === '' || isOlder(tab) || session.files.get(tab)?.before !== undefined;
  byId<HTMLButtonElement>('remove').hidden = session.files.size < 2 && !isOlder(tab);
}

/** A name without its folders, where that is clear. */
function labelOf(tab: string): string {
  const short = tab.slice(tab.lastIndexOf('/') + 1);
  return session.tabs.some((other) => other !== tab && other.endsWith(`/${short}`)) ? tab : short;
}

function addOlder(): void {
  const file = session.files.get(tab)!;
  file.before = file.text;
  client.older(session.older);
  choose(tab + olderMark);
}

function removeTab(): void {
  const name = fileOf(tab);
  editor.forget(tab);
  if (isOlder(tab)) {
    session.files.get(name)!.before = undefined;
    client.older(session.older);
    choose(name);
    return;
  }
  session.files.delete(name);
  reports.delete(name);
  client.tell('textDocument/didClose', { textDocument: { uri: uriOf(name) } });
  client.tell('workspace/didChangeWatchedFiles', { changes: [{ uri: uriOf(name), type: 3 }] });
  client.older(session.older);
  choose(session.tabs[0]!);
}

function addFile(name: string, text: string): void {
  session.files.set(name, { text, before: undefined, version: 1 });
  openFile(name);
  choose(name);
  editor.view.focus();
}

function entriesIn(folder: string): { name: string; isFolder: boolean }[] {
  const prefix = nameOf(`${folder.replace(/\/$/, '')}/`);
  const inside = [...session.files.keys()].flatMap((name) => {
    const start = prefix.startsWith('play:') ? '' : prefix;
    return name.startsWith(start) ? [name.slice(start.length).split('/')] : [];
  });
  const folders = new Map(inside.map(([first, ...rest]) => [first!, rest.length > 0]));
  return [...folders].map(([name, isFolder]) => ({ name, isFolder }));
}

function base64(text: string): string {
  let bytes = '';
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  return btoa(bytes);
}

// Edits that fixes and commands make

/** The text of a test that was asked for, which is copied instead of opened. */
let copying: ((text: string | undefined) => void) | undefined;

function applyEdit({ changes, documentChanges }: WorkspaceEdit): boolean {
  const all = [
    ...Object.entries(changes ?? {}).map(([uri, edits]) => ({ uri, edits })),
    ...(documentChanges ?? []).flatMap((one) =>
      'edits' in one ? [{ uri: one.textDocument.uri, edits: one.edits }] : [],
    ),
  ];
  const created = all.find(({ uri }) => !session.files.has(nameOf(uri)));
  if (created) {
    const text = created.edits.map(({ newText }) => newText).join('');
    if (copying) copying(text);
    else if (isPlayName(nameOf(created.uri))) addFile(nameOf(created.uri), text);
    return true;
  }
  for (const { uri, edits } of all) {
    if (nameOf(uri) !== tab) choose(nameOf(uri));
    editor.edit(edits);
  }
  return true;
}

async function applyAction(action: CodeAction): Promise<void> {
  const { edit } = action.edit ? action : await client.ask<CodeAction>('codeAction/resolve', action);
  if (edit) applyEdit(edit);
  say(`Applied: ${action.title}`);
}

// Judging

let judging = false;
let again = false;

/** The newest texts are judged; keys that come meanwhile are judged together, after. */
function judgeLater(): void {
  again = true;
  if (!judging) void judgeAll();
}

async function judgeAll(): Promise<void> {
  judging = true;
  document.body.dataset.busy = 'true';
  try {
    while (again) {
      again = false;
      await judgeOnce();
    }
  } catch (error) {
    say(`The engine could not answer: ${(error as Error).message}`);
  } finally {
    judging = false;
    document.body.dataset.busy = 'false';
  }
}

async function judgeOnce(): Promise<void> {
  const of = session;
  for (const name of [...of.files.keys()]) {
    await judge(name);
    if (of !== session) return;
  }
  show();
  await color();
  await drawPanel();
  await findFixes();
}

async function judge(name: string): Promise<void> {
  const known = reports.get(name);
  const { kind, items, resultId } = await client.ask<{ kind: string; items?: Diagnostic[]; resultId?: string }>(
    'textDocument/diagnostic',
    { textDocument: { uri: uriOf(name) }, ...(known?.resultId && { previousResultId: known.resultId }) },
  );
  if (kind === 'unchanged' || !session.files.has(name)) return;
  reports.set(name, { items: items ?? [], resultId, fixes: new Map() });
}

function verdicts(): Verdict[] {
  return [...session.files.keys()].map((name) => {
    const uri = uriOf(name);
    const judged = status?.judged[uri];
    const diagnostics = reports.get(name)?.items ?? [];
    return { name, diagnostics, said: judged ?? status?.notJudged[uri], isJudged: judged !== undefined };
  });
}

let drawn = '';

function show(): void {
  const all = verdicts();
  const { text, mood } = summaryOf(all);
  const line = byId('summary');
  const said = `${text} · Kubernetes ${session.kubernetes}`;
  if (line.textContent !== said) line.textContent = said;
  line.className = mood;
  // Drawing the same again would take away what is pointed at or selected. A result has another name after each change.
  const now = JSON.stringify([tab, all, [...reports.values()].map(({ resultId, fixes }) => [resultId, fixes.size])]);
  if (now === drawn) return;
  drawn = now;
  drawVerdicts(byId('panel-verdicts'), all, { go: reveal, explain, fixesOf });
  if (!isOlder(tab) && tab !== '') editor.diagnose(reports.get(tab)?.items ?? [], (one) => fixesOf(tab, one));
}

function fixesOf(name: string, one: Diagnostic): readonly Fix[] {
  const actions = reports.get(name)?.fixes.get(one) ?? [];
  return actions.map((action) => ({ title: action.title, apply: () => void applyAction(action) }));
}

/** For how many findings of a file fixes are looked for, and how many are shown of one. */
const mostWithFixes = 40;
const mostFixes = 2;

async function findFixes(): Promise<void> {
  let found = false;
  for (const [name, report] of reports) {
    if (report.fixes.size > 0) continue;
    const fixes = new Map<Diagnostic, readonly CodeAction[]>();
    for (const one of report.items.slice(0, mostWithFixes)) {
      if (again) return;
      const actions = await client.ask<readonly CodeAction[] | null>('textDocument/codeAction', {
        ...{ textDocument: { uri: uriOf(name) }, range: one.range },
        context: { diagnostics: [one], only: ['quickfix'], triggerKind: 2 },
      });
      fixes.set(one, (actions ?? []).filter(isFix).slice(0, mostFixes));
    }
    report.fixes = fixes;
    found ||= fixes.size > 0;
  }
  if (found) show();
}

/** Commands would open views that this page does not have; comments that silence a rule mend nothing. */
function isFix({ edit, data, command, title }: CodeAction): boolean {
  return (
    command === undefined && (edit !== undefined || data !== undefined) && !/^(?:Ignore|Silence|Turn off)/.test(title)
  );
}

async function color(): Promise<void> {
  if (tab === '' || isOlder(tab)) return;
  const name = tab;
  const found = await client.ask<{ data: readonly number[] } | null>('textDocument/semanticTokens/full', {
    textDocument: { uri: uriOf(name) },
  });
  if (name === tab && !again) editor.color(coloredOf(found?.data ?? []));
}

function coloredOf(data: readonly number[]): Colored[] {
  const found: Colored[] = [];
  let line = 0;
  let character = 0;
  for (let i = 0; i + 4 < data.length; i += 5) {
    const [down, right, length, type] = data.slice(i, i + 4) as [number, number, number, number];
    character = down > 0 ? right : character + right;
    line += down;
    found.push({ start: { line, character }, length, color: legend[type] ?? 'variable' });
  }
  return found;
}

function reveal(name: string, range: Range): void {
  if (name !== tab) choose(name);
  editor.reveal(range);
}

async function explain(code: string): Promise<void> {
  const source = await client.ask<string | null>('kubeCrd/rulePage', { code });
  const dialog = byId<HTMLDialogElement>('page');
  const text = source === null ? element('p', {}, `Nothing is written about ${code}.`) : await markdown(source);
  redraw(byId('page-text'), text);
  dialog.showModal();
}

// The panels beside the verdicts

async function drawPanel(): Promise<void> {
  const place = byId(`panel-${panel}`);
  if (panel === 'stored') await drawStored(place);
  if (panel === 'values') await drawValues(place);
  if (panel === 'cost')
    drawCosts(place, await costs(), (name, range) => {
      reveal(name, range);
    });
  if (panel === 'rendered') await drawRendered(place);
}

async function drawStored(place: HTMLElement): Promise<void> {
  const texts: { name: string; text: string }[] = [];
  for (const [name, { before }] of session.files) {
    const writing = before === undefined ? 'create' : 'replace';
    const text = await client.ask<string | null>('kubeCrd/stored', { uri: uriOf(name), writing });
    if (text) texts.push({ name: before === undefined ? name : `${name}, written over what is stored`, text });
  }
  drawTexts(place, texts, 'No object of a kind that is defined here would be stored.');
}

async function costs(): Promise<FileCosts[]> {
  const found: FileCosts[] = [];
  for (const name of session.files.keys())
    found.push({
      name,
      versions: (await client.ask<VersionCost[] | null>('kubeCrd/costs', { uri: uriOf(name) })) ?? [],
    });
  return found;
}

interface Candidate {
  readonly name: string;
  readonly line: number;
  readonly character: number;
  readonly title: string;
}

/** What can be evaluated: the rules of CRDs, expressions by themselves, and policies, which a lens is above. */
async function candidates(): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const { name, versions } of await costs())
    for (const { kind, version, fields } of versions)
      for (const { field, expressions } of fields)
        for (const { expression, range, keyword } of expressions)
          if (keyword === 'rule')
            found.push({ name, ...range.start, title: `${kind} ${version} ${field}: ${expression.split('\n')[0]}` });
  for (const name of session.files.keys()) {
    if (/\.cel\.ya?ml$/.test(name)) found.push({ name, line: 0, character: 0, title: name });
    const lenses = await client.ask<{ command?: { command: string; arguments?: unknown[] } }[] | null>(
      'textDocument/codeLens',
      { textDocument: { uri: uriOf(name) } },
    );
    for (const { command } of lenses ?? [])
      if (command?.command === 'kubeCrd.tryRuleAt') {
        const { line, character } = command.arguments![1] as { line: number; character: number };
        found.push({ name, line, character, title: `${name}: the policy at line ${line + 1}` });
      }
  }
  return found;
}

async function drawValues(place: HTMLElement): Promise<void> {
  const all = await candidates();
  const at = all.find((one) => tryAt && one.name === tryAt.name && one.line === tryAt.line) ?? all[0];
  const list = byId<HTMLSelectElement>('expressions');
  list.hidden = all.length < 2;
  redraw(
    list,
    ...all.map((one, i) => element('option', { value: String(i), selected: one === at ? '' : undefined }, one.title)),
  );
  list.onchange = () => {
    tryAt = all[Number(list.value)];
    void drawValues(place);
  };
  const tried = at
    ? await client.ask<Tried | null>('kubeCrd/try', {
        uri: uriOf(at.name),
        position: { line: at.line, character: at.character },
      })
    : null;
  drawTried(byId('tried'), tried, (uri, range) => reveal(nameOf(uri), range));
}

async function drawRendered(place: HTMLElement): Promise<void> {
  const texts: { name: string; text: string }[] = [];
  for (const name of session.files.keys()) {
    // What helpers define is part of what the templates render.
    if (name.endsWith('.tpl')) continue;
    const shown = await client.ask<{ text: string } | null>('kubeCrd/rendered', { uri: uriOf(name) });
    if (shown) texts.push({ name, text: shown.text });
  }
  drawTexts(place, texts, 'No template of a chart and no kustomization is here.');
}

// The head of the page

function say(text: string): void {
  const line = byId('said');
  line.textContent = text;
  line.hidden = text === '';
  clearTimeout(saying);
  saying = setTimeout(() => say(''), 8000);
}
let saying: ReturnType<typeof setTimeout> | undefined;

function settle(): void {
  client.tell('workspace/didChangeConfiguration', { settings: { kubeCrd: { kubernetesVersion: session.kubernetes } } });
}

async function share(): Promise<void> {
  try {
    const address = new URL(`#${await fragmentOf(session.play)}`, location.href);
    history.replaceState(null, '', address);
    const isCopied = await copied(address.href);
    const holds = `It holds ${counted(session.files.size, 'file')}, and no server is told of them.`;
    say(`${isCopied ? 'The link is copied.' : 'The link is in the address bar.'} ${holds}`);
  } catch (error) {
    if (!(error instanceof LinkError)) throw error;
    say(error.message);
  }
}

/** Whether the browser let the page write to the clipboard: one from a disk may not in all of them. */
async function copied(text: string): Promise<boolean> {
  // Where the address is not a safe one there is none.
  if (!navigator.clipboard) return false;
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch (error) {
    if (error instanceof DOMException) return false;
    throw error;
  }
}

function showToCopy(text: string): void {
  redraw(
    byId('page-text'),
    element('h4', {}, 'Copy this'),
    element('textarea', { readonly: '', rows: '14', 'aria-label': 'Text to copy' }, text),
  );
  byId<HTMLDialogElement>('page').showModal();
  byId('page-text').querySelector('textarea')?.select();
}

/** The case is written as the editor writes it: of the resource or rule at the cursor, otherwise of the first that takes one. */
async function copyTest(): Promise<void> {
  const tried = [
    { name: fileOf(tab), position: editor.cursor },
    ...[...session.files.keys()].map((name) => ({ name, position: undefined })),
  ];
  for (const { name, position } of tried) {
    const written = await testOf(name, position ?? (await firstObject(name)));
    if (written === undefined) continue;
    const text = ofUpdate(name, written) ?? written;
    if (await copied(text)) say('The test case is copied. Save it as a *.crdtest.yaml file beside your CRD.');
    else showToCopy(text);
    return;
  }
  say('There is no custom resource or rule here that a test could be made of.');
}

/** Of an object with an older text the update is what is tried, by what is said of it now. */
function ofUpdate(name: string, written: string): string | undefined {
  const { text, before } = session.files.get(name)!;
  const head = written.split('\n')[0]!;
  if (before === undefined || !head.startsWith('crd: ')) return undefined;
  const codes = (reports.get(name)?.items ?? []).flatMap(({ severity, code }) => (severity === 1 ? (code ?? []) : []));
  return updateCase(head, { name, before, text, codes });
}

async function firstObject(name: string): Promise<{ line: number; character: number }> {
  const { text } = session.files.get(name)!;
  const line = text.split('\n').findIndex((row) => /^kind:/.test(row));
  return { line: Math.max(line, 0), character: 0 };
}

async function testOf(name: string, position: { line: number; character: number }): Promise<string | undefined> {
  const actions = await client.ask<readonly CodeAction[] | null>('textDocument/codeAction', {
    textDocument: { uri: uriOf(name) },
    range: { start: position, end: position },
    context: { diagnostics: [], only: ['refactor'] },
  });
  const command = actions?.find((action) => action.command?.command === 'kube-crd.newTest')?.command;
  if (!command) return undefined;
  let written: string | undefined;
  copying = (text) => {
    written = text;
  };
  try {
    await client.ask('workspace/executeCommand', command);
  } finally {
    copying = undefined;
  }
  return written;
}

function choosePanel(name: PanelName): void {
  panel = name;
  for (const one of document.querySelectorAll<HTMLElement>('#panels [role=tab]')) {
    const isChosen = one.dataset.panel === name;
    one.setAttribute('aria-selected', String(isChosen));
    one.tabIndex = isChosen ? 0 : -1;
  }
  for (const one of document.querySelectorAll<HTMLElement>('[role=tabpanel][id^=panel-]'))
    one.hidden = one.id !== `panel-${name}` && !(name === 'values' && one.id === 'panel-values');
  judgeLater();
}

function askName(): void {
  const name = byId<HTMLInputElement>('new-name');
  name.value = session.files.has('resource.yaml') ? '' : 'resource.yaml';
  byId('new-problem').textContent = '';
  byId<HTMLDialogElement>('new').showModal();
  name.select();
}

function named(): void {
  const name = byId<HTMLInputElement>('new-name').value.trim();
  const problem = !isPlayName(name)
    ? 'Use letters, digits, dots, dashes, and slashes for folders.'
    : session.files.has(name)
      ? 'There is a file with this name.'
      : '';
  byId('new-problem').textContent = problem;
  if (problem !== '') return;
  byId<HTMLDialogElement>('new').close();
  addFile(name, '');
}

/** Light and dark follow the system until one is chosen. */
function otherTheme(): void {
  const root = document.documentElement;
  const isDark = root.dataset.theme
    ? root.dataset.theme === 'dark'
    : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = isDark ? 'light' : 'dark';
}

function fillLists(): void {
  byId('kubernetes').append(...versions.map((version) => element('option', { value: version }, version)));
  byId('examples').append(...examples.map(({ id, title }) => element('option', { value: id }, title)));
}

function connect(): void {
  const kubernetes = byId<HTMLSelectElement>('kubernetes');
  kubernetes.onchange = () => {
    session.kubernetes = kubernetes.value;
    settle();
    judgeLater();
  };
  const list = byId<HTMLSelectElement>('examples');
  list.onchange = () => {
    const example = examples.find(({ id }) => id === list.value);
    list.value = '';
    if (example) open({ ...example, kubernetes: session.kubernetes });
  };
  byId('share').onclick = () => void share();
  byId('copy-test').onclick = () => void copyTest();
  byId('theme').onclick = otherTheme;
  byId('add').onclick = askName;
  byId('older').onclick = addOlder;
  byId('remove').onclick = removeTab;
  byId('new-form').onsubmit = (event) => {
    event.preventDefault();
    named();
  };
  for (const one of document.querySelectorAll<HTMLElement>('[data-closes]'))
    one.onclick = () => byId<HTMLDialogElement>(one.dataset.closes!).close();
  for (const one of document.querySelectorAll<HTMLElement>('#panels [role=tab]'))
    one.onclick = () => choosePanel(one.dataset.panel as PanelName);
  for (const list of ['tabs', 'panels']) arrowsThrough(byId(list));
  window.onhashchange = () => void openLinked();
}

/** What the address holds, otherwise the first example. */
async function openLinked(): Promise<void> {
  const fragment = location.hash.slice(1);
  const example = examples.find(({ id }) => id === fragment);
  if (fragment === '' || example) return open(example ?? examples[0]!);
  try {
    open(await playOf(fragment));
  } catch (error) {
    if (!(error instanceof LinkError)) throw error;
    open(examples[0]!);
    say(`${error.message} This is an example instead.`);
  }
}

async function start(): Promise<void> {
  fillLists();
  connect();
  client.on<Status>('kubeCrd/status', (sent) => {
    status = sent;
    if (!judging) show();
  });
  legend = await client.start({ kubernetesVersion: versions[0] }, 'data:');
  await openLinked();
}

void start();
