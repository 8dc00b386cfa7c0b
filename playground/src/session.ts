import type { Play, PlayFile } from '../../server/src/share/link.ts';
import { folder } from './beforeTexts.ts';

/** What marks the tab of the older text of a file. */
export const olderMark = ' · before';

interface Open {
  text: string;
  before: string | undefined;
  version: number;
}

/** The files of the page, by name, in the order of their tabs. */
export class Session {
  kubernetes: string;
  readonly files = new Map<string, Open>();

  constructor({ kubernetes, files }: Play, newest: string, versions: readonly string[]) {
    this.kubernetes = kubernetes !== undefined && versions.includes(kubernetes) ? kubernetes : newest;
    for (const { name, text, before } of files) this.files.set(name, { text, before, version: 1 });
  }

  get play(): Play {
    return { kubernetes: this.kubernetes, files: [...this.files].map(([name, file]) => playFile(name, file)) };
  }

  /** Of the tabs, those of older texts behind those of their files. */
  get tabs(): readonly string[] {
    return [...this.files].flatMap(([name, { before }]) => (before === undefined ? [name] : [name, name + olderMark]));
  }

  textOf(tab: string): string {
    const file = this.files.get(fileOf(tab))!;
    return isOlder(tab) ? (file.before ?? '') : file.text;
  }

  get older(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      [...this.files].flatMap(([name, { before }]) => (before === undefined ? [] : [[name, before]])),
    );
  }
}

function playFile(name: string, { text, before }: Open): PlayFile {
  return { name, text, ...(before !== undefined && { before }) };
}

export function isOlder(tab: string): boolean {
  return tab.endsWith(olderMark);
}

export function fileOf(tab: string): string {
  return isOlder(tab) ? tab.slice(0, -olderMark.length) : tab;
}

export function uriOf(name: string): string {
  return `${folder}/${name.split('/').map(encodeURIComponent).join('/')}`;
}

export function nameOf(uri: string): string {
  return uri.startsWith(`${folder}/`) ? decodeURIComponent(uri.slice(folder.length + 1)) : uri;
}

/** What the protocol calls the language of a file. */
export function languageOf(name: string): string {
  if (name.endsWith('.go')) return 'go';
  return /\.tpl$|(?:^|\/)templates\//.test(name) ? 'helm' : 'yaml';
}
