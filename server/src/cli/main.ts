import path from 'node:path';
import { writeWhole } from '../files/write.ts';
import { kubernetesVersions } from '../kubernetes/releases/all.ts';
import { asTyped, programName } from './called.ts';
import { commands } from './commands/all.ts';
import type { Command } from './table/command.ts';
import { commandHelp, usageText } from './table/help.ts';
import { meant } from './table/option.ts';
import { readArguments } from './table/read.ts';
import { common } from './table/shared.ts';
import { colored, complainOf, emit, emitBeside, keptOutput } from './terminal.ts';

/** Runs the command line; gives the exit code, or undefined where the server goes on running. */
export async function runCli(args: readonly string[]): Promise<number | undefined> {
  try {
    return await answered(args);
  } catch (error) {
    complainOf(error);
    return 2;
  }
}

const versionWords = ['--version', '-v', '-V', 'version'];
const helpWords = ['--help', '-h', 'help'];

async function answered([name, ...rest]: readonly string[]): Promise<number | undefined> {
  if (name === undefined) {
    emitBeside(asTyped(usageText(VERSION, kubernetesVersions)));
    return 2;
  }
  if (versionWords.includes(name)) return said(`${VERSION}\n`);
  if (helpWords.includes(name)) return said(asTyped(helpOn(rest[0])));
  const command = commandNamed(name);
  return asksHelp(rest) ? said(asTyped(commandHelp(command))) : await run(command, rest);
}

function commandNamed(name: string): Command {
  const found = commands.find((one) => one.name === name);
  if (found) return found;
  const known = [...commands.map((one) => one.name), ...versionWords, ...helpWords];
  const what = name.startsWith('-') ? `there is no option ${name} before a command` : `unknown command ${name}`;
  throw new Error(`${what}${meant(name, known) || `; ${programName()} help lists what there is`}`);
}

function helpOn(name: string | undefined): string {
  return name === undefined ? usageText(VERSION, kubernetesVersions) : commandHelp(commandNamed(name));
}

function asksHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end === -1 ? args : args.slice(0, end)).some((arg) => arg === '--help' || arg === '-h');
}

async function run(command: Command, args: readonly string[]): Promise<number | undefined> {
  if (command.isLenient) return await command.run({}, args);
  const { values, rest } = readArguments({ ...common, ...command.options }, args);
  const { color, outputFile } = values as ReturnType<typeof readArguments<typeof common>>['values'];
  colored(color);
  if (outputFile === undefined) return await command.run(values, rest);
  const text = keptOutput();
  const code = await command.run(values, rest);
  await writeWhole(outputFile, text(), path.dirname(outputFile));
  return code;
}

function said(text: string): number {
  emit(text);
  return 0;
}
