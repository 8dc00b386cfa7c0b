import type { Op } from '../protocol.ts';

export const crUpdate: Op = () => ({ unsupported: 'cr.update' });
