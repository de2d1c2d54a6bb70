import fc from 'fast-check';
import { headerText } from './fuzz-inputs.ts';

/** Headers that change how a request is answered, with values as clients send them. */
const usual = {
  accept: [
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'text/html',
    'text/markdown',
    'application/problem+json',
    'text/event-stream',
    'text/html;q=0, */*',
    'a/b, '.repeat(300),
  ],
  'accept-encoding': ['br', 'gzip', 'identity;q=0', '*;q=0', 'gzip;q=2, br;q=x'],
  'accept-language': ['de', '*', 'x'.repeat(2000)],
  range: ['bytes=0-', 'bytes=5-2', 'bytes=-1', 'bytes=99999999999999999999-', 'bytes=0-0,1-1'],
  'if-none-match': ['*', '"x"', 'W/"x", "y"', 'W/'],
  'if-range': ['"x"', 'Sun, 29 Nov 2026 00:00:00 GMT'],
  'if-modified-since': ['Sun, 29 Nov 2026 00:00:00 GMT', 'now'],
  prefer: ['wait=0', 'return=minimal'],
  cookie: ['a=b', 'stoa=%ff', '__Host-stoa-session=x; __Host-stoa-session=y', '=;=;'],
  origin: ['null', 'https://stranger.example', 'http://localhost'],
  referer: ['https://stranger.example/'],
  authorization: ['Bearer x', 'Bearer', 'Basic eDp5', 'DPoP x'],
  'sec-fetch-site': ['cross-site', 'same-origin', 'none'],
  'x-http-method-override': ['DELETE'],
  'x-forwarded-for': ['127.0.0.1', 'x, y', '::ffff:1.2.3.4'],
  'x-forwarded-proto': ['https', 'x'],
  forwarded: ['for="[::1]";proto=https'],
  'x-request-id': ['a.b-c', 'x'.repeat(65)],
  'last-event-id': ['0', '-1', '9007199254740993'],
  traceparent: ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', '00-0-0-0'],
  te: ['trailers'],
} as const;

const header = fc
  .constantFrom(...Object.entries(usual))
  .chain(([name, values]) =>
    fc.tuple(
      fc.constant(name),
      fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom<string>(...values) },
        { weight: 1, arbitrary: headerText },
      ),
    ),
  );

/** Up to three headers beside those that a request needs; a third of them asks for a page. */
export const oddHeaders: fc.Arbitrary<Readonly<Record<string, string>>> = fc.oneof(
  fc.constant({}),
  fc.constant({ accept: 'text/html' }),
  fc.array(header, { minLength: 1, maxLength: 3 }).map((pairs) => Object.fromEntries(pairs)),
);
