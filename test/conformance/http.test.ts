import { judgeCases } from './judge.ts';

// The recorded answers of a real API server, over HTTP.
judgeCases((name) => name.startsWith('http/'));
