import { type Admission, admitted } from '../../crdtest/admission.ts';
import { givenOf } from '../../crdtest/load.ts';
import { policyGround } from '../../crdtest/policyGround.ts';
import { runAdmission } from '../../crdtest/policyRun.ts';
import type { AdmitRequest } from '../../crdtest/policySuite.ts';
import { type Suite, type TestCase, versionsOf } from '../../crdtest/suite.ts';
import { fieldOf } from '../../kubernetes/field.ts';
import { nameOf } from '../../kubernetes/policy/admit.ts';
import { denialText } from '../../kubernetes/policy/dispatch.ts';
import { spotOf } from '../../kubernetes/policy/expressions.ts';
import type { Files } from '../../workspace/files.ts';
import { type Snapshot, versionsFor } from '../../workspace/snapshot.ts';
import { blocks, code, list, type Markdown, md, own, text } from '../words/markdown.ts';
import { expressionShown, expressionsShown, objectShown, outcome } from './casePage.ts';

/** What a case of policies evaluates, as a page: each expression with the values of its parts. */
export async function admissionPage(
  one: TestCase,
  suite: Suite,
  snapshot: Snapshot,
  files: Files,
  uri: string,
): Promise<Markdown> {
  const head = md`# ${code(one.name)}`;
  const around = { files, uri, definitions: snapshot.definitions, builtin: async () => snapshot.builtin };
  const named = versionsOf(suite, versionsFor(snapshot, uri));
  const { servers, refused } = await policyGround(suite, around, named);
  const given = await givenOf(one, suite, around);
  const [newest] = [...servers].slice(-1);
  if (!newest) return md`${blocks(head, ...refused.map(text))}\n`;
  if ('why' in given) return md`${blocks(head, text(given.why))}\n`;
  const { failures } = runAdmission(one, given, servers);
  const [version, server] = newest;
  const came = admitted(one.request as AdmitRequest, given, server, version);
  const page = blocks(head, ...outcome(version, failures), ...('why' in came ? [] : cameText(came)));
  return md`${page}\n`;
}

function cameText(came: Admission): Markdown[] {
  const refused = [
    ...came.denials.map((one) => denialText(one, one.isMutating)),
    ...came.errors.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`)),
  ];
  return [
    own('## What the server says'),
    refused.length === 0 ? own('The request is admitted.') : list(refused.map((one) => code(one))),
    ...came.unmatched.map(({ policy, why }) => md`${code(policy)} is not for it: ${why}`),
    ...expressionsShown(came.evaluated, ({ policy, one }) =>
      expressionShown(`${nameOf(policy)} ${fieldOf(spotOf(one.path))}`, one),
    ),
    ...objectShown(own('## The object'), came.stored),
  ];
}
