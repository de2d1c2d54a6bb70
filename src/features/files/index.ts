import { attachFile } from './attach-file.ts';
import { getFile } from './get-file.ts';

export const fileOperations = [attachFile, getFile] as const;
