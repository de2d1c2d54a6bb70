import { CANARY } from './fuzz-callers.ts';
import type { Answer } from './send-request.ts';

/** Faults after which a run has shown enough. */
const ENOUGH = 20;
/** Requests that are printed when the service ends: the one that ended it is among them. */
const RECENT = 24;

/** What a run found, and what it sent last. */
export class Findings {
  readonly faults: string[] = [];
  #recent: string[] = [];
  #ended = false;

  get areEnough(): boolean {
    return this.#ended || this.faults.length >= ENOUGH;
  }

  /** Remembers a request that is about to be sent. */
  noteRequest(request: string): void {
    this.#recent = [...this.#recent, request].slice(-RECENT);
  }

  /** Writes down what is wrong with the answer to a request, if something is. */
  check(request: string, { status, text }: Answer, mayKnow: boolean): void {
    if (status >= 500 && status !== 503)
      this.faults.push(`${request} answered ${status}: ${text.slice(0, 500)}`);
    else if (!mayKnow && text.includes(CANARY))
      this.faults.push(`${request} showed what is private`);
  }

  /** Writes down, once, that the service is gone or answers no more. */
  noteEnd(error: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    const sent = this.#recent.map((request) => `\n  ${request}`).join('');
    this.faults.push(`The service answers no more: ${error}. It was sent last:${sent}`);
  }
}
