import { attachFile } from './attach-file.ts';
import { downloadFile } from './download-file.ts';
import { getFile } from './get-file.ts';
import { removeFile } from './remove-file.ts';

export const fileOperations = [attachFile, getFile, downloadFile, removeFile] as const;
