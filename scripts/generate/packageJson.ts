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
  manifest.contributes.yamlValidation = [
    { fileMatch: configName, url: './docs/config.schema.json' },
    ...testGlobs.map((fileMatch) => ({ fileMatch, url: './docs/crdtest.schema.json' })),
  ];
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

function property({ schema, scope, description, restricted }: Setting): object {
  const untrusted = restricted ? ' Ignored in untrusted workspaces.' : '';
  return { ...schema, scope, markdownDescription: `${description}${untrusted}` };
}
