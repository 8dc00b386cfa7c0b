import type { Snapshot } from '../snapshot.ts';
import { cel } from './cel.ts';
import { chart } from './chart.ts';
import { ChartReader } from './chartReader.ts';
import { config } from './config.ts';
import { crdtest } from './crdtest.ts';
import { go } from './go.ts';
import { GoReader } from './goReader.ts';
import { kustomization } from './kustomization.ts';
import { KustomizationReader } from './kustomizationReader.ts';
import type { Language, Reader, ReaderHost } from './language.ts';
import type { FileName } from './openText.ts';
import { yaml } from './yaml.ts';

/** All kinds of files that are understood; a file is of the first one that it can be. */
const languages = { go, chart, crdtest, cel, config, kustomization, yaml };

export type LanguageName = keyof typeof languages;

function nameFor(file: FileName): LanguageName {
  const all = Object.entries(languages) as [LanguageName, Language][];
  return all.find(([, language]) => language.isOf(file))?.[0] ?? 'yaml';
}

export function languageOf(file: FileName): Language {
  return languages[nameFor(file)];
}

/** The language of a file that a snapshot may know. */
export function languageAt({ others }: Snapshot, uri: string): Language {
  return languageOf(others.get(uri) ?? { uri });
}

/** What the language of a file is called. */
export function languageNameAt({ others }: Snapshot, uri: string): LanguageName {
  return nameFor(others.get(uri) ?? { uri });
}

/** The text of a file that a snapshot knows, be it open or not. */
export function textAt(snapshot: Snapshot, uri: string): string | undefined {
  return languageAt(snapshot, uri).textAt(snapshot, uri);
}

/** What readers have read is forgotten. */
export function withoutRead(snapshot: Snapshot): Snapshot {
  return { ...snapshot, go: new Map(), charts: new Map(), kustomize: undefined };
}

export function newReaders(host: ReaderHost): readonly Reader[] {
  return [new GoReader(host), new ChartReader(host), new KustomizationReader(host)];
}
