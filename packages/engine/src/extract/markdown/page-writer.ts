// Walks a part of a page and hands each element to the handler of its name.
import type { AnyNode, Element } from 'domhandler';
import { isTag } from 'domhandler';
import { Addresses } from '../../html/address.ts';
import { isHidden } from '../../html/hidden.ts';
import { isDrawnApart } from '../../html/text.ts';
import { NoteWriter } from './handlers/notes.ts';
import type { Notes } from './handlers/notes.ts';
import { Roles } from './handlers/class-roles.ts';
import { MarkdownWriter } from './writer.ts';

/** Where the page was found and what of it is not wanted. */
export interface MarkdownOptions {
  /** What the addresses of the page resolve against. */
  readonly baseUrl: string;
  /** Nodes to leave out, with everything below them; what the page hides is left out in any case. */
  readonly excluded?: ReadonlySet<AnyNode>;
  /** The heading of the page, which is written as one of the first level. */
  readonly title?: Element | undefined;
  /** Footnotes to write as such; without them marks and notes are links like others. */
  readonly notes?: Notes;
}

/** Writes one element, its children through the page. */
export type Handler = (page: PageWriter, element: Element) => void;

/** Writes text as the page has it. */
export type TextHandler = (page: PageWriter, text: string) => void;

/** The handler of what is never shown. */
export function skip(): void {}

/** What the handlers of one page share. */
export class PageWriter {
  readonly writer = new MarkdownWriter();
  readonly roles = new Roles();
  readonly baseUrl: string;
  readonly addresses: Addresses;
  readonly title: Element | undefined;
  readonly notes: NoteWriter | undefined;
  /** The picture written last, so that a copy for browsers without scripts is not written again. */
  lastImage = '';
  /** The writer's mark right behind a term or a definition, to which the next definition is joined. */
  termMark = -1;
  /** The list that ended last at `mark`; a list that follows at once needs another marker. */
  endedList: { readonly mark: number; readonly marker: string } = { mark: -1, marker: '' };
  /** True within a paragraph whose line breaks show. */
  keepsLines = false;
  /** Abbreviations that were written out. */
  readonly explained = new Set<string>();

  readonly handlers: ReadonlyMap<string, Handler>;
  private readonly writeText: TextHandler;
  /** What is not wanted, and what was written already, out of its place. */
  private readonly leftOut: Set<AnyNode>;

  /** `nodes` are what will be written. Elements without a handler are written as their children. */
  constructor(nodes: readonly AnyNode[], options: MarkdownOptions, handlers: ReadonlyMap<string, Handler>, writeText: TextHandler) {
    this.handlers = handlers;
    this.writeText = writeText;
    this.baseUrl = options.baseUrl;
    this.addresses = new Addresses(options.baseUrl);
    this.title = options.title;
    this.leftOut = new Set(options.excluded);
    if (options.notes && options.notes.bodies.size > 0) {
      for (const back of options.notes.backs) this.leaveOut(back);
      this.notes = new NoteWriter(options.notes, nodes, this.isLeftOut);
    }
  }

  /** True for a node that is not to be written, with everything below it. */
  readonly isLeftOut = (node: AnyNode): boolean => isHidden(node) || this.leftOut.has(node);

  /** Keeps a node from being written, as it was written already. */
  leaveOut(node: AnyNode): void {
    this.leftOut.add(node);
  }

  readonly visit = (node: AnyNode): void => {
    if (this.isLeftOut(node)) return;
    if (node.type === 'text') this.writeText(this, node.data);
    else if (isTag(node)) {
      if (this.notes?.write(this, node) === true) return;
      if (isDrawnApart(node)) this.writer.blank();
      const handler = this.handlers.get(node.name);
      if (handler) handler(this, node);
      else this.visitChildren(node);
    } else if (node.type === 'root') node.children.forEach(this.visit);
  };

  visitChildren(element: Element): void {
    const { children } = element;
    for (let i = 0; i < children.length; i++) this.visit(children[i] as AnyNode);
  }

  /** Writes the children of `element` apart from what stands around it. */
  block(element: Element): void {
    this.writer.boundary(2);
    this.visitChildren(element);
    this.writer.boundary(2);
  }
}
