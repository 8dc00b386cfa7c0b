import type { Op } from '../protocol.ts';

export const crCreate: Op = () => ({ unsupported: 'cr.create' });
