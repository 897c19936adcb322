// What a build has found on a site: everything that may become a function, each with an id and where it is from. Plain data.
import type { FieldRule } from '@weft/contract';
import type { Form } from '../../extract/forms/forms.ts';
import type { JsonValue } from '../../html/loose-json.ts';
import type { Lane } from '../../ports.ts';
import type { FieldType, ListSource } from '../../records/list.ts';
import type { Wrapper } from '../../records/wrapper.ts';
import type { Rung } from '../ladder.ts';

/**
 * A letter for the kind and a number, unique in a catalogue: `F` forms, `R` requests, `L` listings, `E` embedded states, `D` detail templates,
 * `J` JSON endpoints, `N` ways to further pages, `T` tokens, `C` candidates, `P` parameters, `V` fields, `X` example values.
 */
export type EvidenceId = string;

/** Where a piece of evidence is from. */
export interface Provenance {
  readonly via: 'crawl' | 'har' | 'recording';
  /** Of a crawl. */
  readonly rung?: Rung;
  readonly lane: Lane;
  /** The page on which, or from which, it was found. */
  readonly url: string;
  /** Epoch milliseconds. */
  readonly atMs: number;
}

interface Evidence {
  readonly id: EvidenceId;
  readonly provenance: Provenance;
  /** Why no function was made of it; absent where it is part of a candidate. */
  readonly unused?: string;
}

/** A value that was seen on the site. */
export interface ExampleValue {
  readonly id: EvidenceId;
  readonly value: string;
  /** What it was seen as: a choice of a control, a word of a row, a part of an address, or what a person or a page sent. */
  readonly seenIn: 'choice' | 'row' | 'address' | 'request' | 'objective';
}

/** What a parameter does. `token` is read anew from the page before each call, `constant` sent as it was seen. */
export type ParameterRole = 'input' | 'page' | 'offset' | 'token' | 'constant';

/** One value that a call of a candidate sends. */
export interface Parameter {
  readonly id: EvidenceId;
  /** As the site names it; of a part of a path, the segment before it. */
  readonly name: string;
  /** The words that the page shows for it. */
  readonly label?: string;
  readonly role: ParameterRole;
  readonly type: 'string' | 'integer';
  readonly required: boolean;
  /** What can be chosen, of a control with choices. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  /** Of a constant its value, of a page or an offset that of the first page; what is sent where an input is left out. */
  readonly initial?: string;
  /** Of a page or an offset: what the next page adds. */
  readonly step?: number;
  /** Of a page or an offset, where that is known: how many rows a full page has. A page behind a shorter one may be empty. */
  readonly pageRows?: number;
  /** At least one for an input. */
  readonly examples: readonly ExampleValue[];
}

/** A field of the rows of a candidate. */
export interface CandidateField {
  readonly id: EvidenceId;
  readonly name: string;
  readonly type: FieldType;
  readonly many: boolean;
  /** Share of rows that have it, 0 to 1. */
  readonly filled: number;
  /** Some of its values. */
  readonly samples: readonly string[];
}

/** A form of the site. */
export interface FormEvidence extends Evidence {
  readonly kind: 'form';
  readonly form: Form;
}

/** A request that a page sent by itself, or that a person's archive or recording has; without values of cookies and of headers that prove who asks. */
export interface RequestEvidence extends Evidence {
  readonly kind: 'request';
  readonly method: string;
  readonly url: string;
  /** Lower case; names only. */
  readonly headerNames: readonly string[];
  readonly contentType?: string;
  /** What was sent, of a body of up to 20,000 characters. */
  readonly body?: string;
  readonly status: number;
}

/** A list of records on a page. */
export interface ListingEvidence extends Evidence {
  readonly kind: 'listing';
  readonly source: ListSource;
  readonly title: string;
  readonly score: number;
  readonly rows: number;
  readonly fields: readonly string[];
  /** Texts of its first rows. */
  readonly samples: readonly string[];
}

/** Data that stands in the page for its scripts. */
export interface StateEvidence extends Evidence {
  readonly kind: 'state';
  readonly name: string;
  /** JSONPath of its largest list; absent where it holds none. */
  readonly path?: string;
  readonly rows: number;
}

/** A group of pages of one kind that listings lead to. */
export interface DetailEvidence extends Evidence {
  readonly kind: 'detail';
  /** An address with `{name}` where its pages differ. */
  readonly template: string;
  readonly examples: readonly string[];
  readonly fields: readonly string[];
}

/** A request whose answer is JSON with a list in it. */
export interface EndpointEvidence extends Evidence {
  readonly kind: 'endpoint';
  readonly request: EvidenceId;
  /** JSONPath to its rows. */
  readonly path: string;
  readonly rows: number;
  readonly fields: readonly string[];
  /** The listing that its rows are shown as, and the share of them that are. */
  readonly shownAs?: { readonly listing: EvidenceId; readonly share: number };
}

