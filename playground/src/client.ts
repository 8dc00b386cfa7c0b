// Speaks the language server protocol with the worker: messages are objects, and nothing is between it and us.
import { type BeforeTexts, beforeNotification, folder } from './beforeTexts.ts';

export interface Position {
  readonly line: number;
  readonly character: number;
}
export interface Range {
  readonly start: Position;
  readonly end: Position;
}
export interface Diagnostic {
  readonly range: Range;
  readonly message: string;
  /** 1: error, 2: warning, 3: information, 4: hint. */
  readonly severity?: 1 | 2 | 3 | 4;
  readonly code?: string;
  readonly codeDescription?: { readonly href: string };
  readonly data?: unknown;
}
export interface TextEdit {
  readonly range: Range;
  readonly newText: string;
}
export interface WorkspaceEdit {
  readonly changes?: Readonly<Record<string, readonly TextEdit[]>>;
  readonly documentChanges?: readonly (
    | { readonly kind: 'create'; readonly uri: string }
    | { readonly textDocument: { readonly uri: string }; readonly edits: readonly TextEdit[] }
  )[];
}
export interface CodeAction {
  readonly title: string;
  readonly kind?: string;
  readonly edit?: WorkspaceEdit;
  readonly isPreferred?: boolean;
  readonly command?: { readonly command: string; readonly arguments?: readonly unknown[] };
  readonly data?: unknown;
}

/** What the page does when the server asks. */
export interface Asked {
  /** The bytes of a file as base64; null where there is none. */
  readFile(uri: string): Promise<string | null>;
  listFiles(): readonly string[];
  entries(folder: string): readonly { readonly name: string; readonly isFolder: boolean }[];
  applyEdit(edit: WorkspaceEdit): boolean;
  /** Diagnostics, or what else was asked for, may be others now. */
  refresh(): void;
  message(text: string): void;
  failed(text: string): void;
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface Waiting {
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
}

export class Client {
  private readonly waiting = new Map<number, Waiting>();
  private readonly heard = new Map<string, (params: never) => void>();
  private last = 0;
  private readonly worker: Worker;
  private readonly asked: Asked;

  constructor(worker: Worker, asked: Asked) {
    this.worker = worker;
    this.asked = asked;
    worker.onmessage = ({ data }: MessageEvent<Message>) => void this.receive(data);
    worker.onerror = ({ message }) => asked.failed(message);
  }

  async start(settings: unknown, data: string): Promise<readonly string[]> {
    const { capabilities } = await this.ask<{
      capabilities: { semanticTokensProvider: { legend: { tokenTypes: string[] } } };
    }>('initialize', {
      processId: null,
      rootUri: folder,
      workspaceFolders: [{ uri: folder, name: 'session' }],
      capabilities: abilities,
      initializationOptions: { trusted: true, files: true, data, tries: true, settings },
    });
    this.tell('initialized', {});
    return capabilities.semanticTokensProvider.legend.tokenTypes;
  }

  ask<R>(method: string, params: unknown): Promise<R> {
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as Waiting['resolve'], reject });
      this.worker.postMessage({ jsonrpc: '2.0', id, method, params });
    });
  }

  tell(method: string, params: unknown): void {
    this.worker.postMessage({ jsonrpc: '2.0', method, params });
  }

  /** Listens to a notification of the server. */
  on<P>(method: string, heard: (params: P) => void): void {
    this.heard.set(method, heard);
  }

  older(texts: BeforeTexts['texts']): void {
    this.tell(beforeNotification, { texts } satisfies BeforeTexts);
  }

  private async receive({ id, method, params, result, error }: Message): Promise<void> {
    if (method !== undefined) {
      this.heard.get(method)?.(params as never);
      const answer = await this.answer(method, params as never);
      if (id !== undefined) this.worker.postMessage({ jsonrpc: '2.0', id, result: answer ?? null });
      return;
    }
    const one = this.waiting.get(id as number);
    this.waiting.delete(id as number);
    if (error) one?.reject(new Error(error.message));
    else one?.resolve(result as never);
  }

  private answer(method: string, params: never): unknown {
    const { asked } = this;
    const answers: Readonly<Record<string, (sent: never) => unknown>> = {
      'kubeCrd/readFile': ({ uri }: { uri: string }) => asked.readFile(uri),
      'kubeCrd/listFiles': () => asked.listFiles(),
      'kubeCrd/readFolder': (sent: { folder: string }) => asked.entries(sent.folder),
      'workspace/applyEdit': ({ edit }: { edit: WorkspaceEdit }) => ({ applied: asked.applyEdit(edit) }),
      'workspace/diagnostic/refresh': () => asked.refresh(),
      'workspace/codeLens/refresh': () => asked.refresh(),
      // What fails in the engine is told where whoever looks for it will look.
      'window/logMessage': ({ type, message }: { type: number; message: string }) =>
        type === 1 ? console.error(message) : undefined,
      'window/showMessage': ({ message }: { message: string }) => asked.message(message),
    };
    return answers[method]?.(params);
  }
}

/** What the page can do with answers. */
const abilities = {
  general: { positionEncodings: ['utf-16'] },
  workspace: {
    applyEdit: true,
    workspaceEdit: { documentChanges: true, resourceOperations: ['create'] },
    diagnostics: { refreshSupport: true },
    codeLens: { refreshSupport: true },
  },
  textDocument: {
    diagnostic: { dataSupport: true, codeDescriptionSupport: true },
    hover: { contentFormat: ['markdown'] },
    completion: { completionItem: { documentationFormat: ['markdown'], snippetSupport: false } },
    codeAction: {
      codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix', 'refactor'] } },
      resolveSupport: { properties: ['edit'] },
      dataSupport: true,
    },
    semanticTokens: { requests: { full: true }, tokenTypes: [], tokenModifiers: [], formats: ['relative'] },
  },
};
