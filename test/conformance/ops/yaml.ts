import type { YamlDocument } from '../../../server/src/yaml/parse.ts';
import { parseStream } from '../../../server/src/yaml/parse.ts';
import { documentVerdict, strictText, toJson } from '../../../server/src/yaml/value.ts';
import type { Op, YamlAnswer } from '../protocol.ts';

export const yaml: Op = (request) => {
  const { documents, badSeparator } = parseStream(JSON.parse(request.raw('text') ?? '""') as string);
  const read = documents.slice(0, badSeparator?.documents ?? documents.length).map(({ document }) => answer(document));
  return {
    ...(badSeparator && { decode: `invalid Yaml document separator: ${badSeparator.text}` }),
    ...(read.length > 0 && { documents: read }),
  };
};

function answer(document: YamlDocument): YamlAnswer {
  const { error } = documentVerdict(document);
  if (error !== undefined) return { error };
  const strict = strictText(document);
  return { json: { rawJson: toJson(document) ?? 'null' }, ...(strict !== undefined && { strict }) };
}
