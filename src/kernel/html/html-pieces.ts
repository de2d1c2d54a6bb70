/** A long text is a list of pieces of about this many UTF-16 code units. */
const PIECE_LENGTH = 4096;

/**
 * Text that is already HTML. Only `html` and `trustHtml` create it. All other text is escaped.
 *
 * A page is put together from thousands of texts. V8 joins them when their bytes are needed, which
 * costs little while they are few and short, and for a whole page more than to render it.
 */
export class Html {
  private done: string[] | null = null;
  private last: string;

  constructor(text: string) {
    this.last = text;
  }

  get text(): string {
    return this.done === null ? this.last : this.pieces.join('');
  }

  /** The text in order. */
  get pieces(): readonly string[] {
    return this.done === null ? [this.last] : [...this.done, this.last];
  }

  /** Only `html` calls this, before anyone else has the object. */
  append(text: string, more: Html | null = null): void {
    this.last += text;
    if (more?.done) {
      this.done ??= [];
      this.done.push(this.last, ...more.done);
      this.last = '';
    }
    if (more) this.last += more.last;
    if (this.last.length < PIECE_LENGTH) return;
    this.done ??= [];
    this.done.push(this.last);
    this.last = '';
  }
}
