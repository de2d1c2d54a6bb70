/** The part of autocannon that the bench uses. The package has no types. */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';

  export interface Request {
    readonly method: 'GET' | 'POST';
    readonly path: string;
    readonly headers: Record<string, string>;
    readonly body?: string;
  }

  export interface Options {
    readonly url: string;
    readonly connections: number;
    /** The duration in seconds. */
    readonly duration: number;
    /** The interval in milliseconds between two checks for the end. */
    readonly sampleInt: number;
    readonly requests: readonly { setupRequest(defaults: object): Request }[];
  }

  export interface Result {
    readonly non2xx: number;
    readonly errors: number;
    readonly statusCodeStats: Readonly<Record<string, { readonly count: number }>>;
  }

  export default function autocannon(
    options: Options,
    done: (error: Error | null, result: Result) => void,
  ): EventEmitter;
}
