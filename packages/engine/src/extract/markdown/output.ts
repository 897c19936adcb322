// The one buffer that Markdown is written to, with what later decisions need to know about its end.
import { lastCodePoint } from './characters.ts';

/** No character: the edge of a line. */
export const EDGE = -1;

/** The pieces written so far. */
export class Output {
  /** The pieces of the output; a piece can be taken back or changed until the output is joined. */
  readonly parts: string[] = [];
  /** True while nothing but prefix was written on this line. */
  fresh = true;
  /** The index of the piece that is text of the page and may be split; -1 when there is none. */
  textPart = -1;
  /** The index of the first piece of this line behind its prefix. */
  linePart = 0;

  /** Adds a piece that ends or begins inside a line. */
  write(piece: string): void {
    this.parts.push(piece);
    this.fresh = false;
  }

  /** The last piece that is not empty. */
  lastPart(): string {
    for (let i = this.parts.length - 1; i >= 0; i--) {
      const part = this.parts[i] as string;
      if (part !== '') return part;
    }
    return '';
  }

  /** The last code point of this line; EDGE at its start. */
  lastCode(): number {
    return this.fresh ? EDGE : lastCodePoint(this.lastPart());
  }
}
