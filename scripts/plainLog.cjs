// Stands in for the native module that writes an editor's logs, where there is no compiler: the same calls, one line each.
const { appendFileSync, mkdirSync } = require('node:fs');
const { dirname } = require('node:path');

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'critical'];

function loggerFor(file) {
  let least = 2;
  let isRaw = false;
  mkdirSync(dirname(file), { recursive: true });
  const write = (level, text) => {
    if (levels.indexOf(level) < least) return;
    const time = new Date().toISOString().replace('T', ' ').replace('Z', '');
    appendFileSync(file, isRaw ? text : `${time} [${level}] ${text}\n`);
  };
  return {
    ...Object.fromEntries(levels.map((level) => [level, (text) => write(level, text)])),
    getLevel: () => least,
    setLevel: (level) => {
      least = level;
    },
    clearFormatters: () => {
      isRaw = true;
    },
    setPattern: () => {},
    flush: () => {},
    drop: () => {},
  };
}

exports.version = 0;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.shutdown = () => {};
exports.createRotatingLogger = async (_name, file) => loggerFor(file);
exports.createAsyncRotatingLogger = exports.createRotatingLogger;
