import type { Op } from '../protocol.ts';

export const crdUpdate: Op = () => ({ unsupported: 'crd.update' });
