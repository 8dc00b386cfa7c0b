import { rule } from '../model/rule.ts';

export const kindDefinedTwice = rule({
  code: 'cr/kind-defined-twice',
  severity: 'hint',
  title: 'Several CRDs define this kind',
  explanation: `More than one CRD of the workspace defines this group and kind. The object is judged by the one whose
file is nearest to it; on a cluster there can only be one. Related places show them all.`,
  bad: `#- use: widgets, widgets-copy
apiVersion: example.com/v1
kind: Widget
metadata:
  name: a
`,
  good: `#- use: widgets
apiVersion: example.com/v1
kind: Widget
metadata:
  name: a
`,
});
