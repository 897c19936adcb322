// The page that was read last, parsed: steps ask the page that is open one question after another, and its tree costs more than any answer.
import { Document } from '../../page/document.ts';
import type { DocumentSource } from '../../page/document.ts';

/** Holds one page. */
export class LastDocument {
  private last: { readonly document: Document; readonly includesHidden: boolean } | undefined;

  /** Its document: the one that is held where that is of the same bytes. Without `includesHidden` either will do. */
  of(source: DocumentSource, includesHidden: boolean | undefined): Document {
    const { last } = this;
    const includesNow = includesHidden ?? last?.includesHidden ?? true;
    if (last && last.includesHidden === includesNow && isSame(last.document.source, source)) return last.document;
    const document = new Document(source, { includeHidden: includesNow });
    this.last = { document, includesHidden: includesNow };
    return document;
  }
}

function isSame(a: DocumentSource, b: DocumentSource): boolean {
  const hasXhr = [a, b].some(({ xhr }) => xhr !== undefined && xhr.length > 0);
  return !hasXhr && a.url === b.url && a.contentType === b.contentType && isSameBytes(a.body, b.body);
}

function isSameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let place = 0; place < a.length; place++) if (a[place] !== b[place]) return false;
  return true;
}
