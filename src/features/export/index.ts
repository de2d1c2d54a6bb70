import { downloadRoom } from './download-room.ts';
import { exportRoom } from './export-room.ts';

export const exportOperations = [exportRoom, downloadRoom] as const;
