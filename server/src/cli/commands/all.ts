import type { Command } from '../table/command.ts';
import { checkCommand } from './check.ts';
import { completionCommand } from './completion.ts';
import { configCommand } from './config.ts';
import { costCommand } from './cost.ts';
import { crdsCommand } from './crds.ts';
import { diffCommand } from './diff.ts';
import { docsCommand } from './docs.ts';
import { evalCommand } from './eval.ts';
import { explainCommand } from './explain.ts';
import { generateCommand } from './generate.ts';
import { getCommand } from './get.ts';
import { mcpCommand } from './mcp.ts';
import { renderCommand } from './render.ts';
import { ruleCommand } from './rule.ts';
import { schemaCommand } from './schema.ts';
import { serveCommand } from './serve.ts';
import { serverCommand } from './server.ts';
import { testCommand } from './test.ts';

const besideCompletion: readonly Command[] = [
  checkCommand,
  diffCommand,
  generateCommand,
  renderCommand,
  getCommand,
  evalCommand,
  explainCommand,
  ruleCommand,
  docsCommand,
  costCommand,
  testCommand,
  serveCommand,
  configCommand,
  schemaCommand,
  crdsCommand,
  serverCommand,
  mcpCommand,
];

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [...besideCompletion, completionCommand(besideCompletion)];
