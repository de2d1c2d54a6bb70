import { content } from '../../kernel/operation/content-operation.ts';
import { sha256 } from '../../kernel/crypto/credentials.ts';
import { fail, invalid } from '../../kernel/errors.ts';
import { leafHash } from '../../kernel/merkle.ts';
import { Closed, Type } from '../../kernel/schema/schema.ts';
import { bundleOf, isInTree, readTile } from './rules.ts';
import * as logs from './store.ts';

const MEDIA = 'application/octet-stream';

export const getLogTile = content(
  'getLogTile',
  {
    method: 'GET',
    path: '/log/tile/{level}/{index}',
    restOfPath: true,
    tag: 'log',
    summary: 'A tile of the log: 256 hashes of one level of its tree, or 256 entries.',
    description:
      'As C2SP tlog-tiles has it; what stands in a tile never changes. `index` has slashes from 1000 on (`x001/x234/067`), and at the end of the log the width of a part of a tile (`067.p/12`): a tree of size s has `floor(s / 256^level)` hashes on a level.',
    auth: 'public',
    cached: true,
    keep: 'for ever',
    media: MEDIA,
    params: Closed({
      level: Type.String({
        pattern: '^(entries|[0-9]|[1-5][0-9]|6[0-3])$',
        description: '0: hashes of entries; 1: of full tiles of level 0, and so on; or `entries`.',
        examples: ['0'],
      }),
      index: Type.String({
        minLength: 3,
        maxLength: 40,
        description: 'Which one, in groups of three digits.',
        examples: ['000.p/1'],
      }),
    }),
    errors: ['not_found'],
  },
  async ({ tx }, { params: { level, index } }) => {
    const tile = readTile(level, index);
    if (!tile)
      throw invalid(
        '/path/index',
        'must be groups of three digits such as 067 or x001/x234/067, with .p/1 to .p/255 behind it for a part of a tile',
      );
    const tree = await logs.latest(tx);
    if (!tree || !isInTree(tile, tree.size))
      throw fail('not_found', 'The log is not that long. Read /log/checkpoint for its size.');
    const found = await logs.readTile(tx, tile);
    const bytes =
      tile.level === null
        ? bundleOf(found)
        : Buffer.concat(tile.level === 0 ? found.map(leafHash) : found);
    return {
      mediaType: MEDIA,
      private: false,
      etag: sha256(bytes).toString('base64url'),
      size: bytes.length,
      open: async function* () {
        yield bytes;
      },
    };
  },
);
