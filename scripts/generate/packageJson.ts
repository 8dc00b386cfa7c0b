import { inputSchema, type Tool, tools } from '../../server/src/mcp/tools.ts';
import { configName, testGlobs } from '../../server/src/workspace/fileNames.ts';
import type { Setting } from '../../server/src/workspace/settings.ts';

type Settings = Readonly<Record<string, Setting>>;

/** The text of package.json with the settings as they are defined in the code. */
export function withConfiguration(text: string, settings: Settings): string {
  const manifest = JSON.parse(text);
  manifest.contributes.configuration.properties = Object.fromEntries(
    Object.entries(settings).map(([name, setting]) => [`kubeCrd.${name}`, property(setting)]),
  );
  manifest.capabilities.untrustedWorkspaces.restrictedConfigurations = Object.entries(settings)
    .filter(([, { restricted }]) => restricted)
    .map(([name]) => `kubeCrd.${name}`);
  manifest.contributes.languageModelTools = tools.map(toolOf);
  manifest.contributes.yamlValidation = [
    { fileMatch: configName, url: './docs/config.schema.json' },
    ...testGlobs.map((fileMatch) => ({ fileMatch, url: './docs/crdtest.schema.json' })),
  ];
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

function toolOf(tool: Tool): object {
  const { name, title, about } = tool;
  const reference = `kubeCrd${name[0]!.toUpperCase()}${name.slice(1)}`;
  return {
    ...{ name: `kube-crd_${name}`, displayName: title, modelDescription: about, userDescription: title },
    ...{ toolReferenceName: reference, canBeReferencedInPrompt: true, inputSchema: inputSchema(tool) },
    when: "config.kubeCrd.agents == 'tools' && isWorkspaceTrusted",
  };
}

function property({ schema, scope, description, restricted }: Setting): object {
  const untrusted = restricted ? ' Ignored in untrusted workspaces.' : '';
  const markdownDescription = `${installed(description)}${untrusted}`;
  return { ...(inPlainWords(schema) as object), scope, markdownDescription };
}

/**
 * An installed extension has no folder of documents, and the page of settings follows no link to what an extension does: what
 * leads there is left out.
 */
function installed(description: string): string {
  return description.replace(/ \[docs\/[^\]]*\]\([^)]*\)[^.]*\./g, '');
}

/** The parts of a setting are described in plain text, where marks of Markdown would be seen. */
function inPlainWords(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(inPlainWords);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      const isText = key === 'description' && typeof value === 'string';
      return [key, isText ? value.replaceAll('`', '') : inPlainWords(value)];
    }),
  );
}
