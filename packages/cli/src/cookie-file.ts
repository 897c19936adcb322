// Files of cookies: Netscape's, as curl, wget and browser extensions write them, and the storage state that Playwright writes.
import type { Send } from '@weft/contract';
import { CommandError, EXIT } from './exit.ts';

export type FileCookie = NonNullable<Send['cookies']>[number];

/** The cookies of a file that have not expired at `nowMs`. Throws CommandError for a file that is neither, which no value of it is quoted in. */
export function readCookieFile(text: string, file: string, nowMs: number): readonly FileCookie[] {
  const cookies = text.trimStart().startsWith('{') ? ofStorageState(text, file) : ofNetscape(text, file);
  return cookies.filter(({ expires = -1 }) => expires === -1 || expires * 1000 > nowMs);
}

/** Seven fields parted by tabs; `#HttpOnly_` before the domain is curl's (CURLOPT_COOKIEFILE). */
function ofNetscape(text: string, file: string): readonly FileCookie[] {
  return text.split(/\r?\n/).flatMap((line, i): FileCookie[] => {
    const isHttpOnly = line.startsWith('#HttpOnly_');
    if (line.trim() === '' || (line.startsWith('#') && !isHttpOnly)) return [];
    const [domain = '', subdomains, path = '/', secure, expires = '', name, value] = line.replace(/^#HttpOnly_/, '').split('\t');
    if (name === undefined || value === undefined || !/^\d+(\.\d+)?$/.test(expires))
      throw refuse(
        `Line ${i + 1} of ${file} is no cookie: domain, subdomains, path, secure, expires, name and value, with tabs between them.`,
      );
    const host = domain.replace(/^\./, '');
    return [
      {
        name,
        value,
        domain: subdomains?.toUpperCase() === 'TRUE' ? `.${host}` : host,
        path,
        secure: secure?.toUpperCase() === 'TRUE',
        http_only: isHttpOnly,
        expires: Number(expires) === 0 ? -1 : Number(expires),
      },
    ];
  });
}

function ofStorageState(text: string, file: string): readonly FileCookie[] {
  const state = parse(text, file);
  const cookies = (state as { readonly cookies?: unknown }).cookies;
  if (!Array.isArray(cookies)) throw refuse(`${file} is JSON without "cookies"; a storage state of Playwright has them.`);
  return cookies.flatMap((cookie: Readonly<Record<string, unknown>>): FileCookie[] => {
    const { name, value, domain, path, expires, secure, httpOnly } = cookie;
    if (typeof name !== 'string' || typeof value !== 'string' || typeof domain !== 'string') return [];
    return [
      {
        name,
        value,
        domain,
        path: typeof path === 'string' ? path : '/',
        expires: typeof expires === 'number' ? expires : -1,
        secure: secure === true,
        http_only: httpOnly === true,
      },
    ];
  });
}

function parse(text: string, file: string): object {
  try {
    return JSON.parse(text) as object;
  } catch {
    throw refuse(`${file} begins like JSON and is none.`);
  }
}

function refuse(message: string): CommandError {
  return new CommandError(message, { exitCode: EXIT.usage, code: 'bad_request' });
}
