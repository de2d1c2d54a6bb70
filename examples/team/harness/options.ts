import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** The folder of the sources. The program runs from `dist/examples/team/harness`. */
export const root = fileURLToPath(new URL('../../../../', import.meta.url));

const USAGE = `Usage: examples/team/run [options] [file ...]

  --url <address>     a service that runs already; otherwise one is started and stopped again
  --kills <number>    how often members of the team are killed; default: 0
  --seed <number>     chooses who is killed, and when; default: 1
  --seconds <number>  how long each review takes; default: 1
  --keep              keep the folder with keys and logs
  [file ...]          what is reviewed; default: docs/*.md
`;

export interface Options {
  readonly url: string | null;
  readonly kills: number;
  readonly seed: number;
  readonly seconds: number;
  readonly keep: boolean;
  readonly files: readonly string[];
  /** The folder that the files are in. */
  readonly cwd: string;
}

const listDefaultFiles = (): string[] =>
  readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => join('docs', name));

/** Parses the words of the command line. With `--help` it prints them and ends the process. */
export function parseOptions(words: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      url: { type: 'string' },
      kills: { type: 'string', default: '0' },
      seed: { type: 'string', default: '1' },
      seconds: { type: 'string', default: '1' },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    process.exit(0);
  }
  const isDefault = positionals.length === 0;
  return {
    url: values.url ?? null,
    kills: Number(values.kills),
    seed: Number(values.seed),
    seconds: Number(values.seconds),
    keep: values.keep,
    files: isDefault ? listDefaultFiles() : positionals,
    cwd: isDefault ? root : process.cwd(),
  };
}
