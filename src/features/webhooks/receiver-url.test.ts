import { describe, expect, it } from 'vitest';
import { assertWebhookSecret, assertWebhookUrl } from './receiver-url.ts';

const SECRET = '5f1c0e9a7b3d48261f0e5d4c3b2a19087f6e5d4c3b2a1908f7e6d5c4b3a29180';

/** Returns the message with which an address is rejected; undefined when it is accepted. */
function findRefusal(url: string): string | undefined {
  try {
    assertWebhookUrl(url, SECRET);
    return undefined;
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid_webhook_url' });
    return (error as Error).message;
  }
}

describe('the address of a receiver', () => {
  it('[webhook.url-rules] is parsed the same way however many were parsed before', () => {
    for (let calls = 0; calls < 20_000; calls++)
      assertWebhookUrl('https://bücher.example/haken', SECRET);
  });

  it.each([
    'https://hooks.example',
    'https://hooks.example/',
    'HTTPS://Hooks.Example.org/stoa/in',
    'https://hooks.example:443/stoa',
    'https://a-1.b--2.example/%7Epath/ü',
    'https://bücher.example/haken',
    'https://xn--bcher-kva.example/',
    'https://localhost.example.org/',
    'https://internal.example/',
    'https://notlocal/'.replace('notlocal', 'not.alocal'),
    'https://пример.испытание/крючок',
    'https://søren.łódź.example/',
    'https://beratung.vermögensberater/',
    'https://例え.テスト/',
    'https://hooks.example/550e8400-e29b-41d4-a716-446655440000',
  ])('[webhook.url-rules] may be %s', (url) => {
    expect(findRefusal(url)).toBeUndefined();
  });

  it.each([
    ['', /https/],
    ['hooks.example', /https/],
    ['http://hooks.example/', /https/],
    ['//hooks.example/', /https/],
    ['https:/hooks.example/', /https/],
    ['https:hooks.example', /https/],
    ['ftp://hooks.example/', /https/],
    ['https:\\\\hooks.example/', /backslash/],
    ['https://hooks.example\\@evil.example/', /backslash/],
    ['https://hooks.example:8443/', /443/],
    ['https://hooks.example:80/', /443/],
    ['https://hooks.example:/', /443/],
    ['https://hooks.example:0443/', /443/],
    ['https://user@hooks.example/', /user information/],
    ['https://user:password@hooks.example/', /user information/],
    ['https://@hooks.example/', /user information/],
    ['https://:@hooks.example/', /user information/],
    ['https://hooks.example/?', /query/],
    ['https://hooks.example/in?token=1', /query/],
    ['https://hooks.example/#', /fragment/],
    ['https://hooks.example/in#part', /fragment/],
    [' https://hooks.example/', /white space/],
    ['https://hooks.example/ ', /white space/],
    ['https://hooks.example/a b', /white space/],
    ['https://hoo\tks.example/', /white space/],
    ['https://hooks.example/\r\nX-Evil: 1', /white space/],
    ['https://hooks.example/\u0000', /control|white/],
    ['https://hooks.example/\u200b', /control/],
    ['https://hooks.example/\u202egpj', /control/],
    ['https://%6cocalhost/', /percent/],
    ['https://', /valid/],
    ['https:///in', /valid/],
  ])('[webhook.url-rules] is refused when it is %j', (url, rule) => {
    expect(findRefusal(url)).toMatch(rule);
  });

  it.each([
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '017700000001',
    '0',
    '8.8.8.8',
    '8.8.8.8.',
    '１２７.0.0.1',
    '①②⑦.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[2606:4700::1111]',
    '[::]',
  ])('[webhook.url-names] is no address, as %s is', (host) => {
    expect(findRefusal(`https://${host}/`)).toMatch(/must be a name|valid|dot/);
  });

  it.each([
    'localhost',
    'LOCALHOST',
    'foo.localhost',
    'localhost.localdomain',
    'printer.local',
    'a.b.local',
    'metadata.google.internal',
    'vault.internal',
    'abcdefghijklmnop.onion',
    'router.home.arpa',
    'hooks.example.',
    'localhost.',
    'foo.local.',
    'foo.local。',
    'intranet',
    'hooks',
    'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
    'ｌｏｃａｌｈｏｓｔ',
    'foo。local',
    'foo.lоcal',
    'foo.ӏосаӏ',
    'foo.lοcal',
    'foo.lócal',
    'foo.xn--lcal-55d',
    'foo.ínternal',
    'foo.lᴏcal',
    'foo.łocal',
    'foo.ꭱɩnternal',
    'foo.xn--ocal-z1a',
    'foo.іnternal',
    'foo.оnion',
    'lосаlhоst',
    'foo.lосаlhоst',
    'foo.loca\u0301l',
    'a..example',
    '-a.example',
    'a-.example',
    'ex_ample.com',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(126)}example`,
    '*.example',
  ])('[webhook.url-names] is no name near the service or without meaning, as %s is', (host) => {
    expect(findRefusal(`https://${host}/`)).toMatch(/host/);
  });

  it('[webhook.url-secret] has no secret in its path', () => {
    for (const path of [
      SECRET,
      SECRET.toUpperCase(),
      `x/${SECRET}/y`,
      'stoa_abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG_abcdef',
      'a/STOA_ABCDEFGHIJKLMNOPQRSTUVWX',
      `%${SECRET.charCodeAt(0).toString(16)}${SECRET.slice(1)}`,
      '%73%74oa_abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG_abcdef',
    ])
      expect(findRefusal(`https://hooks.example/${path}`)).toMatch(/secret/);
  });
});

describe('the secret of a webhook', () => {
  it('[webhook.secret-rule] is 64 lowercase hex digits', () => {
    expect(() => assertWebhookSecret(SECRET)).not.toThrow();
    for (const wrong of [
      '',
      SECRET.slice(1),
      `${SECRET}0`,
      SECRET.toUpperCase(),
      ` ${SECRET}`,
      `${SECRET}\n`,
      `0x${SECRET.slice(2)}`,
      'g'.repeat(64),
      '٣'.repeat(64),
    ])
      expect(() => assertWebhookSecret(wrong), wrong).toThrow(
        expect.objectContaining({ code: 'invalid_webhook_secret' }),
      );
  });
});
