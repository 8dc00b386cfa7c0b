import { judgeCases } from './judge.ts';

// The recorded answers about what Helm makes of charts.
judgeCases((name) => name.startsWith('helm/'));
