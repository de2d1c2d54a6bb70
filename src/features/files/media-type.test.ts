import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { detectMediaType, UNKNOWN_MEDIA_TYPE } from './media-type.ts';

const toBytes = (text: string) => Buffer.from(text, 'latin1');
const buildBox = (brand: string) => toBytes(`\0\0\0\x20ftyp${brand}\0\0\x02\0`);

describe('detecting a media type', () => {
  it.for([
    ['image/png', toBytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR')],
    ['image/jpeg', toBytes('\xff\xd8\xff\xe0\0\x10JFIF')],
    ['image/gif', toBytes('GIF89a\x01\0')],
    ['image/gif', toBytes('GIF87a\x01\0')],
    ['image/webp', toBytes('RIFF\x24\0\0\0WEBPVP8 ')],
    ['image/avif', buildBox('avif')],
    ['audio/wav', toBytes('RIFF\x24\0\0\0WAVEfmt ')],
    ['audio/mp4', buildBox('M4A ')],
    ['audio/mpeg', toBytes('ID3\x04\0\0')],
    ['audio/flac', toBytes('fLaC\0\0')],
    ['application/ogg', toBytes('OggS\0\x02')],
    ['video/mp4', buildBox('isom')],
    ['video/mp4', buildBox('mp42')],
    ['application/pdf', toBytes('%PDF-1.7\n%\xe2\xe3')],
    ['application/zip', toBytes('PK\x03\x04\x14\0')],
    ['application/zip', toBytes('PK\x05\x06\0\0')],
    ['application/gzip', gzipSync('x')],
    ['text/plain', toBytes('# Notes\n\n\tone, two\r\n')],
    ['text/plain', Buffer.from('Größe: 3 μm, 文字, 😀')],
    ['text/plain', toBytes('{"a": 1}')],
    ['text/plain', toBytes('if a < b: print("<html>")')],
  ] as const)('[file.type] recognizes %s', ([type, head]) => {
    expect(detectMediaType(head, head.length)).toBe(type);
  });

  it.for([
    ['HTML', toBytes('<!DOCTYPE html><script>alert(1)</script>')],
    ['HTML after white space', toBytes(' \r\n\t<HTML>')],
    ['HTML after a byte order mark', Buffer.from('\ufeff<html>')],
    [
      'an image with script',
      toBytes('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
    ],
    ['XML', toBytes('<?xml version="1.0"?><a/>')],
    ['an ELF program', toBytes('\x7fELF\x02\x01\x01\0')],
    ['a Windows program', toBytes('MZ\x90\0\x03')],
    ['an unknown RIFF type', toBytes('RIFF\x24\0\0\0AVI LIST')],
    ['an unknown box', buildBox('heic')],
    ['a truncated image signature', toBytes('\x89PN')],
    ['invalid UTF-8', toBytes('caf\xe9')],
    ['UTF-16', Buffer.from('\ufeffhello', 'utf16le')],
    ['text with a NUL', toBytes('a\0b')],
    ['text with escape sequences', toBytes('\x1b[31mred')],
    ['an empty file', toBytes('')],
  ] as const)('[file.type] does not recognize %s', ([, head]) => {
    expect(detectMediaType(head, head.length)).toBe(UNKNOWN_MEDIA_TYPE);
  });

  it('[file.type] respects the offset of a view into a buffer', () => {
    expect(
      detectMediaType(Buffer.concat([toBytes('xx'), toBytes('%PDF-1.4')]).subarray(2), 8),
    ).toBe('application/pdf');
  });

  it('[file.type] accepts a character that is cut only at the end of the head', () => {
    const head = Buffer.from('日本語').subarray(0, 8);
    expect({ cut: detectMediaType(head, 9), whole: detectMediaType(head, 8) }).toEqual({
      cut: 'text/plain',
      whole: UNKNOWN_MEDIA_TYPE,
    });
  });
});
