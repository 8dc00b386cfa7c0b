import { chartRootOf, readChart } from '../charts/chartFiles.ts';
import { ChartFolder } from '../charts/chartFolder.ts';
import { chartGlobs } from '../fileNames.ts';
import { settingsFor } from '../snapshot.ts';
import { isInside } from '../uri.ts';
import { chartAt, mayBeOfChart, withChart } from './chart.ts';
import type { Language, Reader, ReaderHost } from './language.ts';

/** Reads the charts that open files belong to. */
export class ChartReader implements Reader {
  readonly watches = chartGlobs.map((glob) => `**/${glob}`);
  private readonly host: ReaderHost;
  private readonly pending = new Map<string, Promise<void>>();
  /** Files that belong to no chart. */
  private readonly outside = new Set<string>();

  constructor(host: ReaderHost) {
    this.host = host;
  }

  read(uri: string): Promise<void> | undefined {
    if (
      !mayBeOfChart(uri) ||
      !settingsFor(this.host.snapshot(), uri).charts ||
      this.outside.has(uri) ||
      this.pending.has(uri)
    )
      return undefined;
    if (chartAt(this.host.snapshot(), uri)) return undefined;
    const reading = this.readAround(uri).finally(() => this.pending.delete(uri));
    this.pending.set(uri, reading);
    return reading;
  }

  async settled(uri: string): Promise<void> {
    // What fails is told by those who began it.
    await Promise.allSettled([this.pending.get(uri)]);
  }

  forget(uri: string): boolean {
    const root = [...this.host.snapshot().charts.keys()].find((one) => isInside(uri, one));
    if (root === undefined) {
      if (!uri.endsWith('/Chart.yaml')) return false;
      this.outside.clear();
      return true;
    }
    this.host.change((snapshot) => {
      const charts = new Map(snapshot.charts);
      charts.delete(root);
      return { ...snapshot, charts };
    });
    return true;
  }

  judgesBy(_language: Language): boolean {
    return false;
  }

  private async readAround(uri: string): Promise<void> {
    const { files, caches } = this.host;
    const root = await chartRootOf(files, uri);
    if (root === undefined) {
      this.outside.add(uri);
      return;
    }
    if (this.host.snapshot().charts.has(root)) return;
    const read = await readChart(files, root, caches.helm);
    for (const note of read.notes) this.host.log(`${root}: ${note}`);
    this.host.change((snapshot) => withChart(snapshot, new ChartFolder(read)));
  }
}
