import type { Op } from '../protocol.ts';

export const crdCreate: Op = () => ({ unsupported: 'crd.create' });
