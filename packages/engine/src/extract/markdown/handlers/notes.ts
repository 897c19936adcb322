// Writes footnotes as GFM does: `[^1]` where the mark is, `[^1]: ...` where the note is.
import type { AnyNode, Element } from 'domhandler';
import type { MarkdownWriter } from '../writer.ts';

/** The footnotes of a page: labels of marks and of notes, and what leads back from the notes. */
export interface Notes {
  readonly references: ReadonlyMap<AnyNode, string>;
  readonly bodies: ReadonlyMap<AnyNode, string>;
  readonly backs: ReadonlySet<AnyNode>;
}

/** What a note is written with. */
interface NotePage {
  readonly writer: MarkdownWriter;
  visitChildren(element: Element): void;
}

/** Knows which notes will be written: a mark whose note is not wanted stays what it is. */
export class NoteWriter {
  private readonly notes: Notes;
  private readonly labels: ReadonlySet<string>;
  /** The writer's mark right behind a note, which the next one follows without a gap. */
  private mark = -1;

  constructor(notes: Notes, nodes: readonly AnyNode[], isLeftOut: (node: AnyNode) => boolean) {
    this.notes = notes;
    const isWritten = (body: AnyNode): boolean => {
      for (let at: AnyNode | null = body; at && !isLeftOut(at); at = at.parent) if (nodes.includes(at)) return true;
      return false;
    };
    this.labels = new Set([...notes.bodies].filter(([body]) => isWritten(body)).map(([, label]) => label));
  }

  /** True when `element` was a mark or a note and is written. */
  write(page: NotePage, element: Element): boolean {
    const reference = this.notes.references.get(element);
    if (reference !== undefined && this.labels.has(reference)) {
      page.writer.inline(`[^${reference}]`);
      return true;
    }
    const label = this.notes.bodies.get(element);
    if (label === undefined || !this.labels.has(label) || page.writer.flatness !== 'none') return false;
    this.writeNote(page, element, label);
    return true;
  }

  private writeNote(page: NotePage, element: Element, label: string): void {
    const { writer } = page;
    writer.boundary(2);
    if (this.mark === writer.mark) writer.overrideGap(1);
    writer.container(`[^${label}]: `, '    ', () => page.visitChildren(element));
    writer.boundary(2);
    this.mark = writer.mark;
  }
}
