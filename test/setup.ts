import { afterAll } from 'vitest';
import { endFile } from './each-file.ts';

afterAll(endFile);
