import { boxCrd } from './boxCrd.ts';

const names = Array.from({ length: 12 }, (_, i) => `f${i}`);
const items = Array.from({ length: 100 }, (_, i) => i).join(', ');

/** Nine rules that cost much, over twelve fields, and none that any object breaks: where one is looked for, it takes long. */
export const costlyCrd = boxCrd(`
          type: object
          properties:
            ${names.map((name) => `${name}: {type: integer, default: 1}`).join('\n            ')}
            list: {type: array, maxItems: 100, items: {type: integer}, default: [${items}]}
          x-kubernetes-validations:
${names
  .slice(0, 9)
  .map(
    (name, i) =>
      `          - {rule: "self.list.all(x, self.list.all(y, x + y + self.${name} != ${i} - 100000)) && ${names.map((one) => `self.${one}`).join(' + ')} != -100000"}`,
  )
  .join('\n')}
`);
