// What the agent and its reading thread say to each other.
import type { DatasetField, ErrorCode, SearchHit } from '@weft/contract';
import type { StreamFormat, WriteOptions } from '../export/write.ts';
import type { Selection } from '../table/selection.ts';
import type { Tables } from '../table/tables.ts';

export interface SearchRequest {
  readonly q: string;
  readonly datasetId?: number | undefined;
  readonly kind?: 'pages' | 'rows' | undefined;
  /** Only pages of this host, or of one below it. */
  readonly site?: string | undefined;
  readonly runId?: number | undefined;
  /** Epoch milliseconds: kept at `sinceMs` or later, before `untilMs`. */
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
  readonly limit: number;
  readonly offset: number;
  /** Records that came after this one are left out, so that pages of an answer fit together; 0 for the newest there is. */
  readonly uptoId: number;
}

export interface SearchResult {
  readonly hits: SearchHit[];
  /** Where the search goes on; undefined at its end. */
  readonly nextOffset: number | undefined;
  readonly uptoId: number;
}

export interface SchemaResult {
  readonly sampled: number;
  readonly fields: DatasetField[];
}

export interface ExportRequest extends Selection {
  readonly format: StreamFormat;
  readonly options: WriteOptions;
}

type TableWork = {
  readonly [Name in keyof Tables]: { readonly request: Parameters<Tables[Name]>[0]; readonly result: ReturnType<Tables[Name]> };
};

/** What the thread can be asked, by name: what goes in and what comes out. */
export interface ReaderWork extends TableWork {
  readonly search: { readonly request: SearchRequest; readonly result: SearchResult };
  readonly schema: { readonly request: number; readonly result: SchemaResult };
  /** Begins an export on a snapshot of its own; its number. */
  readonly open: { readonly request: ExportRequest; readonly result: number };
  /** The next piece of an export; undefined at its end. */
  readonly next: { readonly request: number; readonly result: Uint8Array | undefined };
  /** Ends an export and lets its snapshot go. */
  readonly close: { readonly request: number; readonly result: undefined };
}
export type WorkName = keyof ReaderWork;

export interface ReaderTask<Name extends WorkName = WorkName> {
  readonly id: number;
  readonly work: Name;
  readonly request: ReaderWork[Name]['request'];
}

export interface ReaderAnswer {
  readonly id: number;
  readonly result?: ReaderWork[WorkName]['result'];
  readonly failure?: { readonly code: ErrorCode; readonly message: string };
}
