import { fn } from '../../server/src/cel/overload.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import type { KubernetesVersion } from '../../server/src/kubernetes/releases/release.ts';

/** A release that does not exist: with a text of its own, and a function that new rules can use. */
export const v138: KubernetesVersion = {
  ...newestVersion,
  name: '1.38',
  compatibility: newestVersion.name,
  storedVersionText: 'must appear',
  cel: {
    ...newestVersion.cel,
    additions: [
      ...newestVersion.cel.additions,
      {
        since: newestVersion.name,
        libraries: [
          [
            fn('shout', 'The text in capitals.', [
              {
                id: 'string_shout',
                signature: 'string.shout(): string',
                example: '"a".shout() == "A"',
                impl: (text) => String(text).toUpperCase(),
              },
            ]),
          ],
        ],
      },
    ],
  },
};
