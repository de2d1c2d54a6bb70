import { describe, expect, it } from 'vitest';
import { buildSettings, chooseSharedBuffers } from '../../src/db/embedded/server-settings.ts';

const GIB = 1024 ** 3;

describe('[start.settings] the settings of the embedded PostgreSQL', () => {
  it('give its cache a sixteenth of the memory, within bounds', () => {
    expect([0.5, 2, 4, 16, 64].map((size) => chooseSharedBuffers(size * GIB))).toEqual([
      192, 192, 256, 1_024, 2_048,
    ]);
  });

  it('name what a version knows, and tell the planner of both caches', () => {
    const folders = { socket: '/a', log: '/b' };
    expect(buildSettings(folders, 18, 64 * GIB)).toEqual(
      expect.arrayContaining([
        'io_method=sync',
        'shared_buffers=2048MB',
        'effective_cache_size=4096MB',
      ]),
    );
    const older = buildSettings(folders, 17, 2 * GIB);
    expect(older.filter((setting) => setting.startsWith('io_method='))).toEqual([]);
    expect(older).toEqual(
      expect.arrayContaining(['shared_buffers=192MB', 'effective_cache_size=1024MB']),
    );
  });
});
