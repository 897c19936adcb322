// Walks a part of a page and hands each element to the handler of its name.
import type { AnyNode, Element } from 'domhandler';
import { isTag } from 'domhandler';
import { Addresses } from '../../html/address.ts';
import { isHidden } from './elements.ts';
import { MarkdownWriter } from './writer.ts';

/** Where the page was found and what of it is not wanted. */
export interface MarkdownOptions {
  /** What the addresses of the page resolve against. */
  readonly baseUrl: string;
  /** Nodes to leave out, with everything below them. */
  readonly excluded?: ReadonlySet<AnyNode>;
  /** Writes what `hidden` and inline styles hide (closed tabs, folded answers) as if it were shown; default false. */
  readonly keepsHidden?: boolean;
}

/** Writes one element, its children through the page. */
export type Handler = (page: PageWriter, element: Element) => void;

/** The handler of what is never shown. */
export function skip(): void {}

/** What the handlers of one page share. */
export class PageWriter {
  readonly writer = new MarkdownWriter();
  readonly addresses: Addresses;
  readonly excluded: ReadonlySet<AnyNode> | undefined;
  readonly isHidden: (element: Element) => boolean;
  /** The picture written last, so that a copy for browsers without scripts is not written again. */
  lastImage = '';
  /** The writer's mark right behind a term, to which its definition is joined. */
  termMark = -1;
  /** The list that ended last at `mark`; a list that follows at once needs another marker. */
  endedList: { readonly mark: number; readonly marker: string } = { mark: -1, marker: '' };

  readonly handlers: ReadonlyMap<string, Handler>;

  /** Elements without a handler are written as their children. */
  constructor(options: MarkdownOptions, handlers: ReadonlyMap<string, Handler>) {
    this.handlers = handlers;
    this.addresses = new Addresses(options.baseUrl);
    this.excluded = options.excluded?.size ? options.excluded : undefined;
    this.isHidden = options.keepsHidden ? () => false : isHidden;
  }

  readonly visit = (node: AnyNode): void => {
    if (this.excluded?.has(node)) return;
    if (node.type === 'text') this.writer.text(node.data);
    else if (isTag(node)) {
      const handler = this.handlers.get(node.name);
      if (handler === skip || this.isHidden(node)) return;
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
