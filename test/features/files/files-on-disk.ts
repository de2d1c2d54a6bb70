import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { TestApp } from '../../support/app.ts';

const listFiles = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => statSync(join(folder, name)).isFile())
        .sort()
    : [];

/** Lists the files of a service on the disk: those still arriving and those stored. */
export const createFolderLists = ({ dataDir }: Pick<TestApp, 'dataDir'>) => ({
  listArriving: async () => listFiles(join(dataDir, 'files', 'arriving')),
  listStored: async () => listFiles(join(dataDir, 'files', 'stored')),
});
