// npm run site: makes dist/site of docs/, with a page for each rule and one for each reader's path. Each version has a folder,
// beside those that are there already; `latest` is the newest. Nothing but the search needs a script, and nothing a server.
// `--into FOLDER` adds to a site that is elsewhere.
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { rulePage } from '../server/src/rules/model/page.ts';
import { rules } from '../server/src/rules/model/registry.ts';
import { repository } from '../server/src/share/address.ts';
import { pngSize } from './pngSize.ts';
import { escaped, type MadePage, madePage } from './site/markdown.ts';
import { leftOut, others, paths } from './site/paths.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const into = process.argv.includes('--into') ? process.argv[process.argv.indexOf('--into') + 1]! : 'dist/site';

/** Each page of the docs: its name, and its Markdown. */
const docs = new Map(
  readdirSync('docs')
    .filter((file) => file.endsWith('.md') && !leftOut.includes(file.slice(0, -3)))
    .map((file) => [file.slice(0, -3), readFileSync(`docs/${file}`, 'utf8')]),
);
docs.set('changelog', readFileSync('CHANGELOG.md', 'utf8'));
// Its rules have pages of their own.
docs.set('rules', docs.get('rules')!.replace(/^## [\s\S]*/m, ''));

const ruleByAnchor = new Map(rules.map(({ code }) => [code.replaceAll('/', ''), code]));

/** The way up from a page to the folder of its version. */
const up = (page: string) => '../'.repeat(page.split('/').length - 1);

/** Where a link of a Markdown file leads on the site. What is not on it is in the repository. */
function linkFrom(page: string, folder: string, href: string): string {
  if (/^[a-z]+:/.test(href)) return href;
  const [file = '', anchor = ''] = href.split('#');
  const at = file === '' ? '' : path.posix.join(folder, file);
  const name = /^docs\/([\w-]+)\.md$/.exec(at)?.[1] ?? (at === 'CHANGELOG.md' ? 'changelog' : undefined);
  const code = (name ?? (file === '' ? page : '')) === 'rules' ? ruleByAnchor.get(anchor) : undefined;
  if (code !== undefined) return `${up(page)}rules/${code}.html`;
  if (at === '') return `#${anchor}`;
  if (name !== undefined && docs.has(name)) return `${up(page)}${name}.html${anchor && `#${anchor}`}`;
  if (at.startsWith('docs/images/')) return `${up(page)}${at.slice('docs/'.length)}`;
  return `${repository}/blob/main/${at}${anchor && `#${anchor}`}`;
}

function sideOf(page: string): string {
  const link = (to: string, text: string) =>
    `<a href="${up(page)}${to}.html"${to === page ? ' aria-current="page"' : ''}>${escaped(text)}</a>`;
  const titleOf = (name: string) => /^# (.+)$/m.exec(docs.get(name)!)![1]!.replaceAll('`', '');
  const rows = (names: readonly string[]) =>
    `<ul>${names.map((one) => `<li>${link(one, titleOf(one))}</li>`).join('')}</ul>`;
  return [
    ...paths.map(({ id, title, pages }) => `<h2>${link(id, title)}</h2>${rows(pages.map(([name]) => name))}`),
    `<h2>More</h2>${rows([...others.map(([name]) => name), 'changelog'])}`,
  ].join('\n');
}

const mark =
  '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 1.8 21 7v10l-9 5.2L3 17V7z"/><path class="tick" d="m8 12.2 2.8 2.8L16.2 9.4"/></svg>';

function framed(page: string, title: string, body: string): string {
  const root = up(page);
  return `<!doctype html>
<html lang="en" data-root="${root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · kube-crd</title>
<link rel="stylesheet" href="${root}style.css">
</head>
<body>
<a class="skip" href="#text">Skip to the text</a>
<header>
<a class="home" href="${root}index.html">${mark}kube-crd</a>
<a href="${root}rules.html">Rules</a>
<a href="${root}commands.html">Commands</a>
<a href="${root}../playground/index.html">Playground</a>
<a href="${root}../index.html">Version ${version}</a>
<span class="space"></span>
<div class="search" role="search" hidden><input type="search" aria-label="Search the docs" placeholder="Search ( / )"><ol hidden></ol></div>
</header>
<div class="frame">
<nav class="side" aria-label="Docs">
${sideOf(page)}
</nav>
<main id="text">
${body}
<footer>kube-crd ${version} · <a href="${repository}">the repository</a></footer>
</main>
</div>
<script src="${root}site.js" defer></script>
</body>
</html>
`;
}

/** The home page: one way for each reader. */
function home(): string {
  const cards = paths.map(
    ({ id, title, lead }) =>
      `<li><a href="${id}.html"><strong>${escaped(title)}</strong><span>${escaped(lead)}</span></a></li>`,
  );
  return `<h1>What the API server would say, before you ask it</h1>
<p class="lead">kube-crd judges CustomResourceDefinitions, custom resources, CEL rules and policies as the Kubernetes API server does: while you type, on the command line, and in CI. It shows where the problem is and why, and offers the fix.</p>
<ul class="cards">
${cards.join('\n')}
<li><a href="../playground/index.html"><strong>I want to try it</strong><span>The playground runs in your browser, with nothing installed.</span></a></li>
</ul>`;
}

function pathPage({ title, lead, pages }: (typeof paths)[number]): string {
  const steps = pages.map(([name, why]) => {
    const [, heading = ''] = /^# (.+)$/m.exec(docs.get(name)!) ?? [];
    return `<li><a href="${name}.html">${escaped(heading.replaceAll('`', ''))}</a><br>${escaped(why)}</li>`;
  });
  return `<h1>${escaped(title)}</h1>\n<p class="lead">${escaped(lead)}</p>\n<ol class="steps">\n${steps.join('\n')}\n</ol>`;
}

function made(page: string, folder: string, source: string): MadePage {
  return madePage(source, {
    linkOf: (href) => linkFrom(page, folder, href),
    sizeOf: (href) => pngSize(readFileSync(path.join(folder, href))),
  });
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function makeVersion(to: string): void {
  rmSync(to, { recursive: true, force: true });
  const found: [page: string, anchor: string, title: string, heading: string, text: string][] = [];
  const put = (page: string, one: MadePage) => {
    write(`${to}/${page}.html`, framed(page, one.title, one.html));
    for (const { anchor, heading, text } of one.sections)
      found.push([`${page}.html`, anchor, one.title, heading, text]);
  };
  for (const [name, source] of docs) put(name, made(name, name === 'changelog' ? '' : 'docs', source));
  for (const { code } of rules) put(`rules/${code}`, made(`rules/${code}`, 'docs', rulePage(code)!));
  for (const one of paths) write(`${to}/${one.id}.html`, framed(one.id, one.title, pathPage(one)));
  write(`${to}/index.html`, framed('index', 'Docs', home()));
  write(`${to}/search.js`, `kubeCrdSearch(${JSON.stringify(found)});\n`);
  for (const file of ['style.css', 'site.js']) copyFileSync(`scripts/site/${file}`, `${to}/${file}`);
  const pictures = new Set(
    [...docs.values()].flatMap((source) => [...source.matchAll(/\((images\/[\w.-]+)\)/g)].map(([, file]) => file!)),
  );
  for (const file of pictures) {
    mkdirSync(`${to}/images`, { recursive: true });
    copyFileSync(`docs/${file}`, `${to}/${file}`);
  }
}

const isVersion = /^\d+\.\d+\.\d+$/;
const number = (name: string) => name.split('.').reduce((sum, part) => sum * 10_000 + Number(part), 0);

/** What is there of versions, newest first; the list of them is the front of the site. */
function makeFront(): void {
  const all = readdirSync(into)
    .filter((name) => isVersion.test(name))
    .sort((a, b) => number(b) - number(a));
  const newest = all[0]!;
  rmSync(`${into}/latest`, { recursive: true, force: true });
  cpSync(`${into}/${newest}`, `${into}/latest`, { recursive: true });
  const rows = all.map((name) => `<li><a href="${name}/index.html">${name}</a></li>`).join('');
  write(
    `${into}/index.html`,
    `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>kube-crd</title><link rel="stylesheet" href="latest/style.css"></head>
<body><main><h1>kube-crd</h1><p class="lead"><a href="latest/index.html">The docs of ${newest}</a>, the newest version.</p>
<p><a href="playground/index.html">The playground</a></p><h2>All versions</h2><ul>${rows}</ul></main></body></html>
`,
  );
}

makeVersion(path.join(into, version));
makeFront();
const playground = 'dist/playground';
if (existsSync(playground)) cpSync(playground, path.join(into, 'playground'), { recursive: true });
console.log(`${into}: ${docs.size} pages, ${rules.length} rules, version ${version}`);
