import { judgeCases } from './judge.ts';

// The recorded answers about custom resources; four files, so that they run side by side.
judgeCases((name) => name.startsWith('cr/'));
