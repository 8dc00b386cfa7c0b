import { seeded } from '../../support/random.ts';
import { attackArchives } from './archives.ts';
import { attackBeside } from './beside.ts';
import { attackBombs } from './bombs.ts';
import { attackChartFixes } from './chartFixes.ts';
import { attackCharts } from './charts.ts';
import { attackDelivery } from './delivery.ts';
import { attackDocuments, attackEdits } from './documents.ts';
import { attackDumps } from './dumps.ts';
import { attackFetch } from './fetch.ts';
import { attackFiles } from './files.ts';
import { attackFix } from './fix.ts';
import { attackGo, attackGoPackages } from './go.ts';
import { attackKustomize } from './kustomize.ts';
import { attackMarkdown } from './markdown.ts';
import { attackMcp } from './mcp.ts';
import { attackMissing } from './missing.ts';
import type { Attack } from './part.ts';
import { attackServe } from './serve.ts';
import { attackStreams } from './streams.ts';
import { attackTemplates } from './templates.ts';
import { attackTests } from './tests.ts';

const parts: Readonly<Record<string, Attack>> = {
  archives: attackArchives,
  beside: attackBeside,
  bombs: attackBombs,
  'chart-fixes': attackChartFixes,
  charts: attackCharts,
  delivery: attackDelivery,
  documents: attackDocuments,
  dumps: attackDumps,
  edits: attackEdits,
  fetch: attackFetch,
  files: attackFiles,
  fix: attackFix,
  go: attackGo,
  'go-packages': attackGoPackages,
  kustomize: attackKustomize,
  markdown: attackMarkdown,
  mcp: attackMcp,
  serve: attackServe,
  missing: attackMissing,
  streams: attackStreams,
  templates: attackTemplates,
  tests: attackTests,
};

/** What runs unless some are named: what another part does as well runs once. */
export const inAll = Object.keys(parts).filter((name) => name !== 'go-packages');

const mostShown = 20;

/**
 * Bombs that grow, hostile documents, random edits beside the same text opened anew, hostile Go, sessions with the built server, hostile files of tests and hostile folders, messages of clients, or those of
 * them that are named; gives the number of failures.
 */
export async function attack(cases: number, seed: number, only: string | undefined): Promise<number> {
  const chosen = only?.split(',') ?? inAll;
  let failures = 0;
  const failed = (what: string) => {
    failures++;
    if (failures <= mostShown) console.log(`\n${what}`);
  };
  for (const name of chosen) {
    const part = parts[name];
    if (!part) throw new Error(`there is no part ${name}, but ${Object.keys(parts).join(', ')}`);
    const before = failures;
    const start = process.cpuUsage();
    const counts = await part({ cases, random: seeded(seed), failed });
    const { user, system } = process.cpuUsage(start);
    const said = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
    console.log(`${name}: ${said.join(', ')}, ${failures - before} failures, ${((user + system) / 1e6).toFixed(0)} s`);
  }
  const memory = Math.round(process.resourceUsage().maxRSS / 1000);
  console.log(`${failures} failures, at most ${memory} MB`);
  return failures;
}
