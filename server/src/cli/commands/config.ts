import { kindAt } from '../../files/folders.ts';
import { layersFor } from '../../workspace/config.ts';
import { configName } from '../../workspace/fileNames.ts';
import type { Settings } from '../../workspace/settings.ts';
import { configFor, type FolderSettings, settingsAt } from '../../workspace/snapshot.ts';
import { folderOf } from '../../workspace/uri.ts';
import { nameOf } from '../report.ts';
import { command } from '../table/command.ts';
import { pathsOr } from '../table/shared.ts';
import { complain, print } from '../terminal.ts';
import { settingsNear } from '../workspace.ts';

/** Prints the settings that hold for files, and where they come from; gives the exit code. */
async function config(paths: readonly string[]): Promise<number> {
  let found = 0;
  for (const path of paths) {
    if ((await kindAt(path)) === undefined) throw new Error(`nothing found at ${path}`);
    const { settings, uri } = await settingsNear(path);
    print(nameOf(uri) || '.', ...table(rowsFor(settings, uri)));
    if (configFor(settings.configs, uri)) found++;
    else complain(`no ${configName} in ${nameOf(folderOf(uri)) || 'this folder'} or above it: these are the defaults`);
  }
  return found > 0 ? 0 : 2;
}

function rowsFor(settings: FolderSettings, uri: string): string[][] {
  return Object.entries(settingsAt(settings, uri)).map(([name, value]) => {
    return [name, shown(value), originOf(settings, uri, name as keyof Settings)];
  });
}

function originOf({ configs }: FolderSettings, uri: string, name: keyof Settings): string {
  const config = configFor(configs, uri);
  const layer = config && layersFor(config, uri).findLast(({ chosen }) => chosen[name] !== undefined);
  if (!layer) return 'default';
  const [overrides, nth] = layer.path;
  return nameOf(config.uri) + (overrides === undefined ? '' : `: ${overrides}[${nth}]`);
}

function shown(value: Settings[keyof Settings]): string {
  if (typeof value === 'string') return value;
  if (value instanceof Map) return JSON.stringify(Object.fromEntries(value));
  if (value instanceof Set) return JSON.stringify(Object.fromEntries([...value].map((name) => [name, false])));
  return JSON.stringify(value) ?? '';
}

function table(rows: readonly string[][]): string[] {
  const width = (column: number) => rows.reduce((most, row) => Math.max(most, row[column]!.length), 0);
  const widths = [width(0), width(1)];
  const line = (row: readonly string[]) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ');
  return rows.map((row) => `  ${line(row)}`);
}

export const configCommand = command({
  name: 'config',
  about: 'prints the settings that hold for files, and where they come from',
  inShort: 'prints the settings that hold for a file, and where they come from',
  takes: '[PATH]...',
  explains:
    'Prints the settings that hold for each file or folder, the folder it runs in by default, and which .kube-crd.yaml they come from.',
  options: {},
  exits: 'Exit code 0, or 2: wrong usage, or no .kube-crd.yaml there: what is printed are the defaults.',
  examples: ['kube-crd config config/samples/widget.yaml'],
  run: (_, paths) => config(pathsOr(paths)),
});
