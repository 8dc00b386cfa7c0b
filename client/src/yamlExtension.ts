import * as vscode from 'vscode';

/** What Red Hat's YAML extension lets others do: give the schema of a file, and the text of a schema. */
interface YamlApi {
  registerContributor(
    name: string,
    requestSchema: (uri: string) => string | undefined,
    requestSchemaContent: (schema: string) => string | undefined,
  ): boolean;
}

const id = 'redhat.vscode-yaml';
const ourSchema = 'kubecrd://schema/served';

/** Whether the YAML extension is installed and on. */
export function hasYamlExtension(): boolean {
  return vscode.extensions.getExtension(id) !== undefined;
}

/** Whether the YAML extension is told to take files for those of Kubernetes. */
export function knowsKubernetes(): boolean {
  const schemas = vscode.workspace.getConfiguration('yaml').get<Readonly<Record<string, unknown>>>('schemas', {});
  return hasYamlExtension() && Object.keys(schemas).some((schema) => /kubernetes/i.test(schema));
}

/**
 * Files whose schema is ours get an empty one from the YAML extension, so that hover, completion and schema errors do
 * not appear twice. Everything else of that extension stays as it is.
 */
export async function leaveToUs(served: ReadonlySet<string>, log: vscode.LogOutputChannel): Promise<void> {
  const api: unknown = await vscode.extensions.getExtension(id)?.activate();
  if (!isYamlApi(api)) {
    log.warn(
      'The YAML extension does not let other extensions provide a schema, so some hovers and completions may appear twice.',
    );
    return;
  }
  api.registerContributor(
    'kubecrd',
    (uri) => (served.has(vscode.Uri.parse(uri).toString()) ? ourSchema : undefined),
    (schema) => (schema === ourSchema ? '{}' : undefined),
  );
}

function isYamlApi(api: unknown): api is YamlApi {
  return typeof api === 'object' && api !== null && 'registerContributor' in api;
}
