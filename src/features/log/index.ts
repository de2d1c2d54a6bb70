import { getCheckpoint } from './get-checkpoint.ts';
import { getLogKey } from './get-log-key.ts';
import { getLogTile } from './get-log-tile.ts';
import { showLog } from './show-log.ts';

export const logOperations = [getCheckpoint, getLogTile, getLogKey, showLog] as const;
