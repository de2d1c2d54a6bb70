import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { mediaTypeOf, UNKNOWN } from './media-type.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const box = (brand: string) => bytes(`\0\0\0\x20ftyp${brand}\0\0\x02\0`);

describe('the media type of bytes', () => {
  it.for([
    ['image/png', bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR')],
    ['image/jpeg', bytes('\xff\xd8\xff\xe0\0\x10JFIF')],
    ['image/gif', bytes('GIF89a\x01\0')],
    ['image/gif', bytes('GIF87a\x01\0')],
    ['image/webp', bytes('RIFF\x24\0\0\0WEBPVP8 ')],
    ['image/avif', box('avif')],
    ['audio/wav', bytes('RIFF\x24\0\0\0WAVEfmt ')],
    ['audio/mp4', box('M4A ')],
    ['audio/mpeg', bytes('ID3\x04\0\0')],
    ['audio/flac', bytes('fLaC\0\0')],
    ['application/ogg', bytes('OggS\0\x02')],
    ['video/mp4', box('isom')],
    ['video/mp4', box('mp42')],
    ['application/pdf', bytes('%PDF-1.7\n%\xe2\xe3')],
    ['application/zip', bytes('PK\x03\x04\x14\0')],
    ['application/zip', bytes('PK\x05\x06\0\0')],
    ['application/gzip', gzipSync('x')],
    ['text/plain', bytes('# Notes\n\n\tone, two\r\n')],
    ['text/plain', Buffer.from('Größe: 3 μm, 文字, 😀')],
    ['text/plain', bytes('{"a": 1}')],
    ['text/plain', bytes('if a < b: print("<html>")')],
  ] as const)('[file.type] is %s', ([type, head]) => {
    expect(mediaTypeOf(head, head.length)).toBe(type);
  });

  it.for([
    ['a page', bytes('<!DOCTYPE html><script>alert(1)</script>')],
    ['a page behind white space', bytes(' \r\n\t<HTML>')],
    ['a page behind a byte order mark', Buffer.from('\ufeff<html>')],
    ['an image with script', bytes('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    ['XML', bytes('<?xml version="1.0"?><a/>')],
    ['a program', bytes('\x7fELF\x02\x01\x01\0')],
    ['a program of another kind', bytes('MZ\x90\0\x03')],
    ['another RIFF', bytes('RIFF\x24\0\0\0AVI LIST')],
    ['another box', box('heic')],
    ['what begins like an image', bytes('\x89PN')],
    ['no UTF-8', bytes('caf\xe9')],
    ['UTF-16', Buffer.from('\ufeffhello', 'utf16le')],
    ['text with a NUL', bytes('a\0b')],
    ['text with escape sequences', bytes('\x1b[31mred')],
    ['nothing', bytes('')],
  ] as const)('[file.type] is not told of %s', ([, head]) => {
    expect(mediaTypeOf(head, head.length)).toBe(UNKNOWN);
  });

  it('[file.type] counts from the beginning of a part of a buffer', () => {
    expect(mediaTypeOf(Buffer.concat([bytes('xx'), bytes('%PDF-1.4')]).subarray(2), 8)).toBe(
      'application/pdf',
    );
  });

  it('[file.type] forgives a character that is cut where the head ends, and only there', () => {
    const head = Buffer.from('日本語').subarray(0, 8);
    expect([mediaTypeOf(head, 9), mediaTypeOf(head, 8)]).toEqual(['text/plain', UNKNOWN]);
  });
});
