import type { Op } from '../protocol.ts';

export const cel: Op = () => ({ unsupported: 'cel' });
