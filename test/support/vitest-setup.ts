import { afterAll } from 'vitest';
import { runAfterFileHooks } from './each-file.ts';

afterAll(runAfterFileHooks);