/** A way to further pages of a listing or an endpoint. */
export interface PagingEvidence extends Evidence {
  readonly kind: 'paging';
  readonly of: EvidenceId;
  readonly mode: PagingWay['mode'];
  readonly nextUrl?: string;
}

/** A value that differs from load to load and has to be read anew. */
export interface TokenEvidence extends Evidence {
  readonly kind: 'token';
  readonly name: string;
  /** Where it is read: a field of a form, or an element of a page. */
  readonly place: 'form' | 'meta';
}

/** How a further page is had. With `input` the caller counts; else the function follows, to `pagesMax` pages. */
export type PagingWay =
  | { readonly mode: 'input'; readonly parameter: EvidenceId }
  | { readonly mode: 'next_link'; readonly pagesMax: number }
  | { readonly mode: 'cursor'; readonly path: string; readonly param: string; readonly pagesMax: number }
  | { readonly mode: 'next_url'; readonly path: string; readonly pagesMax: number };

/** What is asked for. Texts hold `{P1}` where the value of a parameter stands, and `{P1+20}` where a number stands that is 20 more. */
export type AskingWay =
  /** One GET request. */
  | { readonly kind: 'address'; readonly url: string; readonly headers?: Readonly<Record<string, string>> }
  /** A form that is filled in and sent, read anew from its page each time. */
  | {
      readonly kind: 'form';
      readonly pageUrl: string;
      readonly selector: string;
      readonly controls: Readonly<Record<string, string>>;
      /** The address that it is sent to by POST; absent for a form that is sent as an address. */
      readonly sentTo?: string;
    }
  /** Words typed into a control of a page, and what shows after. */
  | {
      readonly kind: 'control';
      readonly pageUrl: string;
      readonly selector: string;
      readonly parameter: EvidenceId;
      /** The address that its form is sent to by POST; absent for any other. */
      readonly sentTo?: string;
    }
  /** A request with a body; a token is read from `tokenFrom` before. */
  | {
      readonly kind: 'request';
      readonly method: 'GET' | 'POST';
      readonly url: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly json?: JsonValue;
      readonly form?: Readonly<Record<string, string>>;
      readonly tokenFrom?: { readonly pageUrl: string; readonly selector: string; readonly attr: string; readonly parameter: EvidenceId };
    };

/** How the rows are read out of the answer. */
export type RowReading =
  | { readonly from: 'html'; readonly wrapper: Wrapper }
  /** One row, of the page as a whole; none where a required field is missing. */
  | { readonly from: 'page'; readonly fields: Readonly<Record<EvidenceId, FieldRule>> }
  | {
      readonly from: 'json' | 'state' | 'jsonld';
      /** JSONPath to the rows. */
      readonly path: string;
      /** JSONPath within a row, by the id of its field. */
      readonly fields: Readonly<Record<EvidenceId, string>>;
    };

/** Everything that a function is made of: whoever drafts chooses among these, by id. */
export interface Candidate {
  readonly id: EvidenceId;
  readonly kind: 'search' | 'list' | 'detail';
  /** A name for it without anybody's help; unique in the catalogue, `^[a-z][a-z0-9_]{2,40}$`. */
  readonly name: string;
  readonly description: string;
  /** What it was made of, oldest first. */
  readonly from: readonly EvidenceId[];
  readonly provenance: Provenance;
  readonly lane: Lane;
  readonly way: AskingWay;
  readonly reading: RowReading;
  readonly parameters: readonly Parameter[];
  readonly fields: readonly CandidateField[];
  readonly paging?: PagingWay;
  /** Texts of the first rows that it gave. */
  readonly samples: readonly string[];
  /** How many rows the answer had that it was made from; absent for a detail. */
  readonly rows?: number;
  /** How well it fits the objective, 0 to 1; 0 without an objective. */
  readonly match: number;
}

/** What one build has found. */
export interface Catalogue {
  readonly forms: readonly FormEvidence[];
  readonly requests: readonly RequestEvidence[];
  readonly listings: readonly ListingEvidence[];
  readonly states: readonly StateEvidence[];
  readonly details: readonly DetailEvidence[];
  readonly endpoints: readonly EndpointEvidence[];
  readonly paging: readonly PagingEvidence[];
  readonly tokens: readonly TokenEvidence[];
  /** Best first. */
  readonly candidates: readonly Candidate[];
}

/** A catalogue with nothing in it. */
export const EMPTY_CATALOGUE: Catalogue = {
  forms: [],
  requests: [],
  listings: [],
  states: [],
  details: [],
  endpoints: [],
  paging: [],
  tokens: [],
  candidates: [],
};
