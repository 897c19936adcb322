// What a person is told of an address that could not be had: the reason once, an exit code of its own, and the one command that helps.
import type { RunFailure } from '@weft/contract';
import { CommandError, EXIT } from './exit.ts';
import { shellWord } from './shell-word.ts';

/** The commands that ask for addresses. */
export type AskingCommand = 'scrape' | 'crawl' | 'map' | 'extract';

/** An address that could not be had, and by which command. */
export interface Missed {
  readonly failure: RunFailure;
  readonly url: string;
  readonly command: AskingCommand;
}

interface Advice {
  readonly exitCode: number;
  readonly next: (missed: Missed, url: URL) => string;
}

const again = ({ command, url }: Missed) => `weft ${command} ${shellWord(url)}`;
const help = ({ command }: Missed) => `weft ${command} --help`;
/** A browser shows what a plain request is refused, or what only scripts fill; `map` has none. */
const rendered = ({ command, url }: Missed) => `weft ${command === 'map' ? 'scrape' : command} ${shellWord(url)} --lane browser`;
const others = (_missed: Missed, { origin }: URL) => `weft map ${shellWord(`${origin}/`)}`;
const logs = () => 'weft logs --level warn';

const ADVICE: Readonly<Record<RunFailure['code'], Advice>> = {
  address: { exitCode: EXIT.failed, next: help },
  robots: { exitCode: EXIT.robots, next: ({ url }) => `weft crawl ${shellWord(url)} --explain` },
  dns: { exitCode: EXIT.dns, next: again },
  connect: { exitCode: EXIT.connect, next: again },
  tls: { exitCode: EXIT.tls, next: ({ command, url }) => `weft ${command} ${shellWord(url.replace(/^https:/, 'http:'))}` },
  timeout: { exitCode: EXIT.timeout, next: again },
  redirect_loop: { exitCode: EXIT.failed, next: others },
  redirect_limit: { exitCode: EXIT.failed, next: others },
  body_too_large: { exitCode: EXIT.failed, next: others },
  truncated: { exitCode: EXIT.connect, next: again },
  bad_response: { exitCode: EXIT.connect, next: again },
  http_status: { exitCode: EXIT.httpStatus, next: others },
  server_error: { exitCode: EXIT.serverError, next: again },
  rate_limited: { exitCode: EXIT.allowance, next: () => 'weft hosts' },
  blocked: { exitCode: EXIT.failed, next: rendered },
  captcha: { exitCode: EXIT.human, next: ({ url }) => `weft parse page.html --url ${shellWord(url)}` },
  unsupported_type: { exitCode: EXIT.failed, next: others },
  page_too_complex: { exitCode: EXIT.failed, next: others },
  page_unreadable: { exitCode: EXIT.failed, next: rendered },
  selector: { exitCode: EXIT.failed, next: ({ url }) => `weft scrape ${shellWord(url)} -f html` },
  browser: { exitCode: EXIT.failed, next: () => 'weft browser status' },
  vault_locked: { exitCode: EXIT.human, next: () => 'weft vault unlock' },
  interrupted: { exitCode: EXIT.failed, next: again },
  assert: { exitCode: EXIT.failed, next: logs },
  no_rows: { exitCode: EXIT.failed, next: logs },
  model: { exitCode: EXIT.failed, next: () => 'weft config --all' },
  internal: { exitCode: EXIT.unexpected, next: logs },
  input: { exitCode: EXIT.failed, next: help },
};

/** The sentence in which the engine says that a page stands behind a log-in. */
const WANTS_LOGIN = / asks to log in\b/;
/** That in which the agent says that the persona of a run is the one that should log in. */
const NOT_LOGGED_IN = /\bpersona (\d+) is not logged in\b/;
const NO_TLS = /speaks no TLS/;

/** The error of an address that could not be had. */
export function pageFailure(missed: Missed): CommandError {
  const { code, message } = missed.failure;
  const { exitCode, next } = adviceFor(missed);
  return new CommandError(namesAddress(message, missed.url) ? message : `${missed.url}: ${message}`, {
    exitCode,
    code,
    next: [next(missed, URL.parse(missed.url) ?? new URL('http://localhost/'))],
  });
}

function adviceFor({ failure: { code, message } }: Missed): Advice {
  if (code === 'blocked' && NOT_LOGGED_IN.test(message)) return LOGIN_AGAIN;
  if (code === 'blocked' && WANTS_LOGIN.test(message)) return LOGIN;
  if (code === 'tls' && !NO_TLS.test(message)) return CERTIFICATE;
  return ADVICE[code];
}

const LOGIN: Advice = {
  exitCode: EXIT.human,
  next: (_missed, { hostname, origin }) =>
    `weft persona add ${shellWord(hostname)} --origin ${shellWord(origin)} --values username,password`,
};

const LOGIN_AGAIN: Advice = {
  exitCode: EXIT.human,
  next: ({ url, failure: { message } }) => `weft persona login ${NOT_LOGGED_IN.exec(message)?.[1] ?? '<persona>'} ${shellWord(url)}`,
};

/** Only the site can mend a certificate. */
const CERTIFICATE: Advice = { exitCode: EXIT.tls, next: again };

/** Whether the sentence says already which address it is about. */
function namesAddress(message: string, url: string): boolean {
  return message.includes(url.replace(/^https?:\/\//, '').replace(/\/$/, ''));
}
