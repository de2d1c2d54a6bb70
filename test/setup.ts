import { afterAll } from 'vitest';
import { endFile } from './support/each-file.ts';

afterAll(endFile);
