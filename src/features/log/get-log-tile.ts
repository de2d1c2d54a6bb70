import { sha256 } from '../../kernel/crypto/credentials.ts';
import { fail, failField } from '../../kernel/errors.ts';
import { content } from '../../kernel/operation/content-operation.ts';
import { Closed, fittingWords, Type } from '../../kernel/schema/schema.ts';
import { hashLeaf } from './merkle-tree.rules.ts';
import { buildBundle, isInTree, parseTile } from './rules.ts';
import { readTile } from './slices.store.ts';
import * as logs from './store.ts';

const MEDIA_TYPE = 'application/octet-stream';

export const getLogTile = content(
  'getLogTile',
  {
    method: 'GET',
    path: '/log/tile/{level}/{index}',
    greedyPath: true,
    tag: 'log',
    summary: 'Read a tile of the log: 256 hashes of one level of its tree, or 256 entries.',
    description:
      'Tiles follow C2SP tlog-tiles, and the content of a tile never changes. From 1000 on, ' +
      '`index` has slashes (`x001/x234/067`). At the end of the log it ends with the width of ' +
      'a partial tile (`067.p/12`): a tree of size s has `floor(s / 256^level)` hashes on a ' +
      'level.',
    auth: 'public',
    cached: true,
    cacheFor: 'immutable',
    media: MEDIA_TYPE,
    params: Closed({
      level: Type.String({
        pattern: '^(entries|[0-9]|[1-5][0-9]|6[0-3])$',
        [fittingWords]: 'must be a level from 0 to 63, or the word entries',
        description:
          '0 for hashes of entries, 1 for hashes of full tiles of level 0, and so on; or ' +
          '`entries`.',
        examples: ['0'],
      }),
      index: Type.String({
        minLength: 3,
        maxLength: 40,
        description: 'The number of the tile, in groups of three digits.',
        examples: ['000.p/1'],
      }),
    }),
    errors: ['not_found'],
  },
  async ({ tx }, { params: { level, index } }) => {
    const tile = parseTile(level, index);
    if (!tile)
      throw failField(
        '/path/index',
        'must be groups of three digits such as 067 or x001/x234/067, followed by .p/1 to ' +
          '.p/255 for a partial tile',
      );
    const tree = await logs.findLatest(tx);
    if (!tree || !isInTree(tile, tree.size))
      throw fail('not_found', 'The log has no such tile yet. Read /log/checkpoint for its size.');
    const found = await readTile(tx, tile);
    const bytes =
      tile.level === null
        ? buildBundle(found)
        : Buffer.concat(tile.level === 0 ? found.map(hashLeaf) : found);
    return {
      mediaType: MEDIA_TYPE,
      private: false,
      etag: sha256(bytes).toString('base64url'),
      size: bytes.length,
      open: async function* () {
        yield bytes;
      },
    };
  },
);
