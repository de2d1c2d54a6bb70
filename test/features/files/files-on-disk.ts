import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { TestApp } from '../../support/app.ts';

const filesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => statSync(join(folder, name)).isFile())
        .sort()
    : [];

/** What a service keeps of files on the disk: those that are still arriving, and those that are stored. */
export const filesOnDisk = ({ dataDir }: Pick<TestApp, 'dataDir'>) => ({
  arriving: async () => filesIn(join(dataDir, 'files', 'arriving')),
  kept: async () => filesIn(join(dataDir, 'files', 'stored')),
});
