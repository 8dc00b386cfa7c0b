import type { Op } from '../protocol.ts';

export const yaml: Op = () => ({ unsupported: 'yaml' });
