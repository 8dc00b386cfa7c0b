import { cleanPath } from '../../../server/src/gostd/path.ts';
import { type Addition, build } from '../../../server/src/kustomize/build.ts';
import { applicationsOf } from '../../../server/src/workspace/delivery/applicationSets.ts';
import { sourcesOf } from '../../../server/src/workspace/delivery/applications.ts';
import { deliveredIn } from '../../../server/src/workspace/delivery/objects.ts';
import { argoAdditionOf } from '../../../server/src/workspace/kustomizations/appliedBuilds.ts';
import type { Answer, Request } from '../protocol.ts';
import { withObjects } from './flux.ts';
import { answerOf, filesOf } from './kustomize.ts';

/** What an Application in a text adds to what it builds. */
export function argoAdditionIn(text: string): Addition | undefined {
  const { files, delivery } = withObjects([text]);
  const all = deliveredIn(files[0]!).flatMap((one) => applicationsOf(delivery, one));
  const [found] = all.flatMap(({ of, spec }) => sourcesOf(of, spec).map((source) => ({ of, source })));
  return found && argoAdditionOf(delivery, found.of, found.source);
}

/** What Argo CD builds of a folder for an Application. */
export function argoBuild(request: Request): Answer {
  const read = (member: string) => JSON.parse(request.raw(member) ?? 'null') ?? undefined;
  const addition = argoAdditionIn(read('application') ?? '');
  const folder = cleanPath(`/${read('path') ?? ''}`);
  return answerOf(build(filesOf(read('files') ?? {}), folder, addition ? { addition } : {}));
}
