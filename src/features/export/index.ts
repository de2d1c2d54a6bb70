import { exportRoom } from './export-room.ts';

export const exportOperations = [exportRoom] as const;
