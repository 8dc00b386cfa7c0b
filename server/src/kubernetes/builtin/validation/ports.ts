import { goString } from '../../goValue.ts';
import type { Fields } from './check.ts';
import { type IntOrString, intOrString } from './goTexts.ts';
import { portName, portNumber } from './texts.ts';

export const protocols = ['SCTP', 'TCP', 'UDP'];

export function validateContainerPorts(container: Fields, sharesPorts: boolean): void {
  container.part(() => portNames(container));
  container.each('ports', (port) => {
    port.part(() => {
      const own = port.integer('containerPort') ?? 0n;
      if (own === 0n) port.required('containerPort');
      else port.wrong(port.at('containerPort'), own, portNumber(own), 'builtin/port');
    });
    port.part(() => {
      const host = port.integer('hostPort') ?? 0n;
      if (host !== 0n) port.wrong(port.at('hostPort'), host, portNumber(host), 'builtin/port');
      const own = port.integer('containerPort') ?? 0n;
      if (host !== 0n || own === 0n || !sharesPorts) return;
      const spot = { ...port.at('hostPort'), steps: ['containerPort'] };
      port.wrong(spot, own, portNumber(own), 'builtin/follows');
    });
    port.part(() => validateProtocol(port));
  });
}

function portNames(container: Fields): void {
  const seen = new Set<string>();
  for (const port of container.items('ports')) {
    const name = port.text('name');
    if (name === '') continue;
    const wrong = portName(name);
    port.wrong(port.at('name'), name, wrong, 'builtin/port');
    if (wrong.length > 0) continue;
    if (seen.has(name)) port.check.duplicate(port.at('name'), name);
    seen.add(name);
  }
}

/** The server puts TCP where none is given. */
export function validateProtocol(port: Fields): void {
  const protocol = port.text('protocol');
  if (protocol === '' || protocols.includes(protocol)) return;
  port.check.unsupported(port.at('protocol'), goString(protocol), protocols);
}

/** A port by its number or by its name. */
export function validatePort(fields: Fields, key: string, otherwise: IntOrString = 0n): void {
  const port = intOrString(fields, key) ?? otherwise;
  const wrong = typeof port === 'bigint' ? portNumber(port) : portName(port);
  fields.wrong(fields.at(key), port, wrong, 'builtin/port');
}
