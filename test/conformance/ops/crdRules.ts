import type { Op } from '../protocol.ts';

export const crdRules: Op = () => ({ unsupported: 'crd.rules' });
