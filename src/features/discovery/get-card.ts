import { sha256 } from '../../kernel/crypto/credentials.ts';
import { card } from '../../kernel/html/page-head.ts';
import { content } from '../../kernel/operation/content-operation.ts';
import { drawCard } from './draw-card.ts';

const MEDIA_TYPE = 'image/png';

export const getCard = content(
  'getCard',
  {
    method: 'GET',
    path: card.path,
    tag: 'discovery',
    summary: 'Get the picture that previews of links show: the mark and the installation’s name.',
    auth: 'public',
    cached: true,
    cacheFor: 86_400,
    media: MEDIA_TYPE,
    examples: { output: '(a PNG of 1200 by 630 pixels)' },
  },
  async ({ installation: { face } }) => {
    const bytes = drawCard(face);
    return {
      mediaType: MEDIA_TYPE,
      private: false,
      etag: sha256(bytes).toString('base64url'),
      size: bytes.length,
      async *open() {
        yield bytes;
      },
    };
  },
);
