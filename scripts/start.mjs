// Runs the built service, and stops it when this process is told to stop or its parent has gone.
// npm does not pass signals on by itself: without this, `npm start` would leave the service and its
// database behind. Usage: node scripts/start.mjs [option of Node.js ...] <argument of stoa ...>
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIfStale } from './build.mjs';

const PARENT_CHECK_MS = 500;

buildIfStale();

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const given = process.argv.slice(2);
const options = given.filter((argument) => argument.startsWith('--max-'));
const rest = given.filter((argument) => !options.includes(argument));
const child = spawn(process.execPath, [...options, join(root, 'dist/src/main.js'), ...rest], {
  stdio: 'inherit',
});

const stop = (signal) => void child.kill(signal);
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, stop);
const parent = process.ppid;
const watch = setInterval(() => {
  if (process.ppid !== parent) stop('SIGTERM');
}, PARENT_CHECK_MS);

child.on('exit', (code, signal) => {
  clearInterval(watch);
  process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1);
});
