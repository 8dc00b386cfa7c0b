import { valueAt } from '../../server/src/base/value.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { goYaml } from '../../server/src/yaml/goYaml.ts';
import type { ApiServer } from './apiServer.ts';

/** A document, and the errors that we find in it. */
export interface Question {
  readonly where: string;
  readonly uri: string;
  readonly text: string;
  readonly said: readonly string[];
  /** Whether something in it is not known, such as what is random. */
  readonly isOpen: boolean;
}

/** What a server says because of how it was started, and of what it has already. */
const ofSetUp =
  /disallowed by cluster policy|already exists$|^namespaces "[^"]*" not found$|not configured on this cluster|RuntimeClass "[^"]*" not found/;

/** Asks a real API server, by dry run, about objects of which we have said what is wrong. */
export class DryRun {
  /** What the server says beside what we say; the first two are mistakes of ours. */
  private readonly counts = {
    'taken by the server, an error for us': 0,
    'refused by the server, nothing from us': 0,
    'refused by both': 0,
    'taken by both': 0,
    'refused by the server for what nobody knows or for its own set-up, nothing from us': 0,
    'not served there': 0,
  };
  private readonly server: ApiServer;
  private readonly asked = new Set<string>();
  /** Where objects of a kind are sent, by their API version. */
  private readonly resources = new Map<string, Map<string, { plural: string; isNamespaced: boolean }>>();

  constructor(server: ApiServer) {
    this.server = server;
  }

  create(path: string, body: string) {
    return this.server.send({ method: 'POST', path, body, type: 'application/yaml' });
  }

  async install(crds: readonly { readonly text: string }[]): Promise<void> {
    for (const { text } of crds) await this.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', text);
  }

  /** Undefined where the server does not serve it. */
  private async targetOf(apiVersion: string, kind: string, namespace: string): Promise<string | undefined> {
    const base = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    if (!this.resources.has(apiVersion)) {
      const { code, body } = await this.server.send({ method: 'GET', path: base });
      const list =
        code === 200 ? (JSON.parse(body).resources as { name: string; kind: string; namespaced: boolean }[]) : [];
      const rows = list.filter(({ name }) => !name.includes('/'));
      this.resources.set(
        apiVersion,
        new Map(rows.map((one) => [one.kind, { plural: one.name, isNamespaced: one.namespaced }])),
      );
    }
    const known = this.resources.get(apiVersion)!.get(kind);
    if (!known) return undefined;
    return known.isNamespaced ? `${base}/namespaces/${namespace}/${known.plural}` : `${base}/${known.plural}`;
  }

  async ask(question: Question): Promise<void> {
    const { uri, text } = question;
    // The same object comes of several sources.
    if (this.asked.has(text)) return;
    this.asked.add(text);
    const { manifests } = sourceFile(uri, text);
    const [manifest] = manifests;
    const read = (key: string) => manifest && valueAt(manifest.value, key.split('.'));
    const [apiVersion, kind, namespace] = ['apiVersion', 'kind', 'metadata.namespace'].map(read);
    if (typeof apiVersion !== 'string' || typeof kind !== 'string') return;
    const home = typeof namespace === 'string' ? namespace : 'default';
    const target = await this.targetOf(apiVersion, kind, home);
    if (target === undefined) {
      this.counts['not served there']++;
      return;
    }
    await this.create('/api/v1/namespaces', `{apiVersion: v1, kind: Namespace, metadata: {name: "${home}"}}`);
    // Clients take lists apart, and send what is in them.
    const isList = manifest!.at.length > 0;
    const bodies = isList ? manifests.map((one) => goYaml(one.value)) : [text];
    const refusals: string[] = [];
    for (const one of bodies) {
      const { code, body } = await this.create(`${target}?dryRun=All&fieldValidation=Strict`, one);
      if (code >= 400) refusals.push(String(JSON.parse(body).message).slice(0, 400));
    }
    this.tell(question, refusals[0]);
  }

  private tell({ where, said, isOpen }: Question, theirs: string | undefined): void {
    if (said.length > 0 === (theirs !== undefined)) {
      this.counts[theirs === undefined ? 'taken by both' : 'refused by both']++;
      return;
    }
    if (theirs !== undefined && (isOpen || ofSetUp.test(theirs))) {
      this.counts['refused by the server for what nobody knows or for its own set-up, nothing from us']++;
      return;
    }
    const what =
      theirs === undefined ? 'taken by the server, an error for us' : 'refused by the server, nothing from us';
    this.counts[what]++;
    console.log(`${what}: ${where}\n  ${theirs ?? said.join('\n  ')}`);
  }

  /** Prints what was counted; says whether the server takes all that is right for it. */
  end(): boolean {
    const rows = Object.entries(this.counts).map(([what, count]) => `${count} ${what}`);
    console.log(`${this.server.version}: ${rows.join(', ')}`);
    return this.counts['taken by the server, an error for us'] === 0;
  }
}
