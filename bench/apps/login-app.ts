// What a real application says about logging in to it: who may, by which form, what its list then shows, and how its sessions end.
import type { Place, Software } from './app.ts';

/** Somebody whom the application knows. */
export interface Account {
  readonly username: string;
  readonly password: string;
  /** Base32, as RFC 6238 names it with SHA-1, six digits and 30 seconds; left out where the password is enough. */
  readonly totpSeed?: string;
}

/** A form that a person fills, by CSS selectors. */
export interface LoginForm {
  /** What opens it, where its address alone does not. */
  readonly opener?: string;
  readonly username: string;
  readonly password: string;
  readonly submit: string;
  /** The next form, for accounts that have a seed. */
  readonly code?: { readonly field: string; readonly submit: string };
  /** What only somebody who is logged in is shown. */
  readonly proof: string;
}

/** One row of a list: texts by the name of their column, trimmed. */
export type Row = Readonly<Record<string, string>>;

/** A list that nobody reads without logging in. */
export interface MemberList {
  /** Absolute address of its first page. */
  readonly url: string;
  /** CSS selector of one row. */
  readonly row: string;
  /** CSS selectors within a row; with an attribute where the text is not the value. */
  readonly columns: Readonly<Record<string, { readonly selector: string; readonly attribute?: string }>>;
  /** What leads to the next page; absent on the last one, left out where the list has one page. */
  readonly next?: string;
  /** What in the address says where a page begins, and how many rows it has, where the next one is behind a button. */
  readonly offset?: { readonly parameter: string; readonly rows: number };
  /** True where a page holds only the rows in view, and others as it is scrolled. */
  readonly isVirtual?: boolean;
  /** All rows of all pages, in their order, by the application's own API. */
  rows(): Promise<readonly Row[]>;
}

/** A password that has to be changed at the first login. */
export interface FirstLogin {
  readonly account: Account;
  readonly newPassword: string;
  /** The form that stands in the way, by CSS selectors. */
  readonly form: { readonly old: string; readonly next: string; readonly again: string; readonly submit: string };
  /** Gives the account its first password again and demands the change. */
  demand(): Promise<void>;
}

/** A form that a question for people stands in, for those who are logged in. */
export interface Captcha {
  /** Absolute address of a form that changes something, and what it changes. */
  readonly url: string;
  readonly field: string;
  readonly submit: string;
  readonly question: string;
  readonly answer: string;
  /** Answers by question. */
  readonly answers: Readonly<Record<string, string>>;
  /** What the field holds now, by the application's own API. */
  text(): Promise<string>;
}

/** An application that answers at `origin`, ready to be logged in to. */
export interface LoginSite {
  readonly origin: string;
  /** The strongest account, and the absolute address of its form. */
  readonly login: Account & { readonly url: string };
  /** All accounts that may read the list, that of `login` first; those with seeds have one each. */
  readonly accounts: readonly Account[];
  readonly form: LoginForm;
  readonly list: MemberList;
  readonly firstLogin?: FirstLogin;
  readonly captcha?: Captcha;
  /** Whether a request is a login: one for each that succeeds, however many forms that takes. */
  isLogin(request: { readonly method: string; readonly target: string; readonly status: number }): boolean;
  /** Ends the sessions of everybody on the server: cookies and tokens that were given out are worth nothing from then on. */
  endSessions(): Promise<void>;
}

/** Where an application runs, and how it is started anew. */
export interface LoginPlace {
  readonly place: Place;
  readonly origin: string;
  restart(): Promise<void>;
}

/** One real application that people log in to. */
export interface LoginApp {
  readonly software: Software;
  site(at: LoginPlace): LoginSite;
}
