// What every reader of a document that is not HTML gives back, and the limits they share.

/** What a document was told to be; Word and Excel by their XML formats only. */
export type DocumentKind = 'pdf' | 'docx' | 'xlsx' | 'csv' | 'feed' | 'json' | 'text' | 'xml';

/** An address that a document names. */
export interface DocumentLink {
  /** Absolute. */
  readonly url: string;
  /** The words of the link, '' for none. */
  readonly text: string;
}

/** A table or list of a document as records. */
export interface DocumentRecords {
  /** Where the records stand: a sheet's name, a JSONPath, `feed`, `csv`, a path of element names. */
  readonly source: string;
  readonly items: readonly Readonly<Record<string, unknown>>[];
}

/** What a reader finds in a document. */
export interface Reading {
  readonly title?: string;
  readonly markdown: string;
  /** The text as it is, where Markdown would only be read into it; absent where `markdown` has marks to take off. */
  readonly text?: string;
  readonly records: readonly DocumentRecords[];
  readonly links: readonly DocumentLink[];
}

/** A reading with its kind. */
export interface ReadableDocument extends Reading {
  readonly kind: DocumentKind;
}

/** What is known about a document before it is read. */
export interface DocumentInfo {
  /** The `Content-Type` header as received. */
  readonly contentType?: string | undefined;
  /** Where the document was found, after redirects. */
  readonly url: string;
}

/** A larger document is refused with `body_too_large`; it is the fetcher's default cap. */
export const DOCUMENT_BYTES_MAX = 25_000_000;
