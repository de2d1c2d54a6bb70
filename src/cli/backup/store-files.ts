import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { Blobs } from '../../blobs/blobs.ts';
import { createStaging } from '../../blobs/staging.ts';
import type { Progress } from '../../import/progress.ts';
import type { NewId } from '../../kernel/ids.ts';
import { CommandError } from '../describe-error.ts';
import { toFilePath } from './backup-folder.ts';
import type { Manifest } from './manifest.ts';
import { readFileList } from './read-file-list.ts';

/** Where and how files of a backup are stored again. */
interface StoreOptions {
  readonly blobs: Blobs;
  readonly dataDir: string;
  readonly newId: NewId;
}

/** Stores the files of a backup in the store of the installation, unless it has them already. */
export async function storeFiles(
  folder: string,
  { fileList, lostFiles }: Manifest,
  { blobs, dataDir, newId }: StoreOptions,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const staging = createStaging(join(dataDir, 'files', 'arriving'));
  const lost = new Set(lostFiles);
  progress.begin('Files of messages', fileList.rows - lost.size);
  for await (const { sha256, size } of readFileList(folder)) {
    signal.throwIfAborted();
    if (lost.has(sha256)) continue;
    if (!(await blobs.has(sha256))) {
      const staged = await staging.receive(newId(), createReadStream(toFilePath(folder, sha256)));
      try {
        if (staged.sha256.toString('hex') !== sha256)
          throw new CommandError(`The file ${sha256} of the backup changed. Run it again.`);
        await blobs.put(sha256, staged.path, size);
      } finally {
        await staged.discard();
      }
    }
    progress.add();
  }
  progress.end();
}
