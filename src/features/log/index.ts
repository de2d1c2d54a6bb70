import { getCheckpoint } from './get-checkpoint.ts';
import { getLogKey } from './get-log-key.ts';
import { getLogTile } from './get-log-tile.ts';

export const logOperations = [getCheckpoint, getLogTile, getLogKey] as const;
